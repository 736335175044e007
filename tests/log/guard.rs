//! Roles and rights, asserted at each start; and what is noticed when somebody took a guard away.

use std::str::FromStr;

use leasehold::log::{AppendOnly, GuardError, Log, LogOptions, SetupError, prepare};
use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, Executor, PgConnection};

use crate::bench::{light, refusal};
use crate::support::{TestDatabase, fresh_database};

fn owner(database: &TestDatabase) -> PgConnectOptions {
    PgConnectOptions::from_str(&database.owner_url).unwrap()
}

#[tokio::test]
async fn the_engines_role_is_held_by_permission_and_an_owner_by_trigger_alone() {
    let database = fresh_database().await;
    assert_eq!(database.log().await.append_only().await.unwrap(), AppendOnly::ByPermission);
    let as_owner = Log::connect(owner(&database), LogOptions::default()).await.unwrap();
    assert_eq!(as_owner.append_only().await.unwrap(), AppendOnly::ByTriggerAlone);
}

#[tokio::test]
async fn the_engines_role_reaches_what_it_works_with_and_owns_the_projections() {
    let database = fresh_database().await;
    let mut app = PgConnection::connect(&database.app_url).await.unwrap();
    for table in ["staged", "listeners", "leadership", "cursors", "drafts", "notes", "accounts", "account_tokens"] {
        app.execute(format!("delete from {table}").as_str()).await.unwrap();
    }
    app.execute("create table projections.lamps (id text)").await.unwrap();
    assert_eq!(refusal(&mut app, "delete from commands").await, "42501");
    assert_eq!(refusal(&mut app, "alter table events disable trigger all").await, "42501");
    assert_eq!(refusal(&mut app, "drop table events").await, "42501");
}

#[tokio::test]
async fn the_auditor_reads_the_evidence_and_nothing_personal() {
    let database = fresh_database().await;
    database.log().await.append(light(1, "a", 0)).await.unwrap();
    let mut auditor = database.owner().await;
    auditor.execute("set role leasehold_auditor").await.unwrap();
    for table in ["events", "commands", "staged", "listeners", "leadership", "cursors"] {
        auditor.execute(format!("select * from {table}").as_str()).await.unwrap();
        assert_eq!(refusal(&mut auditor, &format!("delete from {table}")).await, "42501", "{table}");
    }
    for table in ["notes", "accounts", "account_tokens", "drafts"] {
        assert_eq!(refusal(&mut auditor, &format!("select * from {table}")).await, "42501", "{table}");
    }
}

#[tokio::test]
async fn a_guard_that_was_taken_away_is_noticed() {
    let tampered = [
        "alter table events disable trigger leasehold_3_verify",
        "alter table events enable trigger leasehold_1_enter",
        "alter table events enable replica trigger leasehold_2_stamp",
        "drop trigger leasehold_4_refuse on events",
        "alter function leasehold_verify() reset search_path",
        "create function elsewhere() returns trigger language plpgsql as 'begin return null; end';
         drop trigger leasehold_4_refuse on events;
         create trigger leasehold_4_refuse before delete on events for each statement execute function elsewhere();
         alter table events enable always trigger leasehold_4_refuse",
    ];
    for change in tampered {
        let database = fresh_database().await;
        database.owner().await.execute(change).await.unwrap();
        let noticed = database.log().await.append_only().await;
        assert!(matches!(noticed, Err(GuardError::Unguarded { .. })), "{change}: {noticed:?}");
    }
}

/// A guard that is there by name and does nothing, or less than it did.
#[tokio::test]
async fn a_guard_that_does_less_is_noticed() {
    let database = fresh_database().await;
    let log = database.log().await;
    for function in ["leasehold_enter", "leasehold_stamp", "leasehold_verify", "leasehold_refuse"] {
        let kept: String = sqlx::query_scalar("select pg_get_functiondef(to_regproc('public.' || $1))")
            .bind(function)
            .fetch_one(log.pool())
            .await
            .unwrap();
        let hollow = format!(
            "create or replace function {function}() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as
             'begin return new; end'"
        );
        database.owner().await.execute(hollow.as_str()).await.unwrap();
        let noticed = log.append_only().await;
        assert!(matches!(&noticed, Err(GuardError::Altered { function: found }) if found == function), "{noticed:?}");
        database.owner().await.execute(kept.as_str()).await.unwrap();
        assert_eq!(log.append_only().await.unwrap(), AppendOnly::ByPermission, "put back");
    }
    let weaker = "drop trigger leasehold_4_refuse on events;
         create trigger leasehold_4_refuse before delete on events for each statement execute function leasehold_refuse();
         alter table events enable always trigger leasehold_4_refuse";
    database.owner().await.execute(weaker).await.unwrap();
    assert!(matches!(log.append_only().await, Err(GuardError::Unguarded { .. })));
}

#[tokio::test]
async fn a_start_as_the_owner_switches_the_guards_on_again_and_takes_rights_back() {
    let database = fresh_database().await;
    let changes = "alter table events enable trigger leasehold_1_enter; alter table events disable trigger leasehold_3_verify;
                   grant update, delete on events to leasehold_app";
    database.owner().await.execute(changes).await.unwrap();
    prepare(&owner(&database)).await.unwrap();
    assert_eq!(database.log().await.append_only().await.unwrap(), AppendOnly::ByPermission);
}

#[tokio::test]
async fn a_start_as_the_engines_role_changes_nothing_and_says_when_the_schema_is_another() {
    let database = fresh_database().await;
    prepare(&database.app()).await.unwrap();
    let mut superuser = database.owner().await;
    superuser.execute("delete from _sqlx_migrations where version = 11").await.unwrap();
    let behind = prepare(&database.app()).await.unwrap_err();
    assert!(matches!(&behind, SetupError::Behind { missing: 11, role } if role == "leasehold_app"), "{behind}");
    superuser
        .execute("insert into _sqlx_migrations (version, description, success, checksum, execution_time) values (11, '', true, '', 0), (999, '', true, '', 0)")
        .await
        .unwrap();
    for role in [database.app(), owner(&database)] {
        let ahead = prepare(&role).await.unwrap_err();
        assert!(matches!(ahead, SetupError::Ahead { found: 999 }), "{ahead}");
    }
}

/// A hosted database often gives one role, which owns its database and may create nothing beside it.
#[tokio::test]
async fn a_plain_owner_sets_everything_up_and_appends_as_itself() {
    let database = fresh_database().await;
    let mut superuser = database.owner().await;
    superuser
        .execute(
            "do $$ begin create role leasehold_hosted login password 'hosted';
             exception when duplicate_object or unique_violation then null; end $$;
             drop schema public cascade; drop schema projections cascade;
             create schema public authorization leasehold_hosted",
        )
        .await
        .unwrap();
    let name: String = sqlx::query_scalar("select current_database()").fetch_one(&mut superuser).await.unwrap();
    superuser.execute(format!("grant create on database {name} to leasehold_hosted").as_str()).await.unwrap();
    let hosted = owner(&database).username("leasehold_hosted").password("hosted");
    prepare(&hosted).await.unwrap();
    prepare(&hosted).await.unwrap();
    let log = Log::connect(hosted, LogOptions::default()).await.unwrap();
    log.append(light(1, "a", 0)).await.unwrap();
    assert_eq!(log.append_only().await.unwrap(), AppendOnly::ByTriggerAlone);
    sqlx::query("create table projections.lamps (id text)").execute(log.pool()).await.unwrap();
}

#[tokio::test]
async fn a_database_that_stores_no_utf8_is_refused_in_words() {
    let database = fresh_database().await;
    let mut superuser = database.owner().await;
    let name: String = sqlx::query_scalar("select current_database()").fetch_one(&mut superuser).await.unwrap();
    let latin = format!("{name}_latin");
    let create = format!("create database {latin} encoding latin1 locale 'C' template template0");
    superuser.execute(create.as_str()).await.unwrap();
    let refused = prepare(&owner(&database).database(&latin)).await.unwrap_err();
    superuser.execute(format!("drop database {latin}").as_str()).await.unwrap();
    assert!(matches!(&refused, SetupError::Encoding { found } if found == "LATIN1"), "{refused}");
}

#[tokio::test]
async fn two_engines_that_start_at_once_do_not_get_in_each_others_way() {
    let database = fresh_database().await;
    let owners = vec![owner(&database); 6];
    for outcome in futures::future::join_all(owners.iter().map(prepare)).await {
        outcome.unwrap();
    }
}

//! What the schema refuses: every change of what is recorded, and every event that does not follow the head. As the
//! engine's role, as an owner without further rights, as a superuser, and in a session that plays the replica.

use sqlx::{Connection, Executor, PgConnection};

use crate::bench::{light, raw_insert, refusal};
use crate::support::{TestDatabase, fresh_database};

const CHANGES: [&str; 6] = [
    "update events set payload = '{}'",
    "update events set payload = '{}' where false",
    "delete from events",
    "truncate events",
    "truncate events, commands cascade",
    "insert into events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata)
     values ('lamp', 'new', 1, 'lamp_lit', '1', '{}', '{}')
     on conflict (aggregate_type, aggregate_id, sequence) do update set payload = '{}'",
];

async fn with_two_events() -> TestDatabase {
    let database = fresh_database().await;
    let log = database.log().await;
    log.append(light(1, "a", 0)).await.unwrap();
    log.append(light(2, "a", 1)).await.unwrap();
    database
}

/// Hands the log to a role that owns it and can do nothing else.
async fn plain_owner(superuser: &mut PgConnection) {
    superuser
        .execute(
            "do $$ begin create role leasehold_plain_owner; exception when duplicate_object or unique_violation then null; end $$;
             alter table events owner to leasehold_plain_owner; set role leasehold_plain_owner",
        )
        .await
        .unwrap();
}

async fn every_change_is_refused(connection: &mut PgConnection, whoever: &str) {
    for change in CHANGES {
        assert_eq!(refusal(connection, change).await, "42501", "{change} as {whoever}");
    }
}

#[tokio::test]
async fn no_change_of_what_is_recorded_is_taken_from_anybody() {
    let database = with_two_events().await;
    let mut app = PgConnection::connect(&database.app_url).await.unwrap();
    every_change_is_refused(&mut app, "the engine's role").await;

    let mut superuser = database.owner().await;
    every_change_is_refused(&mut superuser, "a superuser").await;
    superuser.execute("set session_replication_role = replica").await.unwrap();
    every_change_is_refused(&mut superuser, "a superuser who plays the replica").await;

    let mut owner = database.owner().await;
    plain_owner(&mut owner).await;
    every_change_is_refused(&mut owner, "an owner").await;
    assert_eq!(database.log().await.verify(None, |_| {}).await.unwrap().events, 2);
}

#[tokio::test]
async fn merge_is_no_way_round() {
    let database = with_two_events().await;
    let mut superuser = database.owner().await;
    let (version,): (i32,) =
        sqlx::query_as("select current_setting('server_version_num')::int").fetch_one(&mut superuser).await.unwrap();
    let merge = "merge into events e using (values (1)) v (n) on e.sequence = v.n when matched then delete";
    let expected = if version >= 150_000 { "42501" } else { "42601" };
    assert_eq!(refusal(&mut superuser, merge).await, expected);
}

/// An insert with stamps of the writer's own: position, instant and hash are expressions over `head`, the newest event.
fn forged(position: &str, recorded_at: &str, hash: &str) -> String {
    format!(
        "insert into events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata,
                             position, recorded_at, hash)
         select 'lamp', 'b', 1, 'lamp_lit', '1', '{{}}', '{{}}', {position}, {recorded_at}, {hash}
         from (select * from events order by position desc limit 1) head"
    )
}

/// The hash that belongs to those stamps.
fn hash(position: &str, recorded_at: &str) -> String {
    format!(
        "sha256(head.hash || leasehold_canonical({position}, {recorded_at}, 'lamp', 'b', 1, 'lamp_lit', '1', '{{}}', '{{}}'))"
    )
}

#[tokio::test]
async fn forged_stamps_are_refused_and_honest_ones_taken() {
    let database = with_two_events().await;
    let mut superuser = database.owner().await;
    for replica in ["origin", "replica"] {
        superuser.execute(format!("set session_replication_role = {replica}").as_str()).await.unwrap();
        let next = "head.position + 1";
        let now = "date_trunc('milliseconds', clock_timestamp() - interval '1 millisecond')";
        let past = "head.recorded_at - interval '1 microsecond'";
        let future = "head.recorded_at + interval '1 hour'";
        let forgeries = [
            ("a gap", forged("head.position + 2", now, &hash("head.position + 2", now)), "LG001"),
            ("a place taken", forged("head.position", now, &hash("head.position", now)), "23505"),
            ("a place far below", forged("-5::bigint", now, &hash("-5::bigint", now)), "23514"),
            ("another hash", forged(next, "head.recorded_at", "sha256('x')"), "LG002"),
            ("half a hash", forged(next, "head.recorded_at", "'x'::bytea"), "23514"),
            ("an instant before the head's", forged(next, past, &hash(next, past)), "LG002"),
            ("an instant to come", forged(next, future, &hash(next, future)), "LG002"),
            ("no hash", forged(next, "head.recorded_at", "null"), "23502"),
            ("no instant", forged(next, "null", "head.hash"), "23502"),
        ];
        for (forgery, statement, code) in forgeries {
            assert_eq!(refusal(&mut superuser, &statement).await, code, "{forgery}, {replica}");
        }
    }
    let at = "head.recorded_at";
    superuser.execute(forged("head.position + 1", at, &hash("head.position + 1", at)).as_str()).await.unwrap();
    assert_eq!(database.log().await.verify(None, |_| {}).await.unwrap().events, 3);
}

#[tokio::test]
async fn a_stale_snapshot_is_refused_by_name() {
    let database = with_two_events().await;
    let mut superuser = database.owner().await;
    for isolation in ["repeatable read", "serializable"] {
        superuser.execute(format!("begin isolation level {isolation}").as_str()).await.unwrap();
        assert_eq!(refusal(&mut superuser, &raw_insert("b", 1)).await, "25001", "{isolation}");
        superuser.execute("rollback").await.unwrap();
    }
}

/// Somebody who may make functions puts one of their own in front, so that stamp and check would both believe it.
#[tokio::test]
async fn functions_slipped_in_by_search_path_are_not_heard() {
    let database = with_two_events().await;
    let mut superuser = database.owner().await;
    superuser
        .execute(
            "create schema mine;
             create function mine.sha256(bytea) returns bytea language sql as $$ select decode(repeat('ab', 32), 'hex') $$;
             create function mine.clock_timestamp() returns timestamptz language sql as $$ select 'infinity'::timestamptz $$;
             create function mine.convert_to(text, name) returns bytea language sql as $$ select ''::bytea $$;
             create function mine.int8send(bigint) returns bytea language sql as $$ select ''::bytea $$;
             create temporary table fresh (position bigint);
             create temporary table events (position bigint, hash bytea, recorded_at timestamptz);
             set search_path = mine, pg_catalog, public",
        )
        .await
        .unwrap();
    superuser.execute(raw_insert("b", 1).replace("into events", "into public.events").as_str()).await.unwrap();
    let forged = forged("head.position + 1", "head.recorded_at", "mine.sha256('')")
        .replace("'b', 1", "'c', 1")
        .replace("into events", "into public.events")
        .replace("from events", "from public.events");
    assert_eq!(refusal(&mut superuser, &forged).await, "LG002");
    assert_eq!(database.log().await.verify(None, |_| {}).await.unwrap().events, 3);
}

/// The clock of the database was stepped back: the head's instant lies ahead of it. Appends go on, at the head's instant.
#[tokio::test]
async fn a_clock_behind_the_head_stops_nobody() {
    let database = with_two_events().await;
    let mut superuser = database.owner().await;
    // The check on the way in is what stands between a head in the future and us; the row itself is honest.
    let ahead = "head.recorded_at + interval '1 hour'";
    superuser.execute("alter table events disable trigger leasehold_3_verify").await.unwrap();
    superuser.execute(forged("head.position + 1", ahead, &hash("head.position + 1", ahead)).as_str()).await.unwrap();
    superuser.execute("alter table events enable always trigger leasehold_3_verify").await.unwrap();

    let log = database.log().await;
    let head = log.head().await.unwrap().unwrap();
    log.append(light(3, "a", 2)).await.unwrap();
    superuser.execute(raw_insert("c", 1).as_str()).await.unwrap();
    let after = log.read_after(Some(head.position), 10).await.unwrap();
    assert_eq!(after.iter().map(|event| event.recorded_at).collect::<Vec<_>>(), [head.recorded_at; 2]);
    assert_eq!(log.verify(None, |_| {}).await.unwrap().events, 5);
    let beyond = "head.recorded_at + interval '1 microsecond'";
    let next = "head.position + 1";
    let forgery = forged(next, beyond, &hash(next, beyond)).replace("'b', 1", "'d', 1");
    assert_eq!(refusal(&mut superuser, &forgery).await, "LG002");
}

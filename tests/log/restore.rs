//! Copies of a log, put back: exact, or refused; never stamped anew. And what a start makes of one.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use leasehold::log::{Append, AppendError, AppendOnly, CursorMove, Listener, RowWrite, Staged, prepare};
use serde_json::json;
use sqlx::Executor;
use sqlx::postgres::PgConnectOptions;
use tempfile::TempDir;
use uuid::Uuid;

use crate::bench::{command, lamp, light, raw_insert};
use crate::support::{TestDatabase, contents, fresh_database, pg_dump, pg_restore};

/// What a copy of the data alone leaves out.
const DATA: [&str; 3] = ["--data-only", "--exclude-table=public._sqlx_migrations", "--exclude-schema=projections"];
const WHOLE: &str = "--single-transaction";

/// A database that has lived: events with their commands, an item staged, a subscription, a note, a leader; and rows that
/// lie in the table in another order than their positions.
async fn lived_in() -> TestDatabase {
    let database = fresh_database().await;
    let (log, mut owner) = (database.log().await, database.owner().await);
    log.open_genesis(Uuid::from_u128(1), BTreeMap::new()).await.unwrap();
    owner.execute("begin").await.unwrap();
    for sequence in 1..=300 {
        owner.execute(raw_insert("given-up", sequence).as_str()).await.unwrap();
    }
    owner.execute("rollback").await.unwrap();
    for number in 1..=5 {
        log.append(light(number, &format!("lamp-{number}"), 0)).await.unwrap();
    }
    owner.execute("vacuum public.events").await.unwrap();
    for number in 6..=12 {
        log.append(Append { rows: vec![note(number)], ..light(number, "many", u64::try_from(number).unwrap() - 6) })
            .await
            .unwrap();
    }
    let due_at = "2027-03-01T12:00:00.123456Z".parse().unwrap();
    let (stream, kind, payload) = (lamp("many"), "dim".to_owned(), json!({"to": "9007199254740993"}));
    let staged = Staged { id: command(90), stream: stream.clone(), kind, due_at, payload };
    let (event_type, filter) = ("lamp_lit".to_owned(), json!({}));
    let listener = Listener { id: command(91), stream, event_type, scope: Some("quay".into()), filter, after_position: 3 };
    log.append(Append { stage: vec![staged], listen: vec![listener], ..light(13, "many", 7) }).await.unwrap();
    log.acquire("demo", Uuid::from_u128(7), Duration::from_millis(1)).await.unwrap().unwrap();
    let places: Vec<i64> = sqlx::query_scalar("select position from public.events").fetch_all(log.pool()).await.unwrap();
    assert!(!places.is_sorted(), "the rows lie in another order than their positions: {places:?}");
    database
}

fn note(number: u128) -> RowWrite {
    let (id, at) = (command(100 + number), "2027-03-01T12:00:00Z".parse().unwrap());
    RowWrite::Note { id, salt: vec![1, 2, 3], body: format!("note {number}"), by: "somebody".into(), at }
}

fn copy_of(database: &TestDatabase, options: &[&str]) -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("copy.dump");
    pg_dump(&database.owner_url, options, &file).unwrap();
    (directory, file)
}

async fn start_as_owner(database: &TestDatabase) {
    prepare(&PgConnectOptions::from_str(&database.owner_url).unwrap()).await.unwrap();
}

#[tokio::test]
async fn data_alone_by_copy_is_exact_and_was_checked() {
    let source = lived_in().await;
    let (_directory, file) = copy_of(&source, &DATA);
    let target = fresh_database().await;
    pg_restore(&target.owner_url, &["--data-only", WHOLE], &file).unwrap();
    assert_eq!(contents(&target.owner_url).await, contents(&source.owner_url).await);
    let (before, after) = (source.log().await, target.log().await);
    let head = before.head().await.unwrap();
    assert_eq!(after.verify(head.as_ref(), |_| ()).await.unwrap().head, head);
    assert_eq!(after.log_id().await.unwrap(), Some(Uuid::from_u128(1)));
    assert!(!after.open_genesis(Uuid::from_u128(2), BTreeMap::new()).await.unwrap(), "it is open already");
    let next = after.append(light(14, "many", 8)).await.unwrap();
    assert_eq!(next.first, head.unwrap().position + 1);
    after.verify(None, |_| ()).await.unwrap();
}

#[tokio::test]
async fn data_alone_that_was_changed_on_the_way_is_refused() {
    let source = lived_in().await;
    let mut owner = source.owner().await;
    owner
        .execute("alter table events disable trigger all; update events set event_type = 'lamp_dimmed' where position = 4")
        .await
        .unwrap();
    let (_directory, file) = copy_of(&source, &DATA);
    let target = fresh_database().await;
    let refused = pg_restore(&target.owner_url, &["--data-only", WHOLE], &file).unwrap_err();
    assert!(refused.contains("a hash or an instant is wrong"), "{refused}");
    assert!(contents(&target.owner_url).await.values().all(|(rows, _)| *rows == 0), "nothing half in");
}

#[tokio::test]
async fn a_log_that_was_opened_takes_no_other_in() {
    let source = lived_in().await;
    let (_directory, file) = copy_of(&source, &DATA);
    let target = fresh_database().await;
    let log = target.log().await;
    log.open_genesis(Uuid::from_u128(2), BTreeMap::new()).await.unwrap();
    let before = contents(&target.owner_url).await;
    let refused = pg_restore(&target.owner_url, &["--data-only", WHOLE], &file).unwrap_err();
    assert!(refused.contains("already exists"), "{refused}");
    assert_eq!(contents(&target.owner_url).await, before, "nothing half in");
    log.verify(None, |_| ()).await.unwrap();
}

#[tokio::test]
async fn inserts_out_of_order_are_refused_whole_and_in_order_are_exact() {
    let source = lived_in().await;
    let inserts: Vec<&str> = DATA.into_iter().chain(["--inserts", "--rows-per-insert=2"]).collect();
    let (_directory, file) = copy_of(&source, &inserts);
    let target = fresh_database().await;
    let refused = pg_restore(&target.owner_url, &["--data-only", WHOLE], &file).unwrap_err();
    assert!(refused.contains("the events are not consecutive"), "{refused}");
    assert!(contents(&target.owner_url).await.values().all(|(rows, _)| *rows == 0), "nothing half in");

    source.owner().await.execute("cluster public.events using events_position_once").await.unwrap();
    let (_directory, file) = copy_of(&source, &inserts);
    pg_restore(&target.owner_url, &["--data-only", WHOLE], &file).unwrap();
    assert_eq!(contents(&target.owner_url).await, contents(&source.owner_url).await);
    target.log().await.verify(None, |_| ()).await.unwrap();
}

#[tokio::test]
async fn triggers_that_a_restore_switched_off_are_on_again_after_a_start_for_every_session() {
    let source = lived_in().await;
    let (_directory, file) = copy_of(&source, &DATA);
    let target = fresh_database().await;
    pg_restore(&target.owner_url, &["--data-only", "--disable-triggers", WHOLE], &file).unwrap();
    assert_eq!(contents(&target.owner_url).await, contents(&source.owner_url).await);
    let log = target.log().await;
    assert!(log.append_only().await.is_err(), "they came back for plain sessions alone");
    start_as_owner(&target).await;
    assert_eq!(log.append_only().await.unwrap(), AppendOnly::ByPermission);
    log.verify(source.log().await.head().await.unwrap().as_ref(), |_| ()).await.unwrap();
    let replica = "set session_replication_role = replica; update events set event_type = 'x' where position = 1";
    assert!(target.owner().await.execute(replica).await.is_err());
}

#[tokio::test]
async fn the_terms_of_dead_leaders_run_out_and_their_cursors_are_fenced() {
    let source = lived_in().await;
    let (_directory, file) = copy_of(&source, &DATA);
    let target = fresh_database().await;
    pg_restore(&target.owner_url, &["--data-only", WHOLE], &file).unwrap();
    let log = target.log().await;
    let before = log.cursor("demo").await.unwrap().unwrap();
    let epoch = loop {
        if let Some(epoch) = log.acquire("demo", Uuid::from_u128(8), Duration::from_secs(60)).await.unwrap() {
            break epoch;
        }
        tokio::task::yield_now().await;
    };
    assert_eq!(epoch, before.epoch + 1);
    let stale = CursorMove { consumer: "demo".into(), epoch: before.epoch, from: before.position, to: 1 };
    let moved = log.move_cursor(&stale).await;
    assert!(matches!(moved, Err(AppendError::CursorMoved { .. })), "whoever led before the copy moves nothing: {moved:?}");
}

//! What a superuser does by force, with the guards off, is found at its position.

use leasehold::log::{Break, Head, Log, VerifyError};
use sqlx::{Connection, Executor};

use crate::bench::light;
use crate::support::{TestDatabase, fresh_database};

async fn with_events(count: u64) -> (TestDatabase, Log) {
    let database = fresh_database().await;
    let log = database.log().await;
    for number in 0..count {
        log.append(light(u128::from(number) + 1, "a", number)).await.unwrap();
    }
    (database, log)
}

/// Does to the rows what no session can do while the guards are on.
async fn force(database: &TestDatabase, change: &str) {
    let mut superuser = database.owner().await;
    superuser.execute("alter table events disable trigger all").await.unwrap();
    superuser.execute(change).await.unwrap();
    superuser.execute("alter table events enable always trigger leasehold_4_refuse").await.unwrap();
    superuser.close().await.unwrap();
}

async fn broken(log: &Log, expected: Option<&Head>) -> (u64, Break) {
    match log.verify(expected, |_| {}).await {
        Err(VerifyError::Broken { position, why }) => (position, why),
        other => panic!("the fault was not found: {other:?}"),
    }
}

#[tokio::test]
async fn a_byte_changed_in_any_column_is_found_at_its_position() {
    let changes = [
        "payload = replace(payload::text, '3', '4')::json",
        "payload = (payload::text || ' ')::json",
        "metadata = '{}'",
        "event_type = 'lamp_lif'",
        "event_version = '2'",
        "aggregate_id = 'b'",
        "aggregate_type = 'lamq'",
        "sequence = 9",
        "recorded_at = recorded_at + interval '1 microsecond'",
        "hash = set_byte(hash, 31, get_byte(hash, 31) # 1)",
    ];
    for change in changes {
        let (database, log) = with_events(5).await;
        force(&database, &format!("update events set {change} where position = 2")).await;
        assert_eq!(broken(&log, None).await, (2, Break::Hash), "{change}");
    }
}

#[tokio::test]
async fn a_removed_event_is_found_where_it_lay() {
    let (database, log) = with_events(5).await;
    force(&database, "delete from events where position = 2").await;
    assert_eq!(broken(&log, None).await, (2, Break::Missing));
    let (database, log) = with_events(3).await;
    force(&database, "delete from events where position = 0").await;
    assert_eq!(broken(&log, None).await, (0, Break::Missing));
}

#[tokio::test]
async fn two_swapped_events_are_found_at_the_first() {
    let (database, log) = with_events(5).await;
    force(
        &database,
        "update events set position = 100 where position = 1; update events set position = 1 where position = 3;
         update events set position = 3 where position = 100",
    )
    .await;
    assert_eq!(broken(&log, None).await, (1, Break::Hash));
}

#[tokio::test]
async fn a_removed_tail_shows_against_a_head_kept_elsewhere() {
    let (database, log) = with_events(5).await;
    let kept = log.head().await.unwrap().unwrap();
    assert_eq!(log.verify(Some(&kept), |_| {}).await.unwrap().events, 5);
    force(&database, "delete from events where position >= 3").await;
    assert_eq!(log.verify(None, |_| {}).await.unwrap().events, 3, "the chain itself cannot show it");
    assert_eq!(broken(&log, Some(&kept)).await, (3, Break::Missing));
}

#[tokio::test]
async fn a_log_rewritten_from_a_point_on_is_another_log() {
    let (_database, log) = with_events(4).await;
    let kept = log.head().await.unwrap().unwrap();
    let (_other_database, other) = with_events(6).await;
    assert_eq!(broken(&other, Some(&kept)).await, (3, Break::OtherHead));
}

#[tokio::test]
async fn a_long_log_is_checked_page_by_page() {
    let (database, log) = with_events(1).await;
    let mut owner = database.owner().await;
    owner
        .execute(
            "insert into events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata)
             select 'lamp', 'b', n, 'lamp_lit', '1', '{}', '{}' from generate_series(1, 4500) n",
        )
        .await
        .unwrap();
    let mut told = Vec::new();
    let verified = log.verify(None, |checked| told.push(checked)).await.unwrap();
    assert_eq!((verified.events, told), (4501, vec![2000, 4000, 4501]));
}

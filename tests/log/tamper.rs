//! What a superuser does by force, with the guards off, is found at its position.

use leasehold::log::{Anchor, Break, Head, Log, VerifyError};
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
async fn what_no_event_can_have_is_found_too() {
    let changes = [
        "alter table events alter payload drop not null; update events set payload = null where position = 2",
        "alter table events alter hash drop not null; update events set hash = null where position = 2",
        "update events set recorded_at = 'infinity' where position = 2",
        "update events set recorded_at = '-infinity' where position = 2",
    ];
    for change in changes {
        let (database, log) = with_events(5).await;
        force(&database, change).await;
        assert_eq!(broken(&log, None).await, (2, Break::Unreadable), "{change}");
    }
}

#[tokio::test]
async fn an_inserted_event_is_found_where_it_was_put_in() {
    let (database, log) = with_events(5).await;
    let forged = "insert into events select aggregate_type, 'forged', 1, event_type, event_version, payload, metadata,
                                            POSITION, recorded_at, hash from events where position = 2";
    // In between, with everything behind it moved on by one.
    let moved = "update events set position = -position where position >= 3; update events set position = 1 - position where position < 0;";
    force(
        &database,
        &format!("alter table events drop constraint events_position_counts; {moved}{}", forged.replace("POSITION", "3")),
    )
    .await;
    assert_eq!(broken(&log, None).await, (3, Break::Hash));
    // In front of the first, and a second time at the same position.
    let (database, log) = with_events(5).await;
    force(&database, &format!("alter table events drop constraint events_position_counts; {}", forged.replace("POSITION", "-7")))
        .await;
    assert_eq!(broken(&log, None).await, (0, Break::Surplus));
    let (database, log) = with_events(5).await;
    force(&database, &format!("alter table events drop constraint events_position_once; {}", forged.replace("POSITION", "2")))
        .await;
    let (position, why) = broken(&log, None).await;
    assert!(position == 2 && matches!(why, Break::Hash | Break::Surplus), "{position}: {why}");
}

#[tokio::test]
async fn a_trigger_dropped_and_put_back_leaves_what_was_done_in_between() {
    let (database, log) = with_events(5).await;
    let mut superuser = database.owner().await;
    superuser
        .execute(
            "drop trigger leasehold_4_refuse on events;
             update events set payload = '{\"type\": \"lamp_lit\", \"number\": \"9\"}' where position = 3;
             create trigger leasehold_4_refuse before update or delete or truncate on events
                 for each statement execute function leasehold_refuse();
             alter table events enable always trigger leasehold_4_refuse",
        )
        .await
        .unwrap();
    assert!(log.append_only().await.is_ok(), "the guards look as they did");
    assert_eq!(broken(&log, None).await, (3, Break::Hash));
}

/// A generator whose numbers are the same in every run (splitmix64).
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % bound as u64).unwrap()
    }
}

/// Fifty times one byte of a stored value, anywhere in the table, is another than it was; each time it is put back.
#[tokio::test]
async fn a_byte_flipped_anywhere_in_the_table_is_found_at_its_position() {
    const TEXTS: [&str; 6] = ["aggregate_type", "aggregate_id", "event_type", "event_version", "payload", "metadata"];
    let (database, log) = with_events(40).await;
    let mut superuser = database.owner().await;
    superuser.execute("alter table events disable trigger all").await.unwrap();
    let mut dice = Chance(20_270_328);
    for _ in 0..50 {
        let position = dice.below(40);
        let column = ["sequence", "recorded_at", "hash"].into_iter().chain(TEXTS).nth(dice.below(9)).unwrap();
        let bit = dice.below(1 << 20);
        let flip = match column {
            "sequence" => format!("sequence # (1::bigint << {})", 6 + bit % 50),
            "recorded_at" => format!("recorded_at + {} * interval '1 microsecond'", 1 + bit),
            "hash" => format!("set_byte(hash, {0}, get_byte(hash, {0}) # {1})", bit % 32, 1 << (bit % 8)),
            text => {
                // One character for another: a letter or a digit, so that JSON stays JSON.
                let stored: String = sqlx::query_scalar(&format!("select {text}::text from events where position = $1"))
                    .bind(i64::try_from(position).unwrap())
                    .fetch_one(&mut superuser)
                    .await
                    .unwrap();
                let plain: Vec<usize> = stored
                    .bytes()
                    .enumerate()
                    .filter(|(_, byte)| byte.is_ascii_lowercase() || byte.is_ascii_digit())
                    .map(|(at, _)| at)
                    .collect();
                let at = plain[dice.below(plain.len())];
                let mut bytes = stored.into_bytes();
                bytes[at] = if bytes[at] == b'1' {
                    b'7'
                } else if bytes[at].is_ascii_digit() {
                    b'1'
                } else if bytes[at] == b'q' {
                    b'z'
                } else {
                    b'q'
                };
                let kind = if ["payload", "metadata"].contains(&text) { "json" } else { "text" };
                format!("'{}'::{kind}", String::from_utf8(bytes).unwrap())
            }
        };
        let kept = format!("create temp table kept as select * from events where position = {position}");
        superuser.execute(kept.as_str()).await.unwrap();
        let change = format!("update events set {column} = {flip} where position = {position}");
        assert_eq!(superuser.execute(change.as_str()).await.unwrap().rows_affected(), 1, "{change}");
        let (found, why) = broken(&log, None).await;
        assert_eq!(found, position as u64, "{change}: {why}");
        let back =
            format!("delete from events where position = {position}; insert into events select * from kept; drop table kept");
        superuser.execute(back.as_str()).await.unwrap();
        assert_eq!(log.verify(None, |_| {}).await.unwrap().events, 40);
    }
}

#[tokio::test]
async fn from_a_kept_place_on_the_log_is_followed_without_what_lies_before() {
    let (database, log) = with_events(5).await;
    let kept = Anchor::from(&log.head().await.unwrap().unwrap());
    assert_eq!(log.verify_from(&kept, |_| {}).await.unwrap().events, 5);
    log.append(light(6, "a", 5)).await.unwrap();
    assert_eq!(log.verify_from(&kept, |_| {}).await.unwrap().events, 6);
    let from = async |kept: &Anchor| match log.verify_from(kept, |_| {}).await {
        Err(VerifyError::Broken { position, why }) => (position, why),
        other => panic!("the fault was not found: {other:?}"),
    };
    assert_eq!(from(&Anchor { hash: [7; 32], ..kept }).await, (4, Break::OtherHead));
    assert_eq!(from(&Anchor { position: 9, ..kept }).await, (9, Break::Missing));
    force(&database, "update events set metadata = '{\"a\": \"b\"}' where position = 5").await;
    assert_eq!(from(&kept).await, (5, Break::Hash));
    force(&database, "delete from events where position = 4").await;
    assert_eq!(from(&kept).await, (4, Break::Missing));
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

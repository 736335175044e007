//! What goes in comes out: long texts, large numbers, instants to the microsecond, and raw events that nobody can read.

use leasehold::log::{LogError, StreamWrite};
use serde_json::{Value, json};
use sqlx::Executor;

use crate::bench::{command, lamp, light, lit};
use crate::support::fresh_database;

#[tokio::test]
async fn texts_around_and_far_beyond_the_limit_of_a_notification_are_recorded_whole() {
    let database = fresh_database().await;
    let (log, reader) = (database.log().await, database.log().await);
    let mut nudges = reader.subscribe();
    for (sequence, bytes) in [7_900, 8_000, 9_000, 200_000].into_iter().enumerate() {
        let text = "é".repeat(bytes / 2);
        let mut append = light(bytes as u128, "a", sequence as u64);
        append.writes[0].events[0].payload = json!({"text": text});
        let appended = log.append(append).await.unwrap();
        nudges.wait_for(|reached| reached.is_some_and(|reached| reached >= appended.last)).await.unwrap();
        let read = reader.read_after(appended.first.checked_sub(1), 10).await.unwrap();
        assert_eq!(read.len(), 1);
        assert_eq!(read[0].payload, json!({"text": text}));
    }
    assert_eq!(log.verify(None, |_| {}).await.unwrap().events, 4);
}

#[tokio::test]
async fn numbers_come_back_digit_for_digit() {
    let database = fresh_database().await;
    let log = database.log().await;
    let numbers = json!({
        "member": "76561198000000003", "score": "12345.6789",
        "integer": 9_007_199_254_740_993_u64, "smallest": i64::MIN, "largest": u64::MAX, "tenth": 0.1, "near": 1.000_000_1,
    });
    let mut append = light(1, "a", 0);
    append.writes[0].events[0].payload = numbers.clone();
    log.append(append).await.unwrap();
    assert_eq!(log.load(&lamp("a")).await.unwrap()[0].payload, numbers);
    // Byte for byte, too: the text in the row is the text that was hashed.
    let text: String = sqlx::query_scalar("select payload::text from events").fetch_one(log.pool()).await.unwrap();
    assert_eq!(text, numbers.to_string());
}

#[tokio::test]
async fn paging_through_events_of_one_instant_repeats_and_skips_none() {
    let database = fresh_database().await;
    let log = database.log().await;
    let events: Vec<_> = (0..300).map(|n| lit(json!({"n": n}))).collect();
    let mut append = leasehold::log::Append::of(command(1));
    append.writes.push(StreamWrite { stream: lamp("a"), expected: 0, events });
    log.append(append).await.unwrap();
    let mut seen = Vec::new();
    let mut after = None;
    loop {
        let page = log.read_after(after, 50).await.unwrap();
        let Some(last) = page.last() else { break };
        after = Some(last.position);
        seen.extend(page.into_iter().map(|event| event.payload["n"].clone()));
    }
    assert_eq!(seen, (0..300).map(Value::from).collect::<Vec<_>>());

    let instant = log.head().await.unwrap().unwrap().recorded_at;
    let later: i64 = sqlx::query_scalar("select count(*) from events where recorded_at > $1")
        .bind(instant)
        .fetch_one(log.pool())
        .await
        .unwrap();
    assert_eq!(later, 0, "an instant read and sent back compares equal");
}

#[tokio::test]
async fn an_event_that_cannot_be_read_stops_its_reader_and_names_itself() {
    for (payload, metadata) in [(r#"{"text": "\ud800"}"#, "{}"), (r#"{"n": 1e999}"#, "{}"), ("{}", r#"{"at": 1}"#), ("{}", "[]")]
    {
        let database = fresh_database().await;
        let log = database.log().await;
        log.append(light(1, "a", 0)).await.unwrap();
        let raw = format!(
            "insert into events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata)
             values ('lamp', 'b', 1, 'lamp_lit', '1', '{payload}', '{metadata}')"
        );
        database.owner().await.execute(raw.as_str()).await.unwrap();
        for read in [log.read_after(Some(0), 10).await, log.load(&lamp("b")).await] {
            let refused = read.unwrap_err();
            assert!(matches!(refused, LogError::Undecodable { position: 1, .. }), "{payload} {metadata}: {refused}");
        }
        assert_eq!(log.read_after(None, 1).await.unwrap().len(), 1, "what lies before it is read");
        assert_eq!(log.load(&lamp("a")).await.unwrap().len(), 1);
        assert_eq!(log.verify(None, |_| {}).await.unwrap().events, 2, "it is recorded all the same");
    }
}

//! `Append`: all of it or nothing, each command once.

use leasehold::log::{Append, AppendError, Appended, StreamWrite};
use serde_json::json;

use crate::bench::{command, lamp, light, lit};
use crate::support::fresh_database;

#[tokio::test]
async fn events_lie_one_behind_the_other_and_read_back_as_written() {
    let database = fresh_database().await;
    let log = database.log().await;
    let payload = json!({"type": "lamp_lit", "text": "Größe \"λ\" \\ \u{1F3EE}", "n": [1, -2, 0.5, null, true], "max": u64::MAX});
    let mut append = Append::of(command(1));
    append.writes = vec![
        StreamWrite { stream: lamp("a"), expected: 0, events: vec![lit(payload.clone()), lit(json!({}))] },
        StreamWrite { stream: lamp("b"), expected: 0, events: vec![lit(json!({}))] },
    ];
    append.metadata.insert("actor".into(), "runner".into());
    assert_eq!(log.append(append).await.unwrap(), Appended { first: 0, last: 2 });
    assert_eq!(log.append(light(2, "a", 2)).await.unwrap(), Appended { first: 3, last: 3 });

    let a = log.load(&lamp("a")).await.unwrap();
    assert_eq!(a.iter().map(|event| (event.position, event.sequence)).collect::<Vec<_>>(), [(0, 1), (1, 2), (3, 3)]);
    assert_eq!(a[0].payload, payload);
    assert_eq!(a[0].metadata["actor"], "runner");
    assert_eq!(a[0].metadata["command_id"], command(1).to_string());
    assert_eq!(log.load_until(&lamp("a"), 1).await.unwrap().len(), 2);
    let verified = log.verify(None, |_| {}).await.unwrap();
    assert_eq!(verified.events, 4);
    assert_eq!(verified.head, log.head().await.unwrap());
}

#[tokio::test]
async fn a_stream_that_moved_on_refuses_the_whole() {
    let database = fresh_database().await;
    let log = database.log().await;
    log.append(light(1, "a", 0)).await.unwrap();
    let mut append = light(2, "b", 0);
    append.writes.push(light(2, "a", 0).writes.remove(0));
    let refused = log.append(append).await.unwrap_err();
    assert!(matches!(&refused, AppendError::Conflict { stream, expected: 0, actual: 1 } if *stream == lamp("a")), "{refused}");
    assert_eq!(log.load(&lamp("b")).await.unwrap(), []);
    assert_eq!(log.command(command(2)).await.unwrap(), None);
}

#[tokio::test]
async fn a_stream_that_was_only_read_refuses_when_it_moved() {
    let database = fresh_database().await;
    let log = database.log().await;
    log.append(light(1, "a", 0)).await.unwrap();
    let rests_on = |number, sequence| Append { requires: vec![(lamp("a"), sequence)], ..light(number, "b", 0) };
    let refused = log.append(rests_on(2, 0)).await.unwrap_err();
    assert!(matches!(refused, AppendError::Moved { expected: 0, actual: 1, .. }), "{refused}");
    assert_eq!(log.append(rests_on(3, 1)).await.unwrap().first, 1);
    let never = Append { requires: vec![(lamp("c"), 1)], ..light(4, "d", 0) };
    assert!(matches!(log.append(never).await, Err(AppendError::Moved { expected: 1, actual: 0, .. })));
}

#[tokio::test]
async fn a_repeated_command_is_answered_with_the_positions_it_made() {
    let database = fresh_database().await;
    let log = database.log().await;
    log.append(light(1, "a", 0)).await.unwrap();
    let made = log.append(light(2, "a", 1)).await.unwrap();
    log.append(light(3, "b", 0)).await.unwrap();
    // The repeat is recognised before its expectation, which no longer holds, is looked at.
    let repeated = log.append(light(2, "a", 1)).await.unwrap_err();
    assert!(matches!(repeated, AppendError::AlreadyDone(then) if then == made), "{repeated}");
    assert_eq!(log.command(command(2)).await.unwrap(), Some(made));
    assert_eq!(log.load(&lamp("a")).await.unwrap().len(), 2);
}

#[tokio::test]
async fn of_many_who_decide_on_the_same_sequence_one_is_admitted() {
    let database = fresh_database().await;
    let log = database.log().await;
    let racers = (1..=16).map(|number| {
        let log = log.clone();
        tokio::spawn(async move { log.append(light(number, "a", 0)).await })
    });
    let outcomes = futures::future::join_all(racers).await;
    let admitted = outcomes.iter().filter(|outcome| outcome.as_ref().unwrap().is_ok()).count();
    let conflicts =
        outcomes.iter().filter(|outcome| matches!(outcome.as_ref().unwrap(), Err(AppendError::Conflict { .. }))).count();
    assert_eq!((admitted, conflicts), (1, 15));
    assert_eq!(log.load(&lamp("a")).await.unwrap().len(), 1);
}

#[tokio::test]
async fn an_append_without_events_answers_with_the_head_and_needs_an_open_log() {
    let database = fresh_database().await;
    let log = database.log().await;
    assert!(matches!(log.append(Append::of(command(1))).await, Err(AppendError::NotOpen)));
    log.append(light(2, "a", 0)).await.unwrap();
    log.append(light(3, "a", 1)).await.unwrap();
    assert_eq!(log.append(Append::of(command(4))).await.unwrap(), Appended { first: 1, last: 1 });
    assert!(matches!(log.append(Append::of(command(4))).await, Err(AppendError::AlreadyDone(_))));
}

#[tokio::test]
async fn what_could_not_be_stored_faithfully_is_refused_before_the_database_is_asked() {
    let database = fresh_database().await;
    let log = database.log().await;
    let mut twice = light(1, "a", 0);
    twice.writes.push(twice.writes[0].clone());
    let named = |kind: &str, id: &str| {
        let mut append = light(2, "a", 0);
        append.writes[0].stream = leasehold::log::StreamId::new(kind, id);
        append
    };
    let holding = |payload| {
        let mut append = light(3, "a", 0);
        append.writes[0].events[0].payload = payload;
        append
    };
    let mut metadata = light(4, "a", 0);
    metadata.metadata.insert("at".into(), "a\0b".into());
    let faulty = [
        Append { command_id: uuid::Uuid::nil(), ..light(5, "a", 0) },
        twice,
        named("", "a"),
        named("lamp", ""),
        named("la/mp", "a"),
        named("lamp", "a\nb"),
        named("lamp", &"a".repeat(513)),
        holding(json!({"deep": [{"text": "a\0b"}]})),
        holding(json!({"na\0me": 1})),
        metadata,
    ];
    for append in faulty {
        let shown = format!("{append:?}");
        let refused = log.append(append).await.unwrap_err();
        assert!(matches!(refused, AppendError::Malformed { .. }), "{shown}: {refused:?}");
    }
    assert_eq!(log.head().await.unwrap(), None);
}

#[tokio::test]
async fn two_engines_open_a_log_once() {
    let database = fresh_database().await;
    let (one, other) = (database.log().await, database.log().await);
    let (first, second) = (uuid::Uuid::from_u128(1), uuid::Uuid::from_u128(2));
    let metadata = std::collections::BTreeMap::new;
    let (a, b) = tokio::join!(one.open_genesis(first, metadata()), other.open_genesis(second, metadata()));
    assert_eq!([a.unwrap(), b.unwrap()].iter().filter(|opened| **opened).count(), 1);
    let opening = one.read_after(None, 10).await.unwrap();
    assert_eq!(opening.len(), 1);
    assert_eq!((opening[0].position, opening[0].stream.to_string(), opening[0].sequence), (0, "log/genesis".into(), 1));
    assert_eq!(opening[0].event_type, "log_opened");
    assert!(one.log_id().await.unwrap().is_some_and(|id| id == first || id == second));
    assert!(!one.open_genesis(first, metadata()).await.unwrap());
}

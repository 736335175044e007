use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::call::Answer;
use super::door::{Door, Doors};

const LONG: Duration = Duration::from_secs(30);

/// Asks at a door, as a module does.
fn asked(door: &Arc<Door>, path: &str) -> tokio::task::JoinHandle<Answer> {
    let (door, path) = (Arc::clone(door), path.to_owned());
    tokio::spawn(async move { door.ask("GET".into(), path, json!({}), Value::Null, &CancellationToken::new()).await })
}

fn yes(word: &str) -> Answer {
    Answer { status: StatusCode::OK, body: json!(word) }
}

#[tokio::test]
async fn a_request_is_given_until_it_is_taken_and_answered_once() {
    let door = Door::of("token");
    let session = door.enter();
    let waiting = asked(&door, "/health?scope=main");
    let given = session.poll(0, LONG).await.unwrap();
    assert_eq!((&given[0]["n"], &given[0]["path"], &given[0]["body"]), (&json!(1), &json!("/health?scope=main"), &Value::Null));
    // The link did not hear of it: the same again. Once taken it is not given again.
    assert_eq!(session.poll(0, LONG).await.unwrap()[0]["n"], 1);
    assert!(session.poll(1, Duration::ZERO).await.unwrap().is_empty());
    session.answered(7, yes("to nothing"));
    session.answered(1, yes("first"));
    session.answered(1, yes("second"));
    assert_eq!(waiting.await.unwrap(), yes("first"));
}

#[tokio::test]
async fn what_was_given_is_unknown_and_what_was_not_was_never_sent() {
    let door = Door::of("token");
    assert_eq!(asked(&door, "/a").await.unwrap().body["error"], "not_sent", "nobody is there");
    let session = door.enter();
    let given = asked(&door, "/a");
    assert_eq!(session.poll(0, LONG).await.unwrap().len(), 1);
    let kept = asked(&door, "/b");
    while session.calls.capacity() == session.calls.max_capacity() {
        tokio::task::yield_now().await;
    }
    let newer = door.enter();
    assert!(session.poll(1, LONG).await.is_none(), "another link has its place");
    let (given, kept) = (given.await.unwrap(), kept.await.unwrap());
    assert_eq!((given.status, &given.body["error"]), (StatusCode::GATEWAY_TIMEOUT, &json!("no_answer")));
    assert_eq!((kept.status, &kept.body["error"]), (StatusCode::SERVICE_UNAVAILABLE, &json!("not_sent")));
    assert!(newer.poll(0, Duration::ZERO).await.unwrap().is_empty(), "and is not asked for what was meant for the other");
}

#[tokio::test]
async fn who_does_not_wait_any_more_is_not_served() {
    let door = Door::of("token");
    let session = door.enter();
    let gone = asked(&door, "/a");
    while session.calls.capacity() == session.calls.max_capacity() {
        tokio::task::yield_now().await;
    }
    gone.abort();
    assert!(gone.await.unwrap_err().is_cancelled());
    assert!(session.poll(0, Duration::ZERO).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_link_that_answers_nothing_leaves_nothing_behind() {
    let door = Door::of("token");
    let session = door.enter();
    let awaited = asked(&door, "/kept");
    assert_eq!(session.poll(0, LONG).await.unwrap().len(), 1);
    for number in 2..1_000 {
        let gone = asked(&door, "/a");
        assert_eq!(session.poll(number - 1, LONG).await.unwrap()[0]["n"], number);
        gone.abort();
        drop(gone.await);
    }
    assert!(session.unanswered() <= 257, "{} are kept", session.unanswered());
    session.answered(1, yes("late"));
    assert_eq!(awaited.await.unwrap(), yes("late"), "what somebody waits for is kept");
}

#[test]
fn each_token_opens_its_own_door() {
    let doors = Doors::new(vec![Door::of("one"), Door::of("two")]);
    assert!(doors.of("one").is_some_and(|door| door.admits("one") && !door.admits("two")));
    assert!(doors.of("").is_none() && doors.of("three").is_none());
}

//! An event that a projection cannot use stops that projection in front of it, and no other.

use std::sync::Arc;
use std::time::Duration;

use leasehold::engine::projector::{CatchUpFault, NotReached, Pace, Projectors, catch_up};
use leasehold_projections::Projection;
use leasehold_projections::ledger::Ledger;
use leasehold_projections::runs::{self, Runs};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use crate::bench::{World, at, content, phase, published, scheduled, step};
use crate::history::History;

async fn stops_at(history: &History, projection: impl Projection + 'static, position: u64) -> String {
    let projection: Arc<dyn Projection> = Arc::new(projection);
    match refused(history, &projection).await {
        CatchUpFault::Stopped { position: at, source, consumer } => {
            assert_eq!(at, position);
            let cursor = history.log.cursor(&consumer).await.unwrap().unwrap();
            assert_eq!(cursor.position, position - 1, "everything in front of it is applied");
            leasehold::engine::fault::told(source.as_ref())
        }
        other => panic!("{other}"),
    }
}

/// Why it does not catch up, as soon as nobody leads any more: whoever stopped tells so before it has given up its lead.
async fn refused(history: &History, projection: &Arc<dyn Projection>) -> CatchUpFault {
    loop {
        match catch_up(&history.log, projection).await.unwrap_err() {
            CatchUpFault::Led { .. } => tokio::task::yield_now().await,
            other => return other,
        }
    }
}

fn ledger() -> Arc<dyn Projection> {
    Arc::new(Ledger)
}

#[tokio::test]
async fn an_unknown_type_stops_one_projection_while_the_others_go_on() {
    let mut history = History::new().await;
    history.append_all(&World::new(41).commands(60)).await;
    let poison = history.raw(("run", "r0"), "run_sung", "1", r#"{"type": "run_sung"}"#, "{}").await;
    history.append(&published("later", "Later")).await;
    let why = stops_at(&history, Runs, poison).await;
    assert!(why.contains("run_sung") && why.contains("unknown"), "{why}");
    assert_eq!(catch_up(&history.log, &ledger()).await.unwrap(), history.head);
    let again = stops_at(&history, Runs, poison).await;
    assert_eq!(again, why, "it stays there until a program comes that knows the event");
}

#[tokio::test]
async fn a_stopped_projector_says_where_and_why_and_waiting_for_it_ends_at_once() {
    let mut history = History::new().await;
    history.append_all(&World::new(42).commands(30)).await;
    let before = history.head;
    let poison = history.raw(("run", "r0"), "step_claimed", "2", r#"{"type": "step_claimed"}"#, "{}").await;
    let (tasks, stop) = (TaskTracker::new(), CancellationToken::new());
    let all = leasehold_projections::all();
    let projectors = Projectors::start(&history.log, all, Uuid::from_u128(1), &tasks, &stop, Pace::default()).await.unwrap();
    let patience = Duration::from_secs(60);
    projectors.wait_for("runs", before, patience).await.unwrap();
    let stopped = projectors.wait_for("runs", poison, patience).await.unwrap_err();
    assert!(matches!(stopped, NotReached::Stopped { at, .. } if at == poison), "{stopped}");
    projectors.wait_for("ledger", poison, patience).await.unwrap();
    projectors.wait_for("definitions", poison, patience).await.unwrap();
    let status = projectors.statuses().into_iter().find(|status| status.name == "runs").unwrap();
    assert_eq!((status.position, status.stopped_at, status.leads), (poison - 1, Some(poison), false));
    assert!(status.why.unwrap().contains("newer"));
    stops_at(&history, Runs, poison).await;
    stop.cancel();
    tasks.close();
    tasks.wait().await;
}

#[tokio::test]
async fn a_value_that_the_database_refuses_is_found_among_the_others() {
    let mut history = History::new().await;
    history.append(&published("d1", "Fine")).await;
    let mut body = serde_json::json!({"type": "definition_published", "version": 2, "content": content("Not fine")});
    body["content"]["title"] = "a\u{0}b".into();
    let poison = history.raw(("definition", "d1"), "definition_published", "1", &body.to_string(), "{}").await;
    history.append(&published("d2", "Fine too")).await;
    let definitions = leasehold_projections::definitions::Definitions;
    stops_at(&history, definitions, poison).await;
}

#[tokio::test]
async fn a_stream_that_does_not_begin_as_it_should_stops_there() {
    let mut history = History::new().await;
    let completed = r#"{"type": "run_completed", "at": "2027-01-15T08:00:00Z"}"#;
    let poison = history.raw(("run", "never-scheduled"), "run_completed", "1", completed, "{}").await;
    let why = stops_at(&history, Runs, poison).await;
    assert!(why.contains("does not begin with run_scheduled"), "{why}");
}

#[tokio::test]
async fn what_a_raw_writer_spoiled_elsewhere_holds_nothing_up() {
    let mut history = History::new().await;
    for metadata in ["null", "[1]", r#"{"n": 1}"#] {
        history.raw(("lamp", "l1"), "lamp_lit", "1", "{}", metadata).await;
    }
    let run = Box::new(scheduled("r1", "d1", at(0), vec![phase("one", vec![step("a")], None)]));
    let event = leasehold_aggregates::run::RunEvent::RunScheduled { at: at(0), run };
    history.append(&[crate::bench::Fact::of("run", "r1", &event)]).await;
    history.catch_up().await;
    assert!(runs::find(history.log.pool(), "r1").await.unwrap().is_some());
    let poison = history.raw(("run", "r1"), "run_completed", "1", "{}", "null").await;
    stops_at(&history, Runs, poison).await;
    assert_eq!(catch_up(&history.log, &ledger()).await.unwrap(), poison, "it is the runs' event alone");
}

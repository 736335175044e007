//! An event that this version does not know is refused at every door, and passed over at none.

use leasehold::engine::stories::Until;
use leasehold_aggregates::account::Role;
use serde_json::json;

use crate::bench::{Bench, events, quiet};
use crate::runs::until;
use crate::user::leasehold;

async fn waiting(bench: &Bench) -> String {
    let definition = bench.publish(&quiet("quiet")).await;
    let run = bench.admin("POST", &format!("/{definition}/runs")).send().await.is(201)["id"].as_str().unwrap().to_owned();
    until(bench, &run, |run| run["waitingSteps"] == 1).await;
    run
}

#[tokio::test]
async fn a_stream_that_holds_one_takes_no_command_and_tells_nothing_made_up() {
    let unknown = ("run_sung", "1", r#"{"type": "run_sung"}"#);
    let newer = ("run_completed", "2", r#"{"type": "run_completed", "at": "2027-01-15T08:00:00Z"}"#);
    let misnamed = ("run_completed", "1", r#"{"type": "run_failed", "at": "2027-01-15T08:00:00Z", "step": "cue"}"#);
    let short = ("phase_entered", "1", r#"{"type": "phase_entered", "at": "2027-01-15T08:00:00Z", "phase": "ask"}"#);
    for (event_type, version, payload) in [unknown, newer, misnamed, short] {
        let bench = Bench::new().await;
        let run = waiting(&bench).await;
        let before = bench.head().await;
        let position = bench.raw_event("run", &run, event_type, version, payload).await;
        let moderator = bench.person(Role::Moderator);
        let post = |verb: &str| bench.call("POST", &events(&format!("/runs/{run}/{verb}"))).by(moderator).json(&json!({})).send();
        post("steps/cue/confirm").await.problem(503, "log_unreadable");
        post("cancel").await.problem(503, "log_unreadable");
        bench.admin("GET", &format!("/runs/{run}")).send().await.problem(503, "log_unreadable");
        bench.admin("GET", &format!("/runs/{run}/log")).send().await.problem(503, "log_unreadable");
        let replay = leasehold(&bench, &["replay", &run]).await;
        assert!(!replay.status.success(), "{event_type}: a replay that leaves something out");
        let told = String::from_utf8(replay.stderr).unwrap();
        assert!(told.contains(&position.to_string()), "{event_type}: {told}");
        let part = bench.engine.stories().await.unwrap().story(&run, Until::Position(before)).await.unwrap();
        assert_eq!(part.run.position, before, "up to there it is told as ever");
        assert_eq!(bench.head().await, position, "nothing was written behind it");
    }
}

#[tokio::test]
async fn a_consumer_stays_in_front_of_it_and_goes_on_when_it_is_known() {
    let bench = Bench::new().await;
    let definition = bench.publish(&quiet("quiet")).await;
    let position = bench.raw_event("definition", &definition, "definition_sung", "1", r#"{"type": "definition_sung"}"#).await;
    bench.add(Role::Player).await;
    let head = bench.head().await;
    let cursor = async |name: &str| bench.engine.log.cursor(name).await.unwrap().map_or(0, |cursor| cursor.position);
    let settled = async {
        while cursor("runner").await < head || cursor("scheduler").await < position - 1 {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(30), settled).await.expect("the runner goes on");
    assert_eq!(cursor("scheduler").await, position - 1, "everything in front of it is dealt with, and nothing behind it");
}

//! Runs that wait for one concurrency key: told once by whom they are held up, and woken in the order in which they were due.

use serde_json::{Value, json};

use crate::altered::{advance_to, bench, fridays, run_is, run_of_slot, verified};
use crate::bench::{Bench, quiet};
use crate::runs::until;

fn of_hall(mut definition: Value, schedule: Option<&str>) -> Value {
    definition["concurrencyKey"] = json!("the hall");
    definition["graceSeconds"] = json!(3_600);
    if let Some(at) = schedule {
        definition["spec"]["schedule"] = json!({"kind": "once", "at": at});
    }
    definition
}

/// How often the run's log says that it is held up by that run.
async fn held_up_by(bench: &Bench, run: &str, holder: &str) -> usize {
    let log = bench.admin("GET", &format!("/runs/{run}/log?limit=1000")).send().await.is(200);
    let says = |line: &&Value| line["text"].as_str().unwrap().contains(&format!("held up by run {holder}"));
    log["items"].as_array().unwrap().iter().filter(says).count()
}

async fn confirm(bench: &Bench, run: &str) {
    until(bench, run, |run| run["waitingSteps"] == 1).await;
    bench.admin("POST", &format!("/runs/{run}/steps/cue/confirm")).send().await.is(200);
}

#[tokio::test]
async fn who_was_due_first_starts_first_and_a_change_of_holder_is_told_once() {
    let bench = bench().await;
    let holder = bench.publish(&of_hall(quiet("holder"), None)).await;
    let holder = bench.admin("POST", &format!("/{holder}/runs")).send().await.is(201)["id"].as_str().unwrap().to_owned();
    let later = verified(&bench, &of_hall(fridays("later"), Some("2027-03-05T20:01"))).await;
    let later = run_of_slot(&bench, &later, "2027-03-05T20:01").await;
    let first = verified(&bench, &of_hall(fridays("first"), Some("2027-03-05T20:00"))).await;
    let first = run_of_slot(&bench, &first, "2027-03-05T20:00").await;
    advance_to(&bench, "2027-03-05T11:02:00Z").await;
    for run in [&first, &later] {
        run_is(&bench, run, |run| run["blockedBy"] == json!(holder)).await;
    }

    confirm(&bench, &holder).await;
    run_is(&bench, &first, |run| run["status"] == "running").await;
    run_is(&bench, &later, |run| run["blockedBy"] == json!(first)).await;
    assert_eq!(held_up_by(&bench, &first, &holder).await, 1);
    assert_eq!((held_up_by(&bench, &later, &holder).await, held_up_by(&bench, &later, &first).await), (1, 1));
    advance_to(&bench, "2027-03-05T12:01:01Z").await;
    let missed = run_is(&bench, &later, |run| run["status"] == "missed").await;
    assert_eq!(missed["blockedBy"], Value::Null);
    let log = bench.admin("GET", &format!("/runs/{later}/log?limit=1000")).send().await.is(200);
    let last = log["items"].as_array().unwrap().last().unwrap();
    assert_eq!(last["detail"]["missed"], json!({"cause": "slot_held", "by": first}), "the holder is named");
}

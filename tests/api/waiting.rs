//! Runs that wait for one concurrency key: told once by whom they are held up, and woken in the order in which they were due.

use serde_json::{Value, json};

use crate::altered::{advance_to, bench, fridays, run_is, run_of_slot, verified};
use crate::bench::{Bench, quiet};
use crate::runs::until;
use crate::signals::{north, waiting};

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

/// A run that waits for what never happens holds its key: that is told once after an hour, and the next day's is missed by its name
/// (field report Q05, its second case).
#[tokio::test]
async fn a_gate_that_never_opens_stalls_its_run_once_and_tomorrows_is_missed_by_its_name() {
    let bench = bench().await;
    let mut daily = waiting("daily", &north(1));
    let days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    daily["timezone"] = json!("UTC");
    daily["graceSeconds"] = json!(900);
    daily["concurrencyKey"] = json!("the hall");
    daily["spec"]["schedule"] = json!({"kind": "weekly", "days": days, "time": "20:00"});
    let id = verified(&bench, &daily).await;
    let (today, tomorrow) = ("2027-03-01T20:00", "2027-03-02T20:00");
    let (today, tomorrow) = (run_of_slot(&bench, &id, today).await, run_of_slot(&bench, &id, tomorrow).await);
    advance_to(&bench, "2027-03-01T20:00:00Z").await;
    run_is(&bench, &today, |run| run["status"] == "running").await;
    advance_to(&bench, "2027-03-01T20:59:59Z").await;
    assert_eq!(run_is(&bench, &today, |_| true).await["health"], "ok");
    advance_to(&bench, "2027-03-01T21:00:01Z").await;
    run_is(&bench, &today, |run| run["health"] == "stalled").await;
    advance_to(&bench, "2027-03-02T20:00:01Z").await;
    run_is(&bench, &tomorrow, |run| run["blockedBy"] == json!(today)).await;
    advance_to(&bench, "2027-03-02T20:15:01Z").await;
    run_is(&bench, &tomorrow, |run| run["status"] == "missed").await;
    let log = bench.admin("GET", &format!("/runs/{tomorrow}/log?limit=1000")).send().await.is(200);
    let last = log["items"].as_array().unwrap().last().unwrap();
    assert_eq!(last["detail"]["missed"], json!({"cause": "slot_held", "by": today}));
    let stalled = "select count(*) from events where aggregate_id = $1 and event_type = 'run_stalled'";
    let stalled = sqlx::query_scalar::<_, i64>(stalled).bind(&today).fetch_one(bench.engine.log.pool()).await.unwrap();
    assert_eq!(stalled, 1, "loudly, and once");
}

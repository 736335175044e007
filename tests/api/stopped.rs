//! One stop for everything.

use leasehold::engine::settings::Settings;
use leasehold_aggregates::account::Role;
use serde_json::{Value, json};

use crate::altered::{account, advance_to, bench, fridays, run_is, run_of_slot, verified};
use crate::bench::{Bench, events, faults, party, quiet};
use crate::runs::until;

async fn stop(bench: &Bench, runs: &str) -> String {
    let body = json!({"runs": runs, "reason": "the host is on fire"});
    let path = events("/stop");
    let stopped = bench.call("POST", &path).by(bench.person(Role::Moderator)).json(&body).send().await.is(201);
    stopped["id"].as_str().unwrap().to_owned()
}

async fn start(bench: &Bench, id: &str) -> String {
    let started = bench.admin("POST", &format!("/{id}/runs")).send().await.is(201);
    started["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_stop_has_an_owner_and_a_reason_and_only_more_takes_its_place() {
    let bench = Bench::new().await;
    assert_eq!(bench.admin("GET", "/stop").send().await.is(200), json!({"stopped": false, "stop": null}));
    bench.admin("DELETE", "/stop").send().await.problem(409, "not_stopped");
    for (body, pointer, code) in [
        (json!({}), "/reason", "required"),
        (json!({"reason": "x", "runs": "burn"}), "/runs", "not_a_choice"),
        (json!({"reason": "x", "runs": 7}), "/runs", "wrong_type"),
        (json!({"reason": "x", "scope": "all"}), "/scope", "unknown_field"),
    ] {
        let problem = bench.admin("POST", "/stop").json(&body).send().await.problem(422, "invalid_body");
        assert_eq!(faults(&problem), [(pointer, code)]);
    }
    stop(&bench, "leave").await;
    let paused = stop(&bench, "pause").await;
    for less in ["leave", "pause"] {
        let body = json!({"runs": less, "reason": "x"});
        bench.admin("POST", "/stop").json(&body).send().await.problem(409, "already_stopped");
    }
    let told = bench.admin("GET", "/stop").send().await.is(200)["stop"].clone();
    let moderator = bench.person(Role::Moderator);
    assert_eq!(
        (&told["id"], &told["runs"], &told["reason"], &told["declaredBy"]),
        (&json!(paused), &json!("pause"), &json!("the host is on fire"), &json!(moderator.id))
    );
    assert_eq!(bench.call("GET", "/readyz").send().await.body["stop"], json!(paused));
    let settings = bench.call("GET", "/api/v1/admin/settings").by(moderator).send().await.is(200);
    assert_eq!(settings["stop"], json!(paused));
    bench.call("DELETE", &events("/stop")).by(moderator).send().await.problem(403, "role_required");
    bench.admin("DELETE", "/stop").send().await.is(200);
    bench.admin("DELETE", "/stop").send().await.problem(409, "not_stopped");
}

#[tokio::test]
async fn what_is_under_way_is_paused_and_nothing_is_set_going_until_the_stop_is_lifted() {
    let bench = Bench::new().await;
    let id = bench.publish(&quiet("quiet")).await;
    let run = start(&bench, &id).await;
    until(&bench, &run, |run| run["waitingSteps"] == 1).await;
    let stop = stop(&bench, "pause").await;
    let paused = until(&bench, &run, |run| run["status"] == "paused").await;
    let resume = paused["controls"].as_array().unwrap().iter().find(|control| control["verb"] == "resume").unwrap();
    assert_eq!(resume["legal"], false, "{resume}");
    let refused = bench.admin("POST", &format!("/runs/{run}/resume")).send().await.problem(409, "stopped");
    assert_eq!(refused["stop"], json!(stop));
    bench.admin("POST", &format!("/{id}/runs")).send().await.problem(409, "stopped");
    bench.admin("DELETE", "/stop").send().await.is(200);
    assert_eq!(bench.admin("GET", &format!("/runs/{run}")).send().await.is(200)["status"], "paused", "a person resumes it");
    bench.admin("POST", &format!("/runs/{run}/resume")).send().await.is(200);
    start(&bench, &id).await;
    let log = bench.admin("GET", &format!("/runs/{run}/log")).send().await.is(200);
    let told = log["items"]
        .as_array()
        .unwrap()
        .iter()
        .any(|line| line["text"] == format!("paused: everything was stopped (stop {stop})"));
    assert!(told, "{log}");
}

#[tokio::test]
async fn what_is_under_way_is_torn_down_and_given_back_although_everything_is_stopped() {
    let bench = Bench::new().await;
    bench.enable("core.lease", json!({})).await;
    bench.enable("demo.lamp.light", json!({})).await;
    let id = bench.publish(&party("harvest")).await;
    let run = start(&bench, &id).await;
    until(&bench, &run, |run| run["steps"][1]["status"] == "done").await;
    let ended = start(&bench, &bench.publish(&quiet("ended")).await).await;
    until(&bench, &ended, |run| run["waitingSteps"] == 1).await;
    bench.admin("POST", &format!("/runs/{ended}/cancel")).send().await.is(200);
    let before = bench.admin("GET", &format!("/runs/{ended}")).send().await.is(200);
    stop(&bench, "tear_down").await;
    let done = until(&bench, &run, |run| run["cleanupStatus"] == "complete").await;
    assert_eq!((&done["status"], &done["unresolvedResources"]), (&json!("cancelled"), &json!(0)));
    assert_eq!(bench.admin("GET", &format!("/runs/{ended}")).send().await.is(200), before, "what had ended is left alone");
}

#[tokio::test]
async fn what_is_left_goes_on_and_what_falls_due_is_told_as_not_run_because_of_the_stop() {
    let bench = bench().await;
    let going = start(&bench, &bench.publish(&quiet("quiet")).await).await;
    let id = verified(&bench, &fridays("fridays")).await;
    let run = run_of_slot(&bench, &id, "2027-03-05T20:00").await;
    stop(&bench, "leave").await;
    advance_to(&bench, "2027-03-05T11:00:00Z").await;
    run_is(&bench, &run, |run| run["status"] == "missed").await;
    bench.admin("POST", &format!("/runs/{going}/steps/cue/confirm")).send().await.is(200);
    until(&bench, &going, |run| run["status"] == "completed").await;
    bench.admin("DELETE", "/stop").send().await.is(200);
    let told: Vec<Value> = account(&bench, "from=2027-03-05T00:00:00Z&to=2027-03-06T00:00:00Z&executed=false").await;
    assert_eq!((told.len(), &told[0]["cause"]), (1, &json!("stopped")));
}

/// The engine that was asked to stop dies before it has paused anything; the next one does it.
#[tokio::test]
async fn a_stop_is_carried_out_by_whoever_is_there() {
    let first = Bench::made(leasehold::api::Open::Closed, Settings::default()).await;
    let run = start(&first, &first.publish(&quiet("quiet")).await).await;
    until(&first, &run, |run| run["waitingSteps"] == 1).await;
    first.engine.stop.cancel();
    let act = first.act().await;
    let runs = leasehold_aggregates::deployment::StopRuns::TearDown;
    first.engine.stop_everything(&act, runs, "everything burns").await.unwrap();
    let second = first.joined().await;
    second.until_by_admin(&events(&format!("/runs/{run}")), |answer| answer.body["status"] == "cancelled").await;
}

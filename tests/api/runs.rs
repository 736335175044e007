//! Runs through the API: started, looked at, confirmed, cancelled.

use leasehold_aggregates::account::Role;
use serde_json::{Value, json};

use crate::bench::{Bench, events, faults, party, quiet};

/// A run of a definition that waits for a person at once.
async fn started(bench: &Bench) -> String {
    let id = bench.publish(&quiet("quiet")).await;
    let answer = bench.admin("POST", &format!("/{id}/runs")).send().await;
    let run = answer.body["id"].as_str().unwrap().to_owned();
    assert_eq!(
        (answer.status.as_u16(), &answer.headers["location"]),
        (201, &format!("/api/v1/admin/events/runs/{run}").parse().unwrap())
    );
    run
}

/// The run once `holds` is true of it. Every look is at the log as it stands.
pub async fn until(bench: &Bench, run: &str, holds: impl Fn(&Value) -> bool) -> Value {
    let mut nudge = bench.engine.log.subscribe();
    let looking = async {
        loop {
            let read = bench.admin("GET", &format!("/runs/{run}")).send().await.is(200);
            if holds(&read) {
                return read;
            }
            nudge.changed().await.unwrap();
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(30), looking).await.expect("the run never came to that")
}

#[tokio::test]
async fn a_run_is_started_parked_confirmed_and_done() {
    let bench = Bench::new().await;
    let run = started(&bench).await;
    let parked = until(&bench, &run, |run| run["waitingSteps"] == 1).await;
    assert_eq!((&parked["status"], &parked["currentPhase"], &parked["version"]), (&json!("running"), &json!("ask"), &json!(1)));
    let confirm =
        |step: &str| bench.call("POST", &events(&format!("/runs/{run}/steps/{step}/confirm"))).by(bench.person(Role::Moderator));
    confirm("none").send().await.problem(404, "step_not_found");
    let confirmed = confirm("cue").json(&json!({"note": "the gate is open"})).send().await.is(200);
    assert_eq!(confirmed["id"], run);
    let done = until(&bench, &run, |run| run["status"] == "completed").await;
    assert_eq!((&done["steps"][0]["status"], &done["cleanupStatus"]), (&json!("done"), &json!("not_required")));
    confirm("cue").send().await.problem(409, "run_state");

    let log = bench.admin("GET", &format!("/runs/{run}/log")).send().await.is(200);
    let lines = log["items"].as_array().unwrap();
    assert!(lines.iter().any(|line| line["kind"] == "step.status" && line["step"] == "cue"), "{log}");
    assert!(lines.iter().any(|line| line["actor"] == bench.person(Role::Moderator).id), "{log}");
    let mut paged = Vec::new();
    for (query, field, value) in
        [("kind=step.status", "kind", "step.status"), ("step=cue", "step", "cue"), ("phase=ask", "phase", "ask")]
    {
        let some = bench.admin("GET", &format!("/runs/{run}/log?{query}&limit=1000")).send().await.is(200);
        let some = some["items"].as_array().unwrap();
        let of_all = lines.iter().filter(|line| line[field] == value).count();
        assert!(some.iter().all(|line| line[field] == value) && some.len() == of_all && of_all > 0, "{query}: {some:?}");
    }
    let unknown = bench.admin("GET", &format!("/runs/{run}/log?kind=step.dance")).send().await.is(422);
    assert_eq!(unknown["errors"][0]["pointer"], "?kind");

    let mut path = format!("/runs/{run}/log?limit=1");
    loop {
        let page = bench.admin("GET", &path).send().await.is(200);
        paged.extend(page["items"].as_array().unwrap().clone());
        let Some(token) = page["nextPageToken"].as_str() else { break };
        path = format!("/runs/{run}/log?limit=1&pageToken={token}");
    }
    assert_eq!(&paged, lines, "page by page it is the same story");
}

#[tokio::test]
async fn a_whole_run_takes_and_gives_back() {
    let bench = Bench::new().await;
    bench.enable("core.lease", json!({})).await;
    bench.enable("demo.lamp.light", json!({"demo.lamps": 30})).await;
    let mut body = party("harvest");
    body["spec"]["phases"][0]["advance"] = json!(null);
    let id = bench.publish(&body).await;
    let run = bench.admin("POST", &format!("/{id}/runs")).json(&json!({"params": {"region": "Trinsic"}})).send().await.is(201);
    let run = run["id"].as_str().unwrap().to_owned();
    let done = until(&bench, &run, |run| run["cleanupStatus"] == "complete").await;
    assert_eq!(
        (&done["status"], &done["health"], &done["params"]["region"]),
        (&json!("completed"), &json!("ok"), &json!("Trinsic"))
    );
    let statuses: Vec<_> = done["resources"].as_array().unwrap().iter().map(|resource| &resource["status"]).collect();
    assert_eq!(statuses, [&json!("reverted"), &json!("reverted")]);
    assert_eq!(done["budget"][0]["consumed"], 12);
}

#[tokio::test]
async fn a_moderator_cancels_and_only_an_admin_leaves_things_lying() {
    let bench = Bench::new().await;
    let run = started(&bench).await;
    let path = events(&format!("/runs/{run}/cancel"));
    let moderator = bench.person(Role::Moderator);
    let lying = bench.call("POST", &path).by(moderator).json(&json!({"cleanup": false}));
    assert_eq!(lying.send().await.problem(403, "role_required")["roles"], json!(["admin"]));
    let long = json!({"reason": "x".repeat(2_001)});
    let problem = bench.call("POST", &path).by(moderator).json(&long).send().await.problem(422, "invalid_body");
    assert_eq!(faults(&problem), [("/reason", "wrong_length")]);
    let cancelled = bench.call("POST", &path).by(moderator).json(&json!({"reason": "a storm is coming"})).send().await.is(200);
    assert_eq!(cancelled["status"], "cancelled");
    bench.call("POST", &path).by(moderator).send().await.problem(409, "run_state");
    let events = bench.call("GET", "/api/v1/admin/log?limit=500").by(bench.person(Role::Admin)).send().await;
    assert!(!events.text.contains("a storm is coming"), "what a person typed is no part of the log");
}

#[tokio::test]
async fn a_start_is_refused_with_its_reasons() {
    let bench = Bench::new().await;
    let draft = bench.create(&quiet("draft")).await;
    bench.admin("POST", &format!("/{draft}/runs")).send().await.problem(409, "not_published");
    bench.enable("core.lease", json!({})).await;
    let id = bench.publish(&party("harvest")).await;
    let start = |body: Value| bench.admin("POST", &format!("/{id}/runs")).json(&body).send();
    for (body, pointer, code) in [
        (json!({"params": {"region": 7}}), "/params/region", "wrong_type"),
        (json!({"params": {"other": "x"}}), "/params/other", "unknown_field"),
        (json!({"params": []}), "/params", "wrong_type"),
        (json!({"scope": "No Scope"}), "/scope", "wrong_characters"),
        (json!({"rehearsal": "yes"}), "/rehearsal", "wrong_type"),
    ] {
        let problem = start(body).await.problem(422, "invalid_body");
        assert_eq!(faults(&problem), [(pointer, code)]);
    }
    let first = start(json!({})).await.is(201);
    let held = start(json!({})).await.problem(409, "slot_held");
    assert!(held["detail"].as_str().unwrap().contains(first["id"].as_str().unwrap()), "{held}");
    start(json!({"params": {"region": "Trinsic"}})).await.is(201);
}

#[tokio::test]
async fn a_run_that_is_not_there_is_not_found() {
    let bench = Bench::new().await;
    let nobody = "22222222-2222-5222-8222-222222222222";
    for (method, path) in [("GET", ""), ("GET", "/log"), ("POST", "/cancel"), ("POST", "/steps/cue/confirm")] {
        bench.admin(method, &format!("/runs/{nobody}{path}")).send().await.problem(404, "not_found");
    }
}

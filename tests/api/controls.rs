//! The live controls through the API: pause, resume, advance, skip, retry, and what each refuses.

use leasehold_aggregates::account::Role;
use serde_json::{Value, json};

use crate::bench::{Bench, Call, events, party, quiet};
use crate::runs::until;

/// A control as a moderator presses it.
fn press<'a>(bench: &'a Bench, run: &str, verb: &str) -> Call<'a> {
    bench.call("POST", &events(&format!("/runs/{run}/{verb}"))).by(bench.person(Role::Moderator))
}

async fn start(bench: &Bench, id: &str) -> String {
    let started = bench.admin("POST", &format!("/{id}/runs")).send().await.is(201);
    started["id"].as_str().unwrap().to_owned()
}

/// What the run's detail says of one control.
fn control<'a>(run: &'a Value, verb: &str) -> &'a Value {
    run["controls"].as_array().unwrap().iter().find(|control| control["verb"] == verb).unwrap()
}

#[tokio::test]
async fn a_moderator_pauses_skips_and_resumes_and_the_log_names_who_and_why() {
    let bench = Bench::new().await;
    let mut body = quiet("quiet");
    body["spec"]["phases"][0]["advance"] = json!({"after": "2h"});
    let run = start(&bench, &bench.publish(&body).await).await;
    let parked = until(&bench, &run, |run| run["waitingSteps"] == 1).await;
    assert_eq!((&control(&parked, "pause")["legal"], &control(&parked, "resume")["legal"]), (&json!(true), &json!(false)));
    assert_eq!(control(&parked, "skip")["step"], "cue");
    assert_eq!(parked["controls"].as_array().unwrap().len(), 8);

    let held = press(&bench, &run, "advance").send().await.problem(409, "not_at_gate");
    assert!(held["detail"].as_str().unwrap().contains("waits for step cue"), "{held}");
    let paused = press(&bench, &run, "pause").json(&json!({"reason": "the bridge is out"})).send().await.is(200);
    assert_eq!(paused["status"], "paused");
    let again = press(&bench, &run, "pause").send().await.problem(409, "run_state");
    assert_eq!((&again["runStatus"], &again["detail"]), (&json!("paused"), &json!("cannot pause a run that is paused")));
    press(&bench, &run, "advance").send().await.problem(409, "run_state");
    press(&bench, &run, "steps/cue/retry").send().await.problem(409, "step_state");
    press(&bench, &run, "steps/none/skip").send().await.problem(404, "step_not_found");
    press(&bench, &run, "steps/cue/skip").json(&json!({"reason": "nobody is there"})).send().await.is(200);
    let skipped = press(&bench, &run, "steps/cue/skip").send().await.problem(409, "step_state");
    assert_eq!(skipped["stepStatus"], "skipped");
    press(&bench, &run, "resume").send().await.is(200);
    press(&bench, &run, "resume").send().await.problem(409, "run_state");

    press(&bench, &run, "advance").json(&json!({"reason": "all are here"})).send().await.is(200);
    let done = until(&bench, &run, |run| run["status"] == "completed").await;
    assert_eq!((&done["steps"][0]["status"], &done["gates"][0]["satisfiedBy"]), (&json!("skipped"), &json!("human")));
    assert!(done["controls"].as_array().unwrap().iter().all(|control| control["legal"] == false), "{}", done["controls"]);
    let log = bench.admin("GET", &format!("/runs/{run}/log")).send().await.is(200);
    for (words, kind) in [
        ("paused by a person: “the bridge is out”", "run.status"),
        ("step cue skipped by a person: “nobody is there”", "step.status"),
        ("resumed by a person", "run.status"),
        ("somebody opened it: “all are here”", "phase.advanced"),
    ] {
        let line = log["items"].as_array().unwrap().iter().find(|line| line["text"].as_str().unwrap().contains(words));
        let line = line.unwrap_or_else(|| panic!("nothing says {words} in {log}"));
        assert_eq!((&line["kind"], &line["actor"]), (&json!(kind), &json!(bench.person(Role::Moderator).id)));
    }
}

#[tokio::test]
async fn what_the_deployment_refused_is_tried_again_once_somebody_permits_it() {
    let bench = Bench::new().await;
    let mut body = party("harvest");
    body["spec"]["phases"].as_array_mut().unwrap().remove(0);
    let run = start(&bench, &bench.publish(&body).await).await;
    let paused = until(&bench, &run, |run| run["status"] == "paused").await;
    assert_eq!((&paused["steps"][0]["status"], &paused["health"]), (&json!("refused"), &json!("degraded")));
    let retry = control(&paused, "retry");
    assert_eq!((&retry["legal"], &retry["step"]), (&json!(false), &json!("lamps")));
    let still = press(&bench, &run, "steps/lamps/retry").send().await.problem(409, "still_refused");
    assert_eq!(still["why"]["code"], "action_disabled");

    bench.enable("demo.lamp.light", json!({"demo.lamps": 30})).await;
    let ready = bench.admin("GET", &format!("/runs/{run}")).send().await.is(200);
    let retry = control(&ready, "retry");
    assert_eq!(retry["legal"], true, "{retry}");
    assert!(retry["consequence"].as_array().unwrap().iter().any(|line| line.as_str().unwrap().contains("light 12 lamps")));
    let resumed = press(&bench, &run, "steps/lamps/retry").send().await.is(200);
    assert_eq!(resumed["status"], "running");
    let done = until(&bench, &run, |run| run["cleanupStatus"] == "complete").await;
    assert_eq!((&done["status"], &done["budget"][0]["consumed"]), (&json!("completed"), &json!(12)));
}

#[tokio::test]
async fn a_cap_that_was_pinned_is_read_again_by_an_admin_alone() {
    let bench = Bench::new().await;
    bench.enable("demo.lamp.light", json!({"demo.lamps": 10})).await;
    let mut body = party("harvest");
    body["spec"]["phases"].as_array_mut().unwrap().remove(0);
    let run = start(&bench, &bench.publish(&body).await).await;
    until(&bench, &run, |run| run["status"] == "paused").await;
    bench.enable("demo.lamp.light", json!({"demo.lamps": 12})).await;
    let still = press(&bench, &run, "steps/lamps/retry").send().await.problem(409, "still_refused");
    assert_eq!((&still["why"]["code"], &still["why"]["cap"]), (&json!("over_cap"), &json!(10)));
    bench.admin("POST", &format!("/runs/{run}/steps/lamps/retry")).send().await.is(200);
    let done = until(&bench, &run, |run| run["cleanupStatus"] == "complete").await;
    assert_eq!((&done["budget"][0]["cap"], &done["budget"][0]["consumed"]), (&json!(12), &json!(12)));
}

/// Eight people press the same control at one moment: it is taken once, and the others are told the state that it left.
#[tokio::test]
async fn a_control_that_many_press_at_once_is_taken_once() {
    let bench = Bench::new().await;
    let run = start(&bench, &bench.publish(&quiet("quiet")).await).await;
    until(&bench, &run, |run| run["waitingSteps"] == 1).await;
    for (verb, code) in
        [("pause", "run_state"), ("steps/cue/skip", "step_state"), ("resume", "run_state"), ("cancel", "run_state")]
    {
        let pressed = futures::future::join_all((0..8).map(|_| press(&bench, &run, verb).send())).await;
        let (taken, refused): (Vec<_>, Vec<_>) = pressed.into_iter().partition(|answer| answer.status == 200);
        // The run completes with its last step skipped: what is pressed then finds it ended.
        let expected = usize::from(verb != "cancel");
        assert_eq!((taken.len(), refused.len()), (expected, 8 - expected), "{verb}");
        for answer in refused {
            answer.problem(409, code);
        }
    }
    let log = bench.admin("GET", &format!("/runs/{run}/log?limit=1000")).send().await.is(200);
    let says = |words: &str| {
        log["items"].as_array().unwrap().iter().filter(|line| line["text"].as_str().unwrap().starts_with(words)).count()
    };
    assert_eq!(["paused by", "step cue skipped", "resumed by", "completed"].map(says), [1, 1, 1, 1], "{log}");
}

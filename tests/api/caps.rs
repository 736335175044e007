//! Caps of a run and of a day, and what a plan would spend against them.

use leasehold::engine::settings::Settings;
use leasehold_aggregates::account::Role;
use serde_json::{Value, json};

use crate::bench::{Bench, events, faults, party};
use crate::runs::until;

/// One phase that lights lamps, `counts` in a row; what is refused is passed over.
fn lamps(slug: &str, counts: &[u64]) -> Value {
    let step = |(nth, count): (usize, &u64)| json!({"key": format!("lamps-{nth}"), "action": "demo.lamp.light", "onFailure": "skip", "params": {"count": count}});
    let mut body = party(slug);
    body["concurrencyKey"] = json!(null);
    let steps: Vec<Value> = counts.iter().enumerate().map(step).collect();
    body["spec"]["phases"] = json!([{"key": "light", "label": "Lights", "steps": steps}]);
    body
}

async fn start(bench: &Bench, id: &str) -> String {
    let started = bench.admin("POST", &format!("/{id}/runs")).send().await.is(201);
    started["id"].as_str().unwrap().to_owned()
}

async fn cap_day(bench: &Bench, per_day: Value) {
    bench.admin("PUT", "/allowances").json(&json!({"dimension": "demo.lamps", "perDay": per_day})).send().await.is(200);
}

async fn drawn(bench: &Bench) -> u64 {
    let told = bench.admin("GET", "/allowances").send().await.is(200);
    assert_eq!((&told["items"][0]["dimension"], &told["items"][0]["label"]), (&json!("demo.lamps"), &json!("Lamps lit")));
    told["items"][0]["drawn"].as_u64().unwrap()
}

#[tokio::test]
async fn a_day_bounds_all_runs_together_and_the_refusal_has_the_numbers() {
    let bench = Bench::new().await;
    bench.enable("demo.lamp.light", json!({"demo.lamps": 30})).await;
    cap_day(&bench, json!(20)).await;
    let id = bench.publish(&lamps("lamps", &[12, 3])).await;
    let first = start(&bench, &id).await;
    until(&bench, &first, |run| run["cleanupStatus"] == "complete").await;
    assert_eq!(drawn(&bench).await, 15);
    let second = start(&bench, &id).await;
    let told = until(&bench, &second, |run| run["status"] == "completed").await;
    let [refused, done] = [0, 1].map(|nth| told["steps"][nth].clone());
    assert_eq!((&refused["status"], &refused["lastError"]["code"]), (&json!("refused"), &json!("over_day_cap")));
    let sentence = refused["lastError"]["sentence"].as_str().unwrap();
    assert!(sentence.contains("needs 12 of demo.lamps") && sentence.contains("15 of the 20"), "{sentence}");
    assert_eq!((&done["status"], drawn(&bench).await), (&json!("done"), 18));
    assert_eq!(told["budget"][0]["consumed"], 3, "what was refused has drawn nothing");
    cap_day(&bench, json!(null)).await;
    let third = start(&bench, &id).await;
    assert_eq!(until(&bench, &third, |run| run["status"] == "completed").await["health"], "ok");
    assert_eq!(drawn(&bench).await, 33, "what nothing bounds is told, too");
}

/// What was drawn while nothing bounded the day counts from the moment at which something does; yesterday's does not.
#[tokio::test]
async fn a_day_that_is_bounded_late_counts_what_it_has_seen_already() {
    let bench = Bench::controlled_from("2027-03-01T23:50:00Z", Settings::default()).await;
    bench.enable("demo.lamp.light", json!({})).await;
    let id = bench.publish(&lamps("lamps", &[10])).await;
    let lit = async |status: &str| {
        let run = start(&bench, &id).await;
        let told = until(&bench, &run, |run| run["status"] == "completed").await;
        assert_eq!(told["steps"][0]["status"], status, "{told}");
        told["steps"][0]["lastError"]["sentence"].as_str().unwrap_or_default().to_owned()
    };
    lit("done").await;
    lit("done").await;
    bench.advance(chrono::TimeDelta::minutes(20)).await;
    assert_eq!(drawn(&bench).await, 0, "another day");
    lit("done").await;
    cap_day(&bench, json!(25)).await;
    lit("done").await;
    assert!(lit("refused").await.contains("20 of the 25"), "both of today");
    // Set free, drawn on, and bounded again: the stream has missed one draw, and the day has not.
    cap_day(&bench, json!(null)).await;
    lit("done").await;
    cap_day(&bench, json!(45)).await;
    lit("done").await;
    assert!(lit("refused").await.contains("40 of the 45"));
    cap_day(&bench, json!(50)).await;
    lit("done").await;
    assert_eq!(drawn(&bench).await, 50);
    let kept = "select string_agg(event_type, ' ' order by position) from events where aggregate_type = 'allowance'";
    let kept: String = sqlx::query_scalar(kept).fetch_one(bench.engine.log.pool()).await.unwrap();
    assert_eq!(kept, "allowance_counted allowance_drawn allowance_counted allowance_drawn allowance_drawn");
}

#[tokio::test]
async fn a_wrong_bound_is_refused_at_its_place() {
    let bench = Bench::new().await;
    for (body, pointer, code) in [
        (json!({"dimension": "demo.lamps"}), "/perDay", "required"),
        (json!({"dimension": "demo.lamps", "perDay": -1}), "/perDay", "out_of_range"),
        (json!({"dimension": "demo.lamps", "perDay": "9"}), "/perDay", "wrong_type"),
        (json!({"perDay": 9}), "/dimension", "required"),
    ] {
        let problem = bench.admin("PUT", "/allowances").json(&body).send().await.problem(422, "invalid_body");
        assert_eq!(faults(&problem), [(pointer, code)]);
    }
    let unknown = json!({"dimension": "demo.oil", "perDay": 9});
    bench.admin("PUT", "/allowances").json(&unknown).send().await.problem(422, "unknown_dimension");
}

#[tokio::test]
async fn many_runs_at_once_on_two_engines_never_draw_more_than_the_day_has() {
    let bench = Bench::new().await;
    let other = bench.joined().await;
    bench.enable("demo.lamp.light", json!({"demo.lamps": 12})).await;
    cap_day(&bench, json!(40)).await;
    let id = bench.publish(&lamps("lamps", &[3, 3, 3, 3, 3])).await;
    let starts = (0..12).map(|nth| start(if nth % 2 == 0 { &bench } else { &other }, &id));
    let runs: Vec<String> = futures::future::join_all(starts).await;
    let mut consumed = 0;
    for run in &runs {
        let told = until(&bench, run, |run| run["status"] == "completed").await;
        let of_run = told["budget"][0]["consumed"].as_u64().unwrap();
        assert!(of_run <= 12, "{told}");
        let done = told["steps"].as_array().unwrap().iter().filter(|step| step["status"] == "done").count() as u64;
        assert_eq!(done * 3, of_run, "what was refused drew nothing");
        consumed += of_run;
    }
    assert_eq!((consumed, drawn(&bench).await), (39, 39), "thirteen draws of three, and no fourteenth");
}

#[tokio::test]
async fn a_plan_is_priced_as_it_is_typed_and_nothing_is_recorded() {
    let bench = Bench::new().await;
    bench.enable("demo.lamp.light", json!({"demo.lamps": 30})).await;
    cap_day(&bench, json!(35)).await;
    let before = bench.head().await;
    let price = |body: Value| {
        let path = events("/price");
        let call = bench.call("POST", &path).by(bench.person(Role::Editor)).json(&body);
        async move { call.send().await }
    };
    let spec = json!({
        "params": [{"name": "many", "type": "int", "default": 15}, {"name": "none"}],
        "phases": [
            {"steps": [
                {"key": "a", "action": "demo.lamp.light", "params": {"count": {"param": "many"}}},
                {"key": "b", "action": "demo.lamp.light", "params": {"count": 15, "place": "void"}},
                {"key": "c", "action": "demo.lamp.light", "params": {}}]},
            {"key": "late", "steps": [
                {"key": "d", "action": "demo.lamp.smash"},
                {"key": "e", "action": "demo.lamp.light", "params": {"count": {"param": "none"}}},
                {"key": "f", "action": "core.wait", "params": {"for": "5m"}},
                {}]}]
    });
    let priced = price(json!({"spec": spec})).await.is(200);
    let cost = &priced["cost"][0];
    assert_eq!(
        *cost,
        json!({"dimension": "demo.lamps", "label": "Lamps lit", "unit": "count", "asked": 30, "cap": 30,
               "capFrom": "demo.lamp.light", "perDay": 35, "declared": true, "over": false})
    );
    let unpriced: Vec<(&str, &str)> = (priced["unpriced"].as_array().unwrap().iter())
        .map(|said| (said["pointer"].as_str().unwrap(), said["code"].as_str().unwrap()))
        .collect();
    let at = |phase: u8, step: u8| format!("/spec/phases/{phase}/steps/{step}");
    let expected =
        [(at(0, 2), "unpriceable"), (at(1, 0), "module_missing"), (at(1, 1), "unpriceable"), (at(1, 3), "module_missing")];
    assert_eq!(unpriced, expected.iter().map(|(at, code)| (at.as_str(), *code)).collect::<Vec<_>>());
    let over = price(json!({"spec": spec, "params": {"many": 16}})).await.is(200);
    assert_eq!((&over["cost"][0]["asked"], &over["cost"][0]["over"]), (&json!(31), &json!(true)));
    let alone = json!({"phases": [{"steps": [{"key": "a", "action": "demo.lamp.light", "params": {"count": 31}}]}]});
    let refused = price(json!({"spec": alone})).await.is(200);
    assert_eq!(refused["refusals"][0]["code"], "over_cap");

    for (body, pointer, code) in [
        (json!({}), "/spec", "required"),
        (json!({"spec": 7}), "/spec", "wrong_type"),
        (json!({"spec": {"phases": [{"steps": 7}]}}), "/spec/phases/0/steps", "wrong_type"),
        (json!({"spec": {"phases": [{"steps": [7]}]}}), "/spec/phases/0/steps/0", "wrong_type"),
    ] {
        let problem = price(body).await.problem(422, "invalid_body");
        assert!(faults(&problem).contains(&(pointer, code)), "{problem}");
    }
    assert_eq!(bench.head().await, before, "nothing was written");
    bench
        .call("POST", &events("/price"))
        .by(bench.person(Role::Moderator))
        .json(&json!({}))
        .send()
        .await
        .problem(403, "role_required");
}

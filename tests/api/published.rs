//! Everything that a working engine appends fits the schemas under `docs/events/`, metadata included.

use std::collections::BTreeSet;
use std::path::Path;

use jsonschema::Validator;
use leasehold_aggregates::account::Role;
use serde_json::{Value, json};

use crate::bench::{Bench, events, party, quiet};
use crate::runs::until;

fn schema(path: &str) -> Validator {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/events").join(path);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let schema: Value = serde_json::from_str(&text).unwrap();
    jsonschema::options().should_validate_formats(true).build(&schema).unwrap()
}

/// Something of everything that an engine does without a game.
async fn a_working_day(bench: &Bench) {
    bench.enable("core.lease", json!({})).await;
    bench.enable("demo.lamp.light", json!({"demo.lamps": 30})).await;
    let party = bench.publish(&party("harvest-party")).await;
    bench.admin("POST", &format!("/{party}/verify")).json(&json!({})).send().await;
    let run = bench.admin("POST", &format!("/{party}/runs")).send().await.is(201)["id"].as_str().unwrap().to_owned();
    until(bench, &run, |run| run["steps"][1]["status"] != "pending").await;
    bench.admin("POST", &format!("/runs/{run}/cancel")).json(&json!({"reason": "rain"})).send().await.is(200);
    until(bench, &run, |run| run["cleanupStatus"] == "complete").await;
    let quiet = bench.publish(&quiet("quiet")).await;
    let run = bench.admin("POST", &format!("/{quiet}/runs")).send().await.is(201)["id"].as_str().unwrap().to_owned();
    until(bench, &run, |run| run["waitingSteps"] == 1).await;
    let confirm = bench.call("POST", &events(&format!("/runs/{run}/steps/cue/confirm"))).by(bench.person(Role::Moderator));
    confirm.json(&json!({"note": "done"})).send().await.is(200);
    until(bench, &run, |run| run["status"] == "completed").await;
    let series = bench.admin("POST", "/series").json(&json!({"name": "Autumn", "slug": "autumn"})).send().await.is(201);
    let series = format!("/series/{}", series["id"].as_str().unwrap());
    let other = json!({"name": "Fall", "description": "Three evenings", "order": 3});
    bench.admin("PUT", &series).tag("*").json(&other).send().await.is(200);
    bench.admin("DELETE", &series).tag("*").send().await.is(200);
    let gone = bench.add(Role::Player).await;
    bench.engine.erase_account(&bench.act().await, &gone.id, "asked").await.unwrap();
}

#[tokio::test]
async fn what_the_engine_writes_is_what_is_published() {
    let bench = Bench::new().await;
    a_working_day(&bench).await;
    let metadata = schema("metadata.v1.json");
    let mut seen = BTreeSet::new();
    for event in bench.engine.log.read_after(None, 100_000).await.unwrap() {
        let (stream, name, version) = (&event.stream.aggregate_type, &event.event_type, &event.event_version);
        let path = format!("{stream}/{name}.v{version}.json");
        if let Err(fault) = schema(&path).validate(&event.payload) {
            panic!("position {}, {path}: {fault}", event.position);
        }
        if event.position > 0 {
            let told = json!(event.metadata);
            assert!(metadata.is_valid(&told), "position {}: {told}", event.position);
        }
        seen.insert(path);
    }
    assert!(seen.len() >= 20, "only {seen:?}");
    let wrong = json!({"actor": "operator", "at": "2027-01-15T08:00:00Z", "command_id": "7", "recorded_by": "engine"});
    assert!(!metadata.is_valid(&wrong));
}

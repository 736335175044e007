//! Every recurrence case and the sweep over all zones, through the route.

use serde_json::{Value, json};

use crate::bench::{Bench, faults};

fn cases(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn all() -> Value {
    cases(include_str!("../../aggregates/tests/cases/recurrence_cases.json"))
}

/// What is posted for a case: its schedule, its zone and its window apart.
fn posted(case: &Value) -> Value {
    let mut schedule = case["input"].clone();
    let mut take = |field: &str| schedule.as_object_mut().unwrap().remove(field).unwrap_or_default();
    let (zone, from, to) = (take("zone"), take("window_from"), take("window_to"));
    json!({"schedule": schedule, "timezone": zone, "from": from, "to": to})
}

/// What the route answers, as instant and flag.
async fn instants(bench: &Bench, case: &Value) -> Vec<(String, String)> {
    let found = bench.admin("POST", "/occurrences").json(&posted(case)).send().await.is(200);
    let told = |one: &Value| {
        let flag = one["dstAdjusted"].as_str().unwrap_or("none");
        // Where wall clocks fell together the flag is that of the first, and not told by the cases.
        let flag = if one.get("merged").is_some() { "merged" } else { flag };
        (one["at"].as_str().unwrap().to_owned(), flag.to_owned())
    };
    found["occurrences"].as_array().unwrap().iter().map(told).collect()
}

#[tokio::test]
async fn every_case_is_exact() {
    let bench = Bench::new().await;
    let release = bench.engine.zones().release().to_owned();
    let all = all();
    // Two cases lie in years that nobody may author.
    let cases: Vec<&Value> = all["cases"].as_array().unwrap().iter().filter(|case| case["extreme"] != json!(true)).collect();
    for case in &cases {
        let expected = case.get("expected_by_tzdata").map_or(&case["expected"], |lists| &lists[&release]);
        let told = |one: &Value| {
            let flag = if one.get("merged_with").is_some() { "merged" } else { one["dst"].as_str().unwrap() };
            (one["utc"].as_str().unwrap().to_owned(), flag.to_owned())
        };
        let expected: Vec<_> = expected.as_array().unwrap().iter().map(told).collect();
        assert_eq!(instants(&bench, case).await, expected, "{} {}", case["id"], case["slug"]);
    }
    assert_eq!(cases.len(), 109);
}

#[tokio::test]
async fn the_sweep_is_exact() {
    let bench = Bench::new().await;
    let sweep = cases(include_str!("../../aggregates/tests/cases/recurrence_sweep.json"));
    let sweep = sweep["cases"].as_array().unwrap();
    for case in sweep {
        let expected: Vec<(String, String)> = serde_json::from_value(case["expected"].clone()).unwrap();
        assert_eq!(instants(&bench, case).await, expected, "{}", case["id"]);
    }
    assert_eq!(sweep.len(), 266);
}

#[tokio::test]
async fn what_is_no_schedule_is_refused_at_its_field() {
    let bench = Bench::new().await;
    let all = all();
    let rejects = all["rejects"].as_array().unwrap();
    for case in rejects {
        let mut body = posted(case);
        body["from"] = json!("2027-01-01T00:00:00Z");
        body["to"] = json!("2028-01-01T00:00:00Z");
        let problem = bench.admin("POST", "/occurrences").json(&body).send().await.problem(422, "invalid_body");
        let (pointer, _) = faults(&problem)[0];
        assert!(pointer.starts_with("/schedule/") || pointer == "/timezone", "{} {problem}", case["id"]);
    }
    assert_eq!(rejects.len(), 11);
}

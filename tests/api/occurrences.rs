//! Where a schedule's wall clocks fall, before anything is saved.

use serde_json::{Value, json};

use crate::bench::{Bench, faults};

fn preview(schedule: &Value) -> Value {
    json!({"schedule": schedule, "timezone": "Europe/Berlin", "from": "2027-03-01T00:00:00Z", "to": "2027-04-15T00:00:00Z"})
}

#[tokio::test]
async fn every_shape_is_expanded_through_the_change_of_the_clocks() {
    let bench = Bench::new().await;
    let ask = |body: Value| bench.admin("POST", "/occurrences").json(&body).send();
    let weekly = ask(preview(&json!({"kind": "weekly", "days": ["sunday"], "time": "02:30"}))).await.is(200);
    assert_eq!(weekly["occurrences"].as_array().unwrap().len(), 6);
    assert_eq!(
        weekly["occurrences"][3],
        json!({"at": "2027-03-28T01:00:00Z", "local": "2027-03-28T02:30", "dstAdjusted": "gap"})
    );
    assert_eq!(weekly["occurrences"][4], json!({"at": "2027-04-04T00:30:00Z", "local": "2027-04-04T02:30", "dstAdjusted": null}));
    assert!(weekly["zoneData"].as_str().unwrap().starts_with("20"));
    let once = ask(preview(&json!({"kind": "once", "at": "2027-03-28T20:00"}))).await.is(200);
    assert_eq!(once["occurrences"], json!([{"at": "2027-03-28T18:00:00Z", "local": "2027-03-28T20:00", "dstAdjusted": null}]));
    let monthly = ask(preview(&json!({"kind": "monthly", "nth": -1, "weekday": "friday", "time": "20:00"}))).await.is(200);
    assert_eq!(monthly["occurrences"][0]["local"], "2027-03-26T20:00");
    assert_eq!(ask(preview(&json!({"kind": "manual"}))).await.is(200)["occurrences"], json!([]));
    let mut fold = preview(&json!({"kind": "once", "at": "2027-10-31T02:30"}));
    fold["to"] = json!("2028-01-01T00:00:00+01:00");
    assert_eq!(ask(fold).await.is(200)["occurrences"][0]["dstAdjusted"], "fold");
}

#[tokio::test]
async fn a_wrong_preview_is_refused_at_its_place() {
    let bench = Bench::new().await;
    for (field, value, code) in [
        ("schedule", json!({"kind": "hourly"}), "not_a_choice"),
        ("timezone", json!("CEST"), "unknown_zone"),
        ("timezone", json!(7), "wrong_type"),
        ("from", json!("2027-03-01"), "wrong_value"),
        ("from", json!("1901-01-01T00:00:00Z"), "out_of_range"),
        ("from", json!(7), "wrong_type"),
        ("to", json!("2027-02-01T00:00:00Z"), "out_of_range"),
        ("to", json!("2099-01-01T00:00:00Z"), "out_of_range"),
        ("to", json!("+262143-01-01T00:00:00Z"), "wrong_value"),
    ] {
        let mut body = preview(&json!({"kind": "manual"}));
        body[field] = value;
        let problem = bench.admin("POST", "/occurrences").json(&body).send().await.problem(422, "invalid_body");
        let pointer = if code == "not_a_choice" { "/schedule/kind".to_owned() } else { format!("/{field}") };
        assert_eq!(faults(&problem), [(pointer.as_str(), code)], "{body}");
    }
    let problem = bench.admin("POST", "/occurrences").json(&json!({})).send().await.problem(422, "invalid_body");
    let required: Vec<_> = ["/schedule", "/timezone", "/from", "/to"].map(|pointer| (pointer, "required")).to_vec();
    assert_eq!(faults(&problem), required);
}

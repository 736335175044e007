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
    assert_eq!(weekly["sentence"], "every week on Sunday at 02:30");
    assert_eq!(weekly["schedule"], json!({"kind": "weekly", "days": ["sunday"], "time": "02:30"}));
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
async fn what_recurs_more_richly_is_expanded_and_read_back_in_one_spelling() {
    let bench = Bench::new().await;
    let posted = json!({
        "kind": "weekly", "days": ["sunday", "saturday"], "times": ["02:50", "02:10", "12:00"], "every": 2, "from": "2027-03-15",
        "count": 9, "except": ["2027-03-27T12:00", "2027-03-27T02:10", "2027-03-27T02:50"],
    });
    let mut body = preview(&posted);
    body["to"] = json!("2027-06-01T00:00:00Z");
    let refused = bench.admin("POST", "/occurrences").json(&body).send().await.problem(422, "invalid_body");
    let never: Vec<_> = [0, 1, 2].map(|index| format!("/schedule/except/{index}")).into();
    assert_eq!(faults(&refused), never.iter().map(|at| (at.as_str(), "never_yielded")).collect::<Vec<_>>(), "not in that week");

    body["schedule"]["from"] = json!("2027-03-22");
    let found = bench.admin("POST", "/occurrences").json(&body).send().await.is(200);
    assert_eq!(
        found["schedule"],
        json!({"kind": "weekly", "days": ["saturday", "sunday"], "every": 2, "times": ["02:10", "02:50", "12:00"],
               "from": "2027-03-22", "count": 9, "except": ["2027-03-27"]})
    );
    assert_eq!(
        found["sentence"],
        "every 2 weeks on Saturday and Sunday at 02:10, 02:50 and 12:00, from 2027-03-22, 9 times, except 2027-03-27"
    );
    let gap =
        json!({"at": "2027-03-28T01:00:00Z", "local": "2027-03-28T02:10", "dstAdjusted": "gap", "merged": ["2027-03-28T02:50"]});
    assert_eq!(found["occurrences"][0], gap);
    let locals: Vec<_> = found["occurrences"].as_array().unwrap().iter().map(|one| one["local"].as_str().unwrap()).collect();
    assert_eq!(
        locals,
        ["2027-03-28T02:10", "2027-03-28T12:00", "2027-04-10T02:10", "2027-04-10T02:50", "2027-04-10T12:00"],
        "three of the nine were left out, one merged"
    );
}

#[tokio::test]
async fn a_preview_shows_ten_thousand_occurrences_at_most() {
    let bench = Bench::new().await;
    let days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    let hourly: Vec<String> = (0..24).map(|hour| format!("{hour:02}:00")).collect();
    let mut body = preview(&json!({"kind": "weekly", "days": days, "times": hourly}));
    body["from"] = json!("2027-04-01T00:00:00Z");
    body["to"] = json!("2028-05-23T00:00:00Z");
    let problem = bench.admin("POST", "/occurrences").json(&body).send().await.problem(422, "invalid_body");
    assert_eq!(faults(&problem), [("/to", "out_of_range")], "{problem}");
    assert!(problem.to_string().contains("10000"), "{problem}");
    body["to"] = json!("2028-05-20T15:00:00Z");
    let shown = bench.admin("POST", "/occurrences").json(&body).send().await.is(200);
    assert!((9_900..=10_000).contains(&shown["occurrences"].as_array().unwrap().len()));
}

#[tokio::test]
async fn a_zone_that_is_none_is_refused_with_what_was_meant() {
    let bench = Bench::new().await;
    for (zone, meant) in [("Europe/Kiyv", "Europe/Kyiv"), ("europe/berlin", "Europe/Berlin"), ("New_York", "America/New_York")] {
        let mut body = preview(&json!({"kind": "manual"}));
        body["timezone"] = json!(zone);
        let problem = bench.admin("POST", "/occurrences").json(&body).send().await.problem(422, "invalid_body");
        assert_eq!(faults(&problem), [("/timezone", "unknown_zone")]);
        assert!(problem["errors"][0]["detail"].as_str().unwrap().contains(meant), "{problem}");
    }
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

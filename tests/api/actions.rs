//! The switchboard.

use serde_json::{Value, json};

use crate::bench::{Bench, faults};

async fn row(bench: &Bench, action: &str) -> Value {
    let board = bench.admin("GET", "/actions").send().await.is(200);
    let rows = board["items"].as_array().unwrap();
    rows.iter().find(|row| row["id"] == action).unwrap_or_else(|| panic!("no {action} in {board}")).clone()
}

#[tokio::test]
async fn what_changes_the_world_is_off_until_somebody_turns_it_on() {
    let bench = Bench::new().await;
    let light = row(&bench, "demo.lamp.light").await;
    let told = ["label", "description", "risk", "enabled", "stored", "caps"].map(|field| light[field].clone());
    let expected = [json!("Light lamps"), json!("Lights some lamps."), json!("change"), json!(false), json!(false), json!({})];
    assert_eq!(told, expected);
    assert_eq!(light["dimensions"], json!([{"id": "demo.lamps", "label": "Lamps lit", "unit": "count"}]));
    let announce = row(&bench, "core.announce").await;
    assert_eq!((&announce["enabled"], &announce["stored"], &announce["dimensions"]), (&json!(true), &json!(false), &json!([])));
}

#[tokio::test]
async fn a_row_is_stored_whole_and_absent_caps_stay() {
    let bench = Bench::new().await;
    let put = |body: Value| bench.admin("PUT", "/actions").json(&body).send();
    let before = bench.head().await;
    let stored = put(json!({"action": "demo.lamp.light", "enabled": true, "caps": {"demo.lamps": 30}})).await.is(200);
    assert_eq!(
        (&stored["enabled"], &stored["stored"], &stored["caps"]),
        (&json!(true), &json!(true), &json!({"demo.lamps": 30}))
    );
    assert_eq!(stored["position"], before + 1);
    put(json!({"action": "demo.lamp.light", "enabled": true, "caps": {"demo.lamps": 30}})).await.is(200);
    assert_eq!(bench.head().await, before + 1, "the same again is no event");
    let off = put(json!({"action": "demo.lamp.light", "enabled": false})).await.is(200);
    assert_eq!((&off["enabled"], &off["caps"]), (&json!(false), &json!({"demo.lamps": 30})));
    let bare = put(json!({"action": "demo.lamp.light", "enabled": true, "caps": {"demo.lamps": null}})).await.is(200);
    assert_eq!(bare["caps"], json!({}));
    assert_eq!(row(&bench, "demo.lamp.light").await["enabled"], true);
}

#[tokio::test]
async fn a_wrong_row_is_refused_at_its_place() {
    let bench = Bench::new().await;
    let before = bench.head().await;
    let cases = [
        (json!({"action": "demo.lamp.light", "enabled": true, "caps": {"demo.oil": 1}}), "/caps/demo.oil", "not_spent"),
        (json!({"action": "core.wait", "enabled": true, "caps": {"demo.lamps": 1}}), "/caps/demo.lamps", "not_spent"),
        (json!({"action": "demo.lamp.smash", "enabled": true, "caps": {}}), "/action", "unknown_action"),
    ];
    for (body, pointer, code) in cases {
        let problem = bench.admin("PUT", "/actions").json(&body).send().await.problem(422, code);
        assert_eq!(faults(&problem), [(pointer, code)]);
    }
    for (body, pointer, code) in [
        (json!({"enabled": true}), "/action", "required"),
        (json!({"action": "core.wait"}), "/enabled", "required"),
        (json!({"action": "core.wait", "enabled": 1}), "/enabled", "wrong_type"),
        (json!({"action": 7, "enabled": true}), "/action", "wrong_type"),
        (json!({"action": "core.wait", "enabled": true, "caps": []}), "/caps", "wrong_type"),
        (json!({"action": "demo.lamp.light", "enabled": true, "caps": {"demo.lamps": -1}}), "/caps/demo.lamps", "wrong_value"),
        (json!({"action": "demo.lamp.light", "enabled": true, "caps": {"demo.lamps": 1.5}}), "/caps/demo.lamps", "wrong_value"),
        (
            json!({"action": "demo.lamp.light", "enabled": true, "caps": {"demo.lamps": u64::MAX}}),
            "/caps/demo.lamps",
            "wrong_value",
        ),
    ] {
        let problem = bench.admin("PUT", "/actions").json(&body).send().await.problem(422, "invalid_body");
        assert_eq!(faults(&problem), [(pointer, code)], "{body}");
    }
    assert_eq!(bench.head().await, before);
}

//! The dry run.

use serde_json::{Value, json};

use crate::bench::{Bench, party};

async fn verify(bench: &Bench, id: &str, tag: &str) -> Value {
    bench.admin("POST", &format!("/{id}/verify")).tag(tag).send().await.is(200)
}

#[tokio::test]
async fn findings_are_an_answer_and_only_a_pass_of_a_version_is_recorded() {
    let bench = Bench::new().await;
    let id = bench.create(&party("harvest")).await;
    let before = bench.head().await;
    let draft = verify(&bench, &id, "\"1\"").await;
    assert_eq!((&draft["ok"], &draft["of"], &draft["version"]), (&json!(false), &json!("draft"), &Value::Null));
    let codes: Vec<_> = draft["findings"].as_array().unwrap().iter().map(|f| (&f["step"], &f["code"])).collect();
    let off = json!("action_disabled");
    assert_eq!(codes, [(&json!("rate"), &off), (&json!("lamps"), &off)]);
    assert_eq!(bench.head().await, before);

    bench.enable("core.lease", json!({})).await;
    bench.enable("demo.lamp.light", json!({"demo.lamps": 30})).await;
    let draft = verify(&bench, &id, "\"1\"").await;
    assert_eq!((&draft["ok"], &draft["verified"]), (&json!(true), &json!(false)), "a draft's pass is not kept");
    assert_eq!(draft["cost"], json!([{"dimension": "demo.lamps", "asked": 12, "cap": 30, "capFrom": "demo.lamp.light"}]));

    bench.admin("POST", &format!("/{id}/publish")).tag("\"1\"").send().await.is(200);
    let passed = verify(&bench, &id, "\"1\"").await;
    assert_eq!(
        (&passed["ok"], &passed["of"], &passed["version"], &passed["verified"]),
        (&json!(true), &json!("version"), &json!(1), &json!(true))
    );
    assert_eq!(bench.admin("GET", &format!("/{id}")).send().await.is(200)["verified"], true);
    let versions = bench.admin("GET", &format!("/{id}/versions")).send().await.is(200);
    assert!(versions["items"][0]["verifiedAt"].is_string(), "{versions}");
}

#[tokio::test]
async fn a_version_that_the_caps_or_the_module_refuse_does_not_pass() {
    let bench = Bench::new().await;
    bench.enable("core.lease", json!({})).await;
    bench.enable("demo.lamp.light", json!({"demo.lamps": 20})).await;
    let mut body = party("harvest");
    let steps = body["spec"]["phases"][1]["steps"].as_array_mut().unwrap();
    let mut again = steps[0].clone();
    again["key"] = json!("more");
    again["params"]["place"] = json!("void");
    steps.push(again);
    let id = bench.publish(&body).await;
    let verdict = verify(&bench, &id, "\"1\"").await;
    let found: Vec<_> = verdict["findings"].as_array().unwrap().iter().map(|f| (&f["pointer"], &f["code"])).collect();
    let (step, spec) = (json!("/spec/phases/1/steps/1"), json!("/spec"));
    assert_eq!(found, [(&step, &json!("no_such_place")), (&spec, &json!("over_cap"))]);
    assert_eq!((&verdict["ok"], &verdict["verified"]), (&json!(false), &json!(false)));
}

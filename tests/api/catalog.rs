//! What an author can reach for, and the choices of a parameter.

use serde_json::json;

use crate::bench::Bench;

#[tokio::test]
async fn the_catalog_names_everything_that_is_registered_with_its_module() {
    let bench = Bench::new().await;
    let catalog = bench.admin("GET", "/catalog").send().await.is(200);
    let ids = |kind: &str| catalog[kind].as_array().unwrap().iter().map(|entry| entry["id"].clone()).collect::<Vec<_>>();
    assert_eq!(ids("modules"), ["core", "event", "demo"]);
    assert_eq!(
        ids("actions"),
        ["core.announce", "core.wait", "core.cue", "core.lease", "core.results.publish", "demo.lamp.light"]
    );
    assert_eq!((ids("budgets"), ids("leases")), (vec![json!("demo.lamps")], vec![json!("demo.rate.gather")]));
    assert_eq!(ids("optionSources"), ["core.options.legs", "core.options.leases", "demo.options.places", "demo.options.broken"]);
    let light = &catalog["actions"][5];
    assert_eq!((&light["module"], &light["params"][0]["max"], &light["budgetMs"]), (&json!("demo"), &json!("50"), &json!(5000)));
    assert_eq!(catalog["comparisons"].as_array().unwrap().len(), 12);
}

#[tokio::test]
async fn choices_come_from_the_module_and_a_refusal_is_an_answer() {
    let bench = Bench::new().await;
    let ask = |path: &str| bench.admin("GET", &format!("/catalog/options/{path}")).send();
    let all = ask("demo.options.places").await.is(200);
    assert_eq!(
        all,
        json!({"ok": true, "options": [{"value": "quay", "label": "The quay"}, {"value": "mill", "label": "The old mill"}]})
    );
    let found = ask("demo.options.places?q=OLD+m").await.is(200);
    assert_eq!(found["options"], json!([{"value": "mill", "label": "The old mill"}]));
    let broken = ask("demo.options.broken").await.is(200);
    assert_eq!((&broken["ok"], &broken["code"], &broken["reason"]), (&json!(false), &json!("away"), &json!("nobody is there")));
    for unknown in ["demo.options.none", "none.options.places", "x", "%00"] {
        let answer = ask(unknown).await.is(200);
        assert_eq!((&answer["ok"], &answer["code"]), (&json!(false), &json!("no_such_source")), "{unknown}");
    }
    ask("demo.options.places?query=x").await.problem(422, "invalid_body");
}

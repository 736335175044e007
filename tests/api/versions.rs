//! Versions and what changed between them, copies, and finding definitions.

use leasehold_aggregates::account::Role;
use serde_json::{Value, json};

use crate::bench::{Bench, events, faults, party, quiet};

/// A definition with two versions and an edit that is not published; the third state of its body.
async fn edited(bench: &Bench) -> (String, Value) {
    let mut body = party("harvest");
    let id = bench.publish(&body).await;
    body["title"] = json!("Harvest Ball");
    body["spec"]["schedule"] = json!({"kind": "weekly", "days": ["friday"], "time": "20:00"});
    body["spec"]["phases"][1]["steps"][0]["params"]["count"] = json!(13);
    bench.admin("PUT", &format!("/{id}")).tag("\"1\"").json(&body).send().await.is(200);
    bench.admin("POST", &format!("/{id}/publish")).tag("\"2\"").send().await.is(200);
    body["spec"]["phases"].as_array_mut().unwrap().remove(1);
    bench.admin("PUT", &format!("/{id}")).tag("\"2\"").json(&body).send().await.is(200);
    (id, body)
}

fn texts(difference: &Value) -> Vec<&str> {
    difference["changes"].as_array().unwrap().iter().map(|change| change["text"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn what_changed_is_told_in_words_and_by_place() {
    let bench = Bench::new().await;
    let (id, _) = edited(&bench).await;
    let expected = [
        "title: was “Harvest Party”, is “Harvest Ball”",
        "schedule: was whenever somebody starts it, is every week on Friday at 20:00",
        "step lamps, count: was 12, is 13",
    ];
    let between = bench.admin("GET", &format!("/{id}/versions/1/diff/2")).send().await.is(200);
    assert_eq!(texts(&between), expected);
    let change = &between["changes"][2];
    assert_eq!(change["pointer"], "/spec/phases/1/steps/0/params/count");
    assert_eq!((&change["kind"], &change["from"], &change["to"]), (&json!("changed"), &json!(12), &json!(13)));
    assert_eq!((&between["from"]["version"], &between["to"]["version"]), (&json!(1), &json!(2)));
    assert_eq!(between["to"]["publishedBy"], bench.person(Role::Admin).id);
    let back = bench.admin("GET", &format!("/{id}/versions/2/diff/1")).send().await.is(200);
    assert_eq!(texts(&back)[0], "title: was “Harvest Ball”, is “Harvest Party”");
    let none = bench.admin("GET", &format!("/{id}/versions/2/diff/2")).send().await.is(200);
    assert_eq!(none["changes"], json!([]));
    let draft = bench.admin("GET", &format!("/{id}/versions/2/diff")).send().await.is(200);
    assert_eq!(texts(&draft), ["phase light “Lights” was removed", "step lamps (demo.lamp.light) was removed from phase light"]);
    assert_eq!(draft["to"]["revision"], 3);

    let versions = bench.admin("GET", &format!("/{id}/versions")).send().await.is(200);
    assert_eq!(versions["items"][0]["changes"], json!(expected));
    assert_eq!(
        (&versions["items"][1]["changes"], &versions["items"][0]["schedule"]),
        (&Value::Null, &json!("every week on Friday at 20:00"))
    );
    let one = bench.admin("GET", &format!("/{id}/versions/2")).send().await.is(200);
    assert_eq!(one, versions["items"][0]);
    assert_eq!(bench.admin("GET", &format!("/{id}/versions/1")).send().await.is(200)["current"], false);
}

#[tokio::test]
async fn a_version_that_is_not_there_is_not_found() {
    let bench = Bench::new().await;
    let id = bench.publish(&quiet("quiet")).await;
    for path in ["versions/2", "versions/0", "versions/1/diff/2", "versions/18446744073709551615/diff"] {
        bench.admin("GET", &format!("/{id}/{path}")).send().await.problem(404, "version_missing");
    }
    for path in ["versions/01", "versions/x", "versions/-1", "versions/1/diff/x", "versions/99999999999999999999"] {
        bench.admin("GET", &format!("/{id}/{path}")).send().await.problem(404, "not_found");
    }
    let nobody = "11111111-1111-4111-8111-111111111111";
    bench.admin("GET", &format!("/{nobody}/versions/1")).send().await.problem(404, "definition_missing");
    let query = bench.admin("GET", &format!("/{id}/versions/1?diff=2")).send().await.problem(422, "invalid_body");
    assert_eq!(faults(&query), [("?diff", "unknown_field")]);
}

#[tokio::test]
async fn a_copy_is_a_new_draft_of_what_was_named() {
    let bench = Bench::new().await;
    let (id, third) = edited(&bench).await;
    let copy = |body: Value| bench.admin("POST", &format!("/{id}/copy")).json(&body).send();
    let made = copy(json!({"slug": "another"})).await;
    let new = made.body["id"].as_str().unwrap();
    assert_eq!((made.status.as_u16(), made.etag()), (201, "\"1\""));
    assert_eq!(made.headers["location"], format!("/api/v1/admin/events/{new}"));
    assert_eq!(
        (&made.body["state"], &made.body["version"], &made.body["slug"]),
        (&json!("draft"), &Value::Null, &json!("another"))
    );
    assert_eq!((&made.body["title"], &made.body["spec"]["phases"][0]["key"]), (&third["title"], &json!("gather")));
    assert_eq!(made.body["spec"]["phases"].as_array().unwrap().len(), 1);
    assert_eq!(bench.admin("GET", &format!("/{id}")).send().await.etag(), "\"3\"", "the original is as it was");

    let of_first = copy(json!({"slug": "first", "title": "First again", "version": 1})).await.is(201);
    assert_eq!(of_first["title"], "First again");
    assert_eq!(of_first["spec"]["phases"][1]["steps"][0]["params"]["count"], 12);

    let taken = copy(json!({"slug": "first"})).await.problem(409, "slug_taken");
    assert_eq!(taken["holder"], of_first["id"]);
    let wrong = copy(json!({"slug": "A b", "title": "", "version": 0, "summary": "x"})).await.problem(422, "invalid_body");
    let mut found = faults(&wrong);
    found.sort_unstable();
    let places: Vec<&str> = found.into_iter().map(|(at, _)| at).collect();
    assert_eq!(places, ["/slug", "/summary", "/title", "/version"]);
    copy(json!({"slug": "x", "version": 9})).await.problem(404, "version_missing");
    let nobody = bench.admin("POST", "/11111111-1111-4111-8111-111111111111/copy").json(&json!({"slug": "x"}));
    nobody.send().await.problem(404, "definition_missing");
    let editor = bench.call("POST", &events(&format!("/{id}/copy"))).by(bench.person(Role::Editor));
    let forbidden = editor.json(&json!({"slug": "x"})).send().await.problem(403, "forbidden");
    assert_eq!(faults(&forbidden), [("/spec/phases/0/steps/1/action", "forbidden")]);
}

#[tokio::test]
async fn an_archived_definition_lives_on_in_its_copies() {
    let bench = Bench::new().await;
    let id = bench.publish(&quiet("quiet")).await;
    bench.admin("DELETE", &format!("/{id}")).tag("\"1\"").send().await.is(200);
    let copy = bench.admin("POST", &format!("/{id}/copy")).json(&json!({"slug": "again", "version": 1})).send().await.is(201);
    assert_eq!(copy["state"], "draft");
    let new = copy["id"].as_str().unwrap();
    bench.admin("POST", &format!("/{new}/publish")).tag("\"1\"").send().await.is(200);
}

#[tokio::test]
async fn definitions_are_found_by_what_they_say() {
    let bench = Bench::new().await;
    bench.create(&party("harvest")).await;
    bench.create(&quiet("quiet")).await;
    let mut odd = quiet("odd");
    odd["title"] = json!("100% Größe_\\ '\"");
    bench.create(&odd).await;
    let at = bench.head().await;
    let search = async |query: &str| -> Vec<String> {
        let found = bench.admin("GET", &format!("?minPosition={at}&{query}")).send().await.is(200);
        found["items"].as_array().unwrap().iter().map(|item| item["slug"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(search("q=LAMPS+for").await, ["harvest"]);
    assert_eq!(search("q=quie").await, ["quiet"]);
    assert_eq!(search("q=gr%C3%B6%C3%9Fe_").await, ["odd"]);
    assert_eq!(search("q=%25").await, ["odd"], "a sign of the database's means itself");
    assert_eq!(search("q=_%5C+%27%22").await, ["odd"]);
    assert_eq!(search("q=nothing").await, [""; 0]);
    assert_eq!(search("q=&limit=200").await.len(), 3);
    assert_eq!(search("category=gathering&q=party").await, ["harvest"]);
    assert_eq!(search("seriesId=nobody").await, [""; 0]);
    let long = bench.admin("GET", &format!("?q={}", "x".repeat(201))).send().await.problem(422, "invalid_body");
    assert_eq!(faults(&long), [("?q", "wrong_length")]);
}

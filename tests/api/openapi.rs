//! The API's own description, held against the table of routes and against what is answered.

use std::collections::BTreeSet;

use leasehold::api::role_table;
use leasehold_aggregates::account::Role;
use serde_json::{Value, json};

use crate::bench::{Bench, events, party, quiet};
use crate::calendar::{recurring, verified};

const METHODS: [&str; 4] = ["get", "post", "put", "delete"];

async fn document(bench: &Bench) -> Value {
    let answer = bench.call("GET", "/api/openapi.json").send().await;
    assert_eq!(answer.headers["content-type"], "application/json");
    answer.is(200)
}

fn operations(document: &Value) -> Vec<(String, &Value)> {
    let mut found = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, told) in item.as_object().unwrap() {
            assert!(METHODS.contains(&method.as_str()), "{method} {path}");
            found.push((format!("{} {path}", method.to_uppercase()), told));
        }
    }
    found
}

#[tokio::test]
async fn every_route_is_described_with_its_roles_and_nothing_else() {
    let bench = Bench::new().await;
    let document = document(&bench).await;
    assert_eq!(document["openapi"], "3.1.0");
    let table = role_table();
    let mut lines = table.lines();
    let roles: Vec<&str> = lines.next().unwrap().split_whitespace().skip(2).collect();
    let held: BTreeSet<(String, Vec<&str>)> = lines
        .map(|line| {
            let cells: Vec<&str> = line.split_whitespace().collect();
            let admitted = roles.iter().zip(&cells[2..]).filter(|(_, cell)| **cell == "yes").map(|(role, _)| *role);
            (format!("{} {}", cells[0], cells[1]), admitted.collect())
        })
        .collect();
    let told = operations(&document);
    let described: BTreeSet<(String, Vec<&str>)> = told
        .iter()
        .map(|(route, operation)| {
            (route.clone(), operation["x-roles"].as_array().unwrap().iter().map(|role| role.as_str().unwrap()).collect())
        })
        .collect();
    assert_eq!(described, held);
    let ids: BTreeSet<&str> = told.iter().map(|(_, operation)| operation["operationId"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), told.len(), "an id names one operation");
}

#[tokio::test]
async fn every_part_of_it_is_there() {
    let bench = Bench::new().await;
    let document = document(&bench).await;
    for (route, operation) in operations(&document) {
        assert!(operation["summary"].as_str().is_some_and(|summary| summary.ends_with('.')), "{route}");
        let parameters = operation["parameters"].as_array().unwrap();
        let names: BTreeSet<(&str, &str)> =
            parameters.iter().map(|one| (one["in"].as_str().unwrap(), one["name"].as_str().unwrap())).collect();
        assert_eq!(names.len(), parameters.len(), "{route}: a parameter comes twice");
        let in_path: BTreeSet<&str> = route.split('{').skip(1).map(|rest| rest.split_once('}').unwrap().0).collect();
        let told: BTreeSet<&str> = names.iter().filter(|(place, _)| *place == "path").map(|(_, name)| *name).collect();
        assert_eq!(told, in_path, "{route}");
        let roles = operation["x-roles"].as_array().unwrap();
        let of_links = *roles == ["link"];
        assert_eq!(names.contains(&("header", "Idempotency-Key")), route.starts_with("POST") && !of_links, "{route}");
        let scheme = if of_links { json!([{"link": []}]) } else { json!([{"token": []}]) };
        let expected = if roles.contains(&json!("nobody")) { Value::Null } else { scheme };
        assert_eq!(operation["security"], expected, "{route}");
        let responses = operation["responses"].as_object().unwrap();
        assert!(responses.keys().any(|status| status.starts_with('2')), "{route}");
    }
    let gates = document["components"]["securitySchemes"].as_object().unwrap();
    assert_eq!(gates.keys().collect::<Vec<_>>(), ["link", "token"]);
    // Whatever it refers to is in it.
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let mut open = vec![&document];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(object) => {
                if let Some(reference) = object.get("$ref").and_then(Value::as_str) {
                    let name = reference.strip_prefix("#/components/schemas/").unwrap_or_else(|| panic!("{reference}"));
                    assert!(schemas.contains_key(name), "{reference}");
                }
                open.extend(object.values());
            }
            Value::Array(values) => open.extend(values),
            _ => {}
        }
    }
    for (name, schema) in schemas {
        assert!(jsonschema::meta::is_valid(schema), "{name} is no schema");
    }
}

/// An answer, and the schema that the document has for it.
fn holds(document: &Value, route: &str, answer: &Value) {
    let operation = operations(document).into_iter().find(|(named, _)| named == route).unwrap().1;
    let schema = &operation["responses"]["200"]["content"]["application/json"]["schema"];
    let whole = json!({"$defs": {}, "components": document["components"], "allOf": [schema]});
    let validator = jsonschema::validator_for(&whole).unwrap();
    let faults: Vec<String> =
        validator.iter_errors(answer).map(|error| format!("{error} at {}", error.instance_path())).collect();
    assert!(faults.is_empty(), "{route}: {faults:?}\n{answer}");
}

#[tokio::test]
async fn what_is_answered_is_what_it_describes() {
    let bench = Bench::controlled(leasehold::engine::settings::Settings::default()).await;
    let document = document(&bench).await;
    let id = verified(&bench, &recurring("often", json!({"kind": "weekly", "days": ["friday"], "time": "20:00"}), "UTC")).await;
    let hand = bench.publish(&party("by-hand")).await;
    bench.publish(&quiet("quiet")).await;
    let run = bench.admin("POST", &format!("/{hand}/runs")).send().await.is(201);
    let (run, head) = (run["id"].as_str().unwrap(), bench.head().await);
    let window = "from=2027-03-01&to=2027-05-01";
    for (route, path) in [
        ("GET /api/v1/admin/events", events("?")),
        ("GET /api/v1/admin/events/runs", events("/runs?")),
        ("GET /api/v1/admin/events/runs/{id}", events(&format!("/runs/{run}?"))),
        ("GET /api/v1/admin/events/calendar", events(&format!("/calendar?{window}&"))),
        ("GET /api/v1/public/events", "/api/v1/public/events?".into()),
        ("GET /api/v1/public/events/calendar", format!("/api/v1/public/events/calendar?{window}&")),
        ("GET /api/v1/public/events/{slug}", "/api/v1/public/events/often?".into()),
    ] {
        let answer = bench.call("GET", &format!("{path}minPosition={head}")).by(bench.person(Role::Admin)).send().await.is(200);
        assert!(answer["items"].as_array().is_none_or(|items| !items.is_empty()), "{route}: nothing to compare");
        holds(&document, route, &answer);
    }
    assert!(!id.is_empty());
}

#[tokio::test]
async fn the_page_renders_all_of_it_without_script() {
    let bench = Bench::new().await;
    let document = document(&bench).await;
    let page = bench.call("GET", "/api/docs").send().await;
    assert_eq!((page.status.as_u16(), &page.headers["content-type"]), (200, &"text/html; charset=utf-8".parse().unwrap()));
    let policy = page.headers["content-security-policy"].to_str().unwrap();
    assert!(policy.starts_with("default-src 'none'; style-src 'sha256-") && !policy.contains("script"), "{policy}");
    for (route, operation) in operations(&document) {
        let (method, path) = route.split_once(' ').unwrap();
        let line = format!("<b>{method}</b> <code>{path}</code>");
        assert!(page.text.contains(&line), "{route}");
        assert!(page.text.contains(&format!("id=\"{}\"", operation["operationId"].as_str().unwrap())), "{route}");
    }
    let tags: Vec<&str> = page.text.split('<').skip(1).filter_map(|tag| tag.split_once('>')).map(|(tag, _)| tag).collect();
    for forbidden in ["script", "javascript:", "onclick", "http://", "https://"] {
        assert_eq!(tags.iter().find(|tag| tag.contains(forbidden)), None, "{forbidden}");
    }
    for path in ["/api/openapi.json?x=1", "/api/docs?x=1"] {
        bench.call("GET", path).send().await.problem(422, "invalid_body");
    }
    let tag = page.etag().to_owned();
    assert_eq!(bench.call("GET", "/api/docs").header("if-none-match", &tag).send().await.status, 304);
}

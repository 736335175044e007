//! Bodies before anybody looks at what they say: their kind, their size, and whether they are JSON at all.

use leasehold_aggregates::account::Role;
use serde_json::{Value, json};

use crate::bench::{Bench, events, party, quiet};

#[tokio::test]
async fn a_body_says_that_it_is_json() {
    let bench = Bench::new().await;
    let body = quiet("quiet").to_string();
    let post = |kind: &str| bench.admin("POST", "").header("content-type", kind).bytes(body.clone());
    for other in
        ["text/plain", "application/xml", "application/json; charset=latin1", "application/jsonp", "", "multipart/form-data"]
    {
        post(other).send().await.problem(415, "not_json");
    }
    bench.admin("POST", "").bytes(body.clone()).send().await.problem(415, "not_json");
    post("application/json").header("content-encoding", "gzip").send().await.problem(415, "not_json");
    post("Application/JSON; charset=\"UTF-8\"").send().await.is(201);
}

#[tokio::test]
async fn a_body_has_a_limit_and_the_limit_is_told() {
    let bench = Bench::new().await;
    let spaces = |many: usize| format!("{{}}{}", " ".repeat(many - 2));
    bench.admin("POST", "").raw(spaces(1024 * 1024)).send().await.problem(422, "invalid_body");
    let problem = bench.admin("POST", "").raw(spaces(1024 * 1024 + 1)).send().await.problem(413, "too_large");
    assert!(problem["detail"].as_str().unwrap().contains("1048576"), "{problem}");
    bench.admin("PUT", "/actions").raw(spaces(256 * 1024)).send().await.problem(422, "invalid_body");
    bench.admin("PUT", "/actions").raw(spaces(256 * 1024 + 1)).send().await.problem(413, "too_large");
    assert_eq!(bench.drafts().await, 0);
}

#[tokio::test]
async fn the_longest_storyline_fits_whatever_its_letters() {
    let bench = Bench::new().await;
    let mut body = quiet("quiet");
    body["storyline"] = "\u{1F3EE}".repeat(200_000).into();
    bench.create(&body).await;
    body["slug"] = "longer".into();
    body["storyline"] = "x".repeat(200_001).into();
    let problem = bench.admin("POST", "").json(&body).send().await.problem(422, "invalid_body");
    assert_eq!(crate::bench::faults(&problem), [("/storyline", "wrong_length")]);
}

#[tokio::test]
async fn what_is_no_json_is_told_by_line_column_and_pointer() {
    let bench = Bench::new().await;
    let before = bench.head().await;
    let deep = format!("{{\"spec\":{}{}}}", "[".repeat(40), "]".repeat(40));
    let cases = [
        ("", ""),
        ("{", ""),
        ("{\"title\": \"x\"} {}", ""),
        ("{\n \"title\": oops}", "/title"),
        ("{\"title\": \"a\\u0000b\"}", "/title"),
        ("{\"spec\": {\"phases\": [{\"key\": \"\\ud800\"}]}}", "/spec/phases/0/key"),
        ("{\"title\": \"\\udc00\"}", "/title"),
        ("{\"title\": 1, \"title\": 2}", "/title"),
        ("{\"graceSeconds\": 9007199254740993.0}", "/graceSeconds"),
        ("{\"graceSeconds\": 1e999}", "/graceSeconds"),
        ("{\"graceSeconds\": NaN}", "/graceSeconds"),
        (deep.as_str(), "/spec/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0"),
    ];
    for (body, pointer) in cases {
        let problem = bench.admin("POST", "").raw(body.to_owned()).send().await.problem(400, "bad_json");
        assert!(problem["line"].as_u64().is_some() && problem["column"].as_u64().is_some(), "{problem}");
        assert_eq!(problem["pointer"], pointer, "{body}: {problem}");
    }
    let bytes = bench.admin("POST", "").raw(&b"{\"title\": \"\xff\"}"[..]).send().await.problem(400, "bad_json");
    assert_eq!(bytes["pointer"], "/title");
    assert_eq!((bench.head().await, bench.drafts().await), (before, 0));
}

#[tokio::test]
async fn where_a_body_may_be_absent_nothing_and_an_empty_object_are_the_same() {
    let bench = Bench::new().await;
    let id = bench.publish(&quiet("quiet")).await;
    for body in ["", "{}"] {
        let started = bench.admin("POST", &format!("/{id}/runs")).raw(body).send().await.is(201);
        assert_eq!(started["definitionId"], id);
    }
    bench.admin("POST", &format!("/{id}/runs")).send().await.is(201);
    for (body, status, code) in
        [("[]", 422, "invalid_body"), ("null", 422, "invalid_body"), (" ", 400, "bad_json"), ("{\"x\":1}", 422, "invalid_body")]
    {
        bench.admin("POST", &format!("/{id}/runs")).raw(body).send().await.problem(status, code);
    }
}

/// Every route that takes a body, with one that it would take.
fn takers(id: &str) -> Vec<(&'static str, String, Value)> {
    vec![
        ("POST", events(""), party("harvest")),
        ("PUT", events(&format!("/{id}")), quiet("quiet")),
        ("POST", events(&format!("/{id}/publish")), json!({})),
        ("POST", events(&format!("/{id}/verify")), json!({})),
        ("POST", events(&format!("/{id}/runs")), json!({"params": {}})),
        ("PUT", events("/actions"), json!({"action": "core.wait", "enabled": true, "caps": {}})),
        ("POST", events(&format!("/runs/{id}/cancel")), json!({"reason": "late"})),
        ("POST", events(&format!("/runs/{id}/steps/cue/confirm")), json!({"note": "done"})),
        ("POST", events("/occurrences"), json!({"schedule": {"kind": "manual"}})),
    ]
}

#[tokio::test]
async fn every_route_that_takes_a_body_takes_no_other() {
    let bench = Bench::new().await;
    let id = bench.create(&quiet("quiet")).await;
    let before = (bench.head().await, bench.drafts().await);
    let admin = bench.person(Role::Admin);
    for (method, path, mut body) in takers(&id) {
        let call = || bench.call(method, &path).by(admin).tag("\"1\"");
        body["unheardOf"] = json!(true);
        let problem = call().json(&body).send().await.problem(422, "invalid_body");
        assert!(crate::bench::faults(&problem).contains(&("/unheardOf", "unknown_field")), "{path}: {problem}");
        let doubled = body.to_string().replacen('{', "{\"unheardOf\":1,", 1);
        call().raw(doubled).send().await.problem(400, "bad_json");
        for wrong in ["[1]", "7", "\"text\"", "null"] {
            let problem = call().raw(wrong).send().await.problem(422, "invalid_body");
            assert_eq!(crate::bench::faults(&problem)[0], ("", "wrong_type"), "{path} {wrong}");
        }
        call().raw("{\"a\": \"\\u0000\"}").send().await.problem(400, "bad_json");
        call().header("content-type", "text/plain").bytes("x").send().await.problem(415, "not_json");
    }
    assert_eq!((bench.head().await, bench.drafts().await), before, "nothing was written");
}

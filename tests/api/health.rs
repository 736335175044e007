//! Whether the engine answers, and whether it can work.

use serde_json::json;

use crate::bench::Bench;

#[tokio::test]
async fn an_engine_that_can_work_says_so_part_by_part() {
    let bench = Bench::new().await;
    assert_eq!(bench.call("GET", "/healthz").send().await.is(200), json!({"status": "ok"}));
    let ready = bench.call("GET", "/readyz").send().await.is(200);
    assert_eq!((&ready["status"], &ready["log"]["open"]), (&json!("ready"), &json!(true)));
    assert_eq!(ready["log"]["guard"], "append-only by permission");
    assert_eq!(ready["log"]["position"], bench.head().await);
    let names: Vec<_> = ready["projections"].as_array().unwrap().iter().map(|projection| &projection["name"]).collect();
    assert_eq!(names, ["definitions", "runs", "ledger", "series", "results"]);
    assert!(ready["projections"][0]["behind"].is_u64(), "{ready}");
}

#[tokio::test]
async fn without_a_database_every_request_says_so_and_none_breaks() {
    let bench = Bench::new().await;
    bench.engine.log.pool().close().await;
    bench.call("GET", "/healthz").send().await.is(200);
    bench.call("GET", "/readyz").send().await.problem(503, "database_unavailable");
    let answer = bench.admin("GET", "").send().await;
    assert!(answer.headers.contains_key("retry-after"));
    answer.problem(503, "database_unavailable");
    bench.admin("POST", "").json(&crate::bench::quiet("quiet")).send().await.problem(503, "database_unavailable");
}

#[tokio::test]
async fn the_settings_are_told() {
    let bench = Bench::new().await;
    let settings = bench.call("GET", "/api/v1/admin/settings");
    let settings = settings.by(bench.person(leasehold_aggregates::account::Role::Moderator)).send().await.is(200);
    assert_eq!(
        (&settings["stepAttempts"], &settings["stepRetrySeconds"], &settings["horizonDays"]),
        (&json!(3), &json!(60), &json!(14))
    );
}

//! The plain page.

use leasehold::api::Open;
use leasehold_aggregates::account::Role;
use serde_json::json;

use crate::bench::{Answer, Bench, quiet};
use crate::runs::until;

/// `Basic` with any name and this password.
fn basic(token: &str) -> String {
    use base64::Engine as _;
    format!("Basic {}", base64::engine::general_purpose::STANDARD.encode(format!("anybody:{token}")))
}

async fn shown(bench: &Bench) -> Answer {
    bench.call("GET", "/").by(bench.person(Role::Admin)).send().await
}

/// A run of a definition with this title, as far as the projections have it.
async fn run_called(bench: &Bench, title: &str) -> String {
    let mut body = quiet("quiet");
    body["title"] = json!(title);
    body["spec"]["phases"][0]["steps"][0]["params"]["instruction"] = json!("Open <b>the</b> \"gate\" & 'wait'");
    let id = bench.publish(&body).await;
    let run = bench.admin("POST", &format!("/{id}/runs")).send().await.is(201);
    bench.admin("GET", &format!("/runs?minPosition={}", run["position"])).send().await.is(200);
    run["id"].as_str().unwrap().to_owned()
}

/// Field report A07.
#[tokio::test]
async fn it_shows_runs_steps_and_the_log_and_whatever_was_typed_is_text() {
    let bench = Bench::new().await;
    let empty = shown(&bench).await;
    assert!(empty.status == 200 && empty.text.contains("There is no run yet"), "{}", empty.text);
    let run = run_called(&bench, "<script>alert(1)</script>").await;
    let page = shown(&bench).await;
    assert_eq!(page.status, 200);
    assert!(
        page.text.contains(&run) && page.text.contains("run started") && page.text.contains("Nothing is held"),
        "{}",
        page.text
    );
    assert!(page.text.contains("&lt;script&gt;alert(1)") && page.text.contains("&lt;b&gt;the&lt;/b&gt;"), "{}", page.text);
    for markup in ["<script", "<b>", "onclick", "http-equiv", "<form", "<img", "javascript:"] {
        assert!(!page.text.contains(markup), "{markup}");
    }
}

/// Puts a run on the calendar that is due at once; gives its id.
async fn due(bench: &Bench, slug: &str, key: &str) -> String {
    let mut body = quiet(slug);
    body["concurrencyKey"] = json!(key);
    let at = bench.engine.clock.now().await.unwrap() - chrono::TimeDelta::seconds(5);
    body["spec"]["schedule"] = json!({"kind": "once", "at": at.format("%Y-%m-%dT%H:%M:%S").to_string()});
    let id = bench.publish(&body).await;
    let verified = bench.admin("POST", &format!("/{id}/verify")).tag("\"1\"").send().await.is(200);
    assert_eq!(verified["verified"], true, "{verified}");
    let mut nudge = bench.engine.log.subscribe();
    loop {
        let at = bench.head().await;
        let list = bench.admin("GET", &format!("/runs?definitionId={id}&minPosition={at}")).send().await.is(200);
        if let Some(run) = list["items"][0]["id"].as_str() {
            return run.to_owned();
        }
        nudge.changed().await.unwrap();
    }
}

#[tokio::test]
async fn what_goes_on_comes_first_and_a_run_that_is_held_up_says_by_whom() {
    let bench = Bench::new().await;
    let ended = run_called(&bench, "Over").await;
    bench.admin("POST", &format!("/runs/{ended}/cancel")).send().await.is(200);
    let holder = due(&bench, "holder", "gate").await;
    until(&bench, &holder, |run| run["waitingSteps"] == 1).await;
    let waiting = due(&bench, "waiting", "gate").await;
    let read = until(&bench, &waiting, |run| run["blockedBy"].is_string()).await;
    assert_eq!((&read["blockedBy"], &read["status"]), (&json!(holder), &json!("scheduled")));
    let at = bench.head().await;
    bench.admin("GET", &format!("/runs?minPosition={at}")).send().await.is(200);
    let page = shown(&bench).await.text;
    let place = |text: &str| page.find(text).unwrap_or_else(|| panic!("no {text} in {page}"));
    let held_up = format!("the concurrency key gate is held by run </span><code>{holder}</code>");
    let order = ["1 step waits", waiting.as_str(), held_up.as_str(), ended.as_str(), "waits for a person to confirm"];
    assert!(order.map(place).is_sorted(), "{page}");
    bench.admin("POST", &format!("/runs/{waiting}/cancel")).send().await.is(200);
    let read = bench.admin("GET", &format!("/runs/{waiting}")).send().await.is(200);
    assert_eq!(read["blockedBy"], serde_json::Value::Null, "what has ended waits for nobody");
}

#[tokio::test]
async fn nothing_of_it_runs_or_is_loaded_and_it_comes_again_every_second() {
    let bench = Bench::new().await;
    let page = shown(&bench).await;
    assert_eq!(page.headers["refresh"], "1");
    assert_eq!(page.headers["x-content-type-options"], "nosniff");
    assert!(page.headers["content-type"].to_str().unwrap().starts_with("text/html"));
    let policy = page.headers["content-security-policy"].to_str().unwrap();
    let style = page.text.split("<style>").nth(1).unwrap().split("</style>").next().unwrap();
    let digest = {
        use base64::Engine as _;
        use sha2::Digest;
        base64::engine::general_purpose::STANDARD.encode(sha2::Sha256::digest(style))
    };
    assert!(policy.contains(&format!("style-src 'sha256-{digest}'")), "{policy}");
    assert!(policy.starts_with("default-src 'none';") && policy.contains("frame-ancestors 'none'"), "{policy}");
}

#[tokio::test]
async fn it_is_for_staff_and_says_how_to_get_in() {
    let bench = Bench::new().await;
    let page = || bench.call("GET", "/");
    let stranger = page().send().await;
    assert_eq!(stranger.status, 401);
    assert_eq!(stranger.headers["www-authenticate"], "Basic realm=\"leasehold\", charset=\"UTF-8\"");
    assert!(stranger.text.contains("leasehold user token"), "{}", stranger.text);
    let moderator = &bench.person(Role::Moderator).token;
    assert_eq!(page().header("authorization", &basic(moderator)).send().await.status, 200);
    for wrong in [basic("nobody"), "Basic ???".to_owned(), "Basic".to_owned(), basic(moderator).replace("Basic", "Digest")] {
        assert_eq!(page().header("authorization", &wrong).send().await.status, 401, "{wrong}");
    }
    page().header("authorization", &basic(&bench.person(Role::Player).token)).send().await.problem(403, "role_required");
    let api = bench.call("GET", "/api/v1/me").header("authorization", &basic(moderator)).send().await;
    api.problem(401, "unauthorized");
    bench.call("POST", "/").by(bench.person(Role::Admin)).send().await.problem(405, "method_not_allowed");
}

#[tokio::test]
async fn where_reading_is_open_it_is_open_to_this_machine() {
    let bench = Bench::with(Open::ReadAtLoopback).await;
    assert_eq!(bench.call("GET", "/").host("127.0.0.1:7878").send().await.status, 200);
    bench.call("GET", "/").host("evil.example").send().await.problem(421, "host_not_loopback");
    assert_eq!(bench.call("GET", "/").host("localhost").header("authorization", "Bearer nobody").send().await.status, 401);
}

#[tokio::test]
async fn while_the_database_is_away_it_says_so_and_tries_again() {
    let bench = Bench::with(Open::ReadAtLoopback).await;
    bench.engine.log.pool().close().await;
    let page = bench.call("GET", "/").host("localhost").send().await;
    assert_eq!(page.status, 503);
    assert_eq!(page.headers["refresh"], "1");
    assert!(page.text.contains("does not answer"), "{}", page.text);
}

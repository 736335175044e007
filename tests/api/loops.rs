//! Loops that stand still, and games that are not reached: what `/readyz`, `/metrics` and the page say of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::routing::post;
use leasehold::api::Open;
use leasehold::engine::heartbeat::heartbeat;
use leasehold::engine::settings::Settings;
use leasehold_aggregates::account::Role;
use leasehold_module::{Failure, Reach};
use serde_json::{Value, json};
use sqlx::{Connection, Executor};

use crate::bench::Bench;
use crate::exposition::Exposition;

const LOOPS: [&str; 14] = [
    "drain",
    "feed/demo/main",
    "gatekeeper",
    "leadership",
    "links",
    "projection/definitions/2",
    "projection/ledger/1",
    "projection/runs/2",
    "projection/series/1",
    "runner",
    "scheduler",
    "triggers",
    "reconciler",
    "projection/results/1",
];

async fn impatient() -> Bench {
    Bench::made(Open::Closed, Settings { loop_patience_seconds: 3, ..Settings::default() }).await
}

#[tokio::test]
async fn every_loop_has_its_heartbeat_and_none_stands_still() {
    let bench = Bench::new().await;
    let told = Exposition::read(&bench.call("GET", "/metrics").send().await.text);
    let now = bench.engine.clock.now().await.unwrap().timestamp();
    for name in LOOPS {
        let at = told.value("leasehold_heartbeat_timestamp_seconds", &[("loop", name)]);
        assert!((at - f64::from(u32::try_from(now).unwrap())).abs() < 60.0, "{name} last looked at {at}, and it is {now}");
    }
    assert_eq!((told.series("leasehold_heartbeat_age_seconds"), told.whole("leasehold_loops_stalled", &[])), (LOOPS.len(), 0));
    let ready = bench.call("GET", "/readyz").send().await.is(200);
    assert_eq!(ready["loops"], json!({"patienceSeconds": 60, "stalled": []}));
}

/// Somebody holds the table of staged items: the drain hangs, or finds nothing out, and nothing else is touched by it.
#[tokio::test]
async fn a_drain_that_hangs_is_named_and_the_engine_unready_until_it_looks_again() {
    let bench = impatient().await;
    let mut other = sqlx::PgConnection::connect(&bench.database.owner_url).await.unwrap();
    let mut held = other.begin().await.unwrap();
    held.execute("lock table public.staged in access exclusive mode").await.unwrap();
    let stalled = |answer: &Value| answer["loops"]["stalled"].as_array().is_some_and(|stalled| stalled.len() == 1);
    let answer = bench.until("/readyz", |answer| stalled(&answer.body)).await.is(503);
    assert_eq!((&answer["status"], &answer["loops"]["stalled"][0]["name"]), (&json!("not_ready"), &json!("drain")));
    assert!(answer["loops"]["stalled"][0]["ageSeconds"].as_u64().unwrap() >= 3, "{answer}");
    let told = Exposition::read(&bench.call("GET", "/metrics").send().await.text);
    assert_eq!(told.whole("leasehold_loops_stalled", &[]), 1);
    assert!(told.value("leasehold_heartbeat_age_seconds", &[("loop", "drain")]) >= 3.0);
    held.rollback().await.unwrap();
    bench.until("/readyz", |answer| answer.status == 200).await;
}

#[tokio::test]
async fn a_game_that_is_gone_is_told_and_makes_nothing_unready() {
    let bench = impatient().await;
    let page = async || bench.call("GET", "/").by(bench.person(Role::Admin)).send().await.text;
    let links = |answer: &Value| answer["links"].clone();
    assert_eq!(links(&bench.call("GET", "/readyz").send().await.is(200)), json!([]));
    *bench.reach.lock().unwrap() = Some(Reach::Unreachable(Failure::not_now("not_sent", "nothing answers")));
    let answer = bench.until("/readyz", |answer| answer.body["degraded"] == true).await.is(200);
    let never = json!([{"scope": "main", "reachable": false, "connected": false, "lastAnswerAt": null, "why": "not_sent"}]);
    assert_eq!((&answer["status"], links(&answer)), (&json!("ready"), never));
    assert!(page().await.contains("The link does not answer for"), "{}", page().await);

    *bench.reach.lock().unwrap() = Some(Reach::Connected { key_memory_seconds: Some(900), boot_id: None });
    let answer = bench.until("/readyz", |answer| answer.body["degraded"] == false).await.is(200);
    assert!(links(&answer)[0]["lastAnswerAt"].is_string(), "{answer}");
    let told = Exposition::read(&bench.until("/metrics", |answer| answer.text.contains("key_memory_seconds{")).await.text);
    let main = &[("scope", "main")];
    assert_eq!((told.whole("leasehold_link_reachable", main), told.whole("leasehold_link_game_connected", main)), (1, 1));
    assert_eq!(told.whole("leasehold_link_key_memory_seconds", main), 900);

    *bench.reach.lock().unwrap() = Some(Reach::NoGame(Failure::refused("protocol_mismatch", "another protocol")));
    let answer = bench.until("/readyz", |answer| answer.body["degraded"] == true).await.is(200);
    assert_eq!((&answer["links"][0]["reachable"], &answer["links"][0]["why"]), (&json!(true), &json!("protocol_mismatch")));
    assert!(page().await.contains("No game is connected to the link of"));
}

#[tokio::test]
async fn the_dead_mans_switch_hears_of_an_engine_whose_loops_are_at_work_and_of_no_other() {
    let bench = impatient().await;
    let heard = Arc::new(AtomicUsize::new(0));
    let hear = async |State(heard): State<Arc<AtomicUsize>>| {
        heard.fetch_add(1, Ordering::SeqCst);
    };
    let router = Router::new().route("/ping/secret", post(hear)).with_state(Arc::clone(&heard));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/ping/secret", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    bench.engine.tasks.spawn(heartbeat(bench.engine.clone(), url.parse().unwrap(), Duration::from_millis(20)));
    let more_than = async |before: usize| {
        bench.until("/readyz", |_| heard.load(Ordering::SeqCst) > before).await;
    };
    more_than(2).await;

    let mut other = sqlx::PgConnection::connect(&bench.database.owner_url).await.unwrap();
    let mut held = other.begin().await.unwrap();
    held.execute("lock table public.staged in access exclusive mode").await.unwrap();
    bench.until("/readyz", |answer| answer.status == 503).await;
    // One more may have been on its way when the loop began to count as standing still.
    let silent = heard.load(Ordering::SeqCst) + 1;
    let again = bench.engine.clock.now().await.unwrap() + chrono::TimeDelta::milliseconds(300);
    while bench.engine.clock.now().await.unwrap() < again {
        bench.call("GET", "/readyz").send().await.is(503);
    }
    assert!(heard.load(Ordering::SeqCst) <= silent, "what hangs is silent");
    held.rollback().await.unwrap();
    more_than(silent).await;
}

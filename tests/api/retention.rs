//! What is past its keeping goes, of runs that are over, and nothing else does.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use leasehold::engine::retention::{Look, NAME, look};
use leasehold::engine::settings::Settings;
use leasehold_aggregates::account::Role;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::bench::{Bench, quiet};
use crate::runs::until;

const DAYS: u32 = 30;

/// A definition whose runs ask a person twice.
fn asking(slug: &str) -> Value {
    let mut body = quiet(slug);
    let steps = body["spec"]["phases"][0]["steps"].as_array_mut().unwrap();
    let mut second = steps[0].clone();
    second["key"] = json!("again");
    steps.push(second);
    body
}

async fn waiting(bench: &Bench, body: &Value) -> String {
    let definition = bench.publish(body).await;
    let run = bench.admin("POST", &format!("/{definition}/runs")).send().await.is(201)["id"].as_str().unwrap().to_owned();
    until(bench, &run, |run| run["waitingSteps"] == 1).await;
    run
}

async fn confirm(bench: &Bench, run: &str, step: &str, note: &str) {
    let path = format!("/runs/{run}/steps/{step}/confirm");
    bench.admin("POST", &path).json(&json!({"note": note})).send().await.is(200);
}

async fn notes(bench: &Bench) -> Vec<String> {
    sqlx::query_scalar("select body from notes order by body").fetch_all(bench.engine.log.pool()).await.unwrap()
}

async fn lead(bench: &Bench, holder: u128) -> u64 {
    let holder = Uuid::from_u128(holder);
    bench.engine.log.acquire(NAME, holder, Duration::from_secs(600)).await.unwrap().unwrap()
}

/// Looks until there is nothing more to do at `now`; how many notes went.
async fn prune(bench: &Bench, epoch: u64, now: DateTime<Utc>) -> u64 {
    let mut gone = 0;
    while let Look::Moved { notes } = look(&bench.engine, DAYS, epoch, now).await.unwrap() {
        gone += notes;
    }
    gone
}

#[tokio::test]
async fn only_the_words_of_runs_that_are_over_go_and_only_when_they_are_old() {
    let bench = Bench::new().await;
    let over = waiting(&bench, &quiet("over")).await;
    confirm(&bench, &over, "cue", "over").await;
    until(&bench, &over, |run| run["status"] == "completed").await;
    let open = waiting(&bench, &asking("open")).await;
    confirm(&bench, &open, "cue", "open").await;
    until(&bench, &open, |run| run["waitingSteps"] == 1).await;
    let told = bench.admin("GET", &format!("/runs/{over}/log")).send().await.is(200);
    let epoch = lead(&bench, 1).await;

    let now = bench.engine.clock.now().await.unwrap();
    let day = TimeDelta::days;
    let young = look(&bench.engine, DAYS, epoch, now + day(29)).await.unwrap();
    assert!(matches!(young, Look::Young { until } if until > now + day(29) && until <= now + day(30)), "{young:?}");
    assert_eq!(notes(&bench).await, ["open", "over"]);

    assert_eq!(prune(&bench, epoch, now + day(31)).await, 1);
    assert_eq!(notes(&bench).await, ["open"], "a run that waits keeps its words, however old");
    let after = bench.admin("GET", &format!("/runs/{over}/log")).send().await.is(200);
    let lines = |told: &Value| told["items"].as_array().unwrap().clone();
    let differs: Vec<_> = lines(&after).into_iter().zip(lines(&told)).filter(|(after, before)| after != before).collect();
    let [(line, was)] = &differs[..] else { panic!("{differs:?}") };
    assert!(line["text"].as_str().unwrap().contains("erased") && was["text"].as_str().unwrap().contains("over"), "{line}");
    let head = bench.head().await;
    assert_eq!(bench.engine.log.verify(None, |_| {}).await.unwrap().events, head + 1, "no event is missing");

    confirm(&bench, &open, "again", "open again").await;
    until(&bench, &open, |run| run["status"] == "completed").await;
    assert_eq!(prune(&bench, epoch, now + day(29)).await, 0);
    assert_eq!(prune(&bench, epoch, now + day(31)).await, 2, "its words are old once its end is");
    assert_eq!(prune(&bench, epoch, now + day(400)).await, 0);
}

#[tokio::test]
async fn whoever_has_lost_the_lead_deletes_nothing() {
    let bench = Bench::new().await;
    let run = waiting(&bench, &quiet("over")).await;
    confirm(&bench, &run, "cue", "kept").await;
    until(&bench, &run, |run| run["status"] == "completed").await;
    let old = lead(&bench, 1).await;
    assert!(bench.engine.log.release(NAME, Uuid::from_u128(1), old).await.unwrap());
    let new = lead(&bench, 2).await;
    let later = bench.engine.clock.now().await.unwrap() + TimeDelta::days(31);
    assert_eq!(look(&bench.engine, DAYS, old, later).await.unwrap(), Look::Lost);
    assert_eq!(notes(&bench).await, ["kept"]);
    assert_eq!(prune(&bench, new, later).await, 1);
}

#[tokio::test]
async fn a_run_that_cannot_be_read_keeps_its_words_and_holds_nobody_up() {
    let bench = Bench::new().await;
    let [odd, fine] = [waiting(&bench, &quiet("odd")).await, waiting(&bench, &quiet("fine")).await];
    for run in [&odd, &fine] {
        confirm(&bench, run, "cue", run).await;
        until(&bench, run, |run| run["status"] == "completed").await;
    }
    bench.raw_event("run", &odd, "run_sung", "1", r#"{"type": "run_sung"}"#).await;
    let epoch = lead(&bench, 1).await;
    let later = bench.engine.clock.now().await.unwrap() + TimeDelta::days(31);
    assert_eq!(prune(&bench, epoch, later).await, 1);
    assert_eq!(notes(&bench).await, [odd]);
}

async fn bound(bench: &Bench) -> Value {
    let settings = bench.call("GET", "/api/v1/admin/settings").by(bench.person(Role::Admin)).send().await;
    settings.is(200)["retainRunLogDays"].clone()
}

#[tokio::test]
async fn the_engine_does_it_by_itself_where_a_bound_is_set_and_says_which() {
    let forever = Bench::new().await;
    assert_eq!(bound(&forever).await, Value::Null);
    let bench = Bench::controlled(Settings { retain_run_log_days: Some(2), ..Settings::default() }).await;
    assert_eq!(bound(&bench).await, 2);
    let run = waiting(&bench, &quiet("over")).await;
    confirm(&bench, &run, "cue", "over").await;
    until(&bench, &run, |run| run["status"] == "completed").await;
    bench.advance(TimeDelta::days(3)).await;
    let gone = async {
        while !notes(&bench).await.is_empty() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), gone).await.expect("the note is still there");
}

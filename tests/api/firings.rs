//! Trigger files: started once for each signal, refused past the hop budget, tried again when a person says so.

use std::sync::Arc;
use std::time::Duration;

use leasehold::engine::firings::{STALE_AFTER, TriggerText};
use leasehold::engine::registry::Registry;
use leasehold::engine::settings::Settings;
use leasehold::engine::{Engine, clock::Clock};
use leasehold::log::{Claimed, Firing, FiringRow, FiringState, Retried};
use leasehold_aggregates::account::Role;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::bench::Bench;
use crate::lamps::Lamps;
use crate::signals::broken;

/// A definition that is over as soon as it starts, published and verified.
async fn quick(bench: &Bench, slug: &str) -> String {
    let body = json!({
        "title": "Quick", "slug": slug, "timezone": "UTC",
        "spec": {"schedule": {"kind": "manual"}, "params": [], "phases": [{"key": "say", "label": "Say", "steps": [
            {"key": "hail", "action": "core.announce", "params": {"leg": "log", "text": "Hail"}}]}]}
    });
    let id = bench.publish(&body).await;
    let tag = bench.admin("GET", &format!("/{id}")).send().await.etag().to_owned();
    let verified = bench.admin("POST", &format!("/{id}/verify")).tag(&tag).send().await.is(200);
    assert_eq!(verified["verified"], true, "{verified}");
    id
}

fn file(name: &str, body: &Value) -> TriggerText {
    TriggerText { name: name.to_owned(), path: format!("trigger-{name}.json").into(), text: body.to_string().into_bytes() }
}

async fn firings(bench: &Bench, wanted: impl Fn(&[FiringRow]) -> bool) -> Vec<FiringRow> {
    let look = async {
        loop {
            let rows = bench.engine.log.firings(None, None, 100).await.unwrap();
            if wanted(&rows) {
                return rows;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), look).await.expect("the firings never came to that")
}

fn settled(rows: &[FiringRow]) -> bool {
    rows.iter().all(|row| row.state != FiringState::Running)
}

async fn runs_of(bench: &Bench, definition: &str) -> i64 {
    let runs = sqlx::query_scalar(
        "select count(*) from events where event_type = 'run_scheduled' and payload #>> '{run,definition_id}' = $1",
    );
    runs.bind(definition).fetch_one(bench.engine.log.pool()).await.unwrap()
}

#[tokio::test]
async fn one_signal_starts_one_run_however_many_engines_are_there() {
    let bench = Bench::new().await;
    let id = quick(&bench, "quick").await;
    let body = json!({"on": "demo.lamp.broken", "where": {"var": "region", "cmp": "eq", "value": "North"}, "start": "quick"});
    let files = vec![file("lamps", &body)];
    let lamps = Lamps::reached(Arc::clone(&bench.reach), Arc::clone(&bench.seen), Arc::clone(&bench.feed));
    let (log, registry) = (bench.database.log().await, Registry::new(vec![Arc::new(lamps)]).unwrap());
    let clock = Clock::of_database(log.pool().clone());
    let second = Engine::new(log, registry, Settings::default(), clock);
    second.take_trigger_files(files.clone());
    second.run().await.unwrap();
    bench.engine.take_trigger_files(files);
    bench.reports((0..10).map(|nth| broken(&format!("lamp-{nth}"), if nth % 2 == 0 { "North" } else { "South" })));
    let rows = firings(&bench, |rows| rows.len() == 5 && settled(rows)).await;
    second.stop.cancel();
    assert!(rows.iter().all(|row| row.state == FiringState::Dispatched && row.attempts == 1), "{rows:?}");
    assert_eq!(runs_of(&bench, &id).await, 5);

    // Read again from the beginning, everything is found done.
    assert_eq!(bench.engine.log.rewind_cursor("triggers", 0).await.unwrap(), Some(true));
    let head = bench.head().await;
    let past = "select position >= $1 from cursors where consumer = 'triggers'";
    while !sqlx::query_scalar::<_, bool>(past).bind(head.cast_signed()).fetch_one(bench.engine.log.pool()).await.unwrap() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!((runs_of(&bench, &id).await, bench.engine.log.firings(None, None, 100).await.unwrap()), (5, rows));
}

#[tokio::test]
async fn a_file_on_the_consequences_of_its_own_run_dies_out() {
    let bench = Bench::new().await;
    let id = quick(&bench, "quick").await;
    let on_itself = json!({"on": "event.run.completed", "start": id});
    bench.engine.take_trigger_files(vec![file("again", &on_itself)]);
    bench.start(&id).await;
    let rows = firings(&bench, |rows| rows.iter().any(|row| row.state == FiringState::Refused)).await;
    let hops: Vec<u64> = rows.iter().rev().map(|row| row.hops).collect();
    assert_eq!(hops, [0, 1, 2, 3, 4], "{rows:?}");
    assert_eq!(runs_of(&bench, &id).await, 5, "the one by hand, and four by firings");
    let refused = &rows[0];
    assert!(refused.outcome.as_deref().unwrap().contains("LEASEHOLD_HOP_BUDGET"), "{refused:?}");
}

#[tokio::test]
async fn what_may_not_start_by_itself_is_refused_and_may_be_tried_again() {
    let bench = Bench::new().await;
    let unverified = bench.publish(&crate::bench::quiet("quiet")).await;
    bench.engine.take_trigger_files(vec![file("lamps", &json!({"on": "demo.lamp.broken", "start": "quiet"}))]);
    bench.reports([broken("one", "North")]);
    let rows = firings(&bench, |rows| rows.len() == 1 && settled(rows)).await;
    assert_eq!(rows[0].state, FiringState::Refused);
    assert!(rows[0].outcome.as_deref().unwrap().contains("dry run"), "{rows:?}");
    let tag = bench.admin("GET", &format!("/{unverified}")).send().await.etag().to_owned();
    bench
        .call("POST", &crate::bench::events(&format!("/{unverified}/verify")))
        .by(bench.person(Role::Admin))
        .tag(&tag)
        .send()
        .await
        .is(200);
    let position = rows[0].position;
    let retry = || bench.engine.log.retry_firing("trigger/lamps", position, STALE_AFTER);
    assert_eq!(retry().await.unwrap(), Retried::Claimable);
    assert_eq!(bench.engine.take_over_once().await.unwrap(), 1);
    let again = firings(&bench, settled).await;
    assert_eq!((again[0].state, again[0].attempts), (FiringState::Dispatched, 2));
    assert_eq!(again[0].first_claimed_at, rows[0].first_claimed_at, "the first attempt dates it");
    assert_eq!(runs_of(&bench, &unverified).await, 1);
    assert_eq!(bench.engine.log.retry_firing("trigger/none", position, STALE_AFTER).await.unwrap(), Retried::Unknown);
}

#[tokio::test]
async fn of_many_that_claim_one_has_it_and_a_living_claim_is_not_taken() {
    let bench = Bench::new().await;
    let log = &bench.engine.log;
    let firing = Firing { consumer: "trigger/x", position: 7, trigger: "demo.lamp.broken", scope: "main", hops: 0 };
    let claims = futures::future::join_all((0..16).map(|nth| log.claim_firing(&firing, Uuid::from_u128(nth), STALE_AFTER))).await;
    let ours = |claims: &[Claimed]| claims.iter().filter(|claim| matches!(claim, Claimed::Ours(_))).count();
    let claims: Vec<Claimed> = claims.into_iter().map(Result::unwrap).collect();
    assert_eq!(ours(&claims), 1);
    assert_eq!(log.retry_firing("trigger/x", 7, STALE_AFTER).await.unwrap(), Retried::Live);

    // Its process died: whoever comes past the bound has it, one of many, and the dead one's word counts no more.
    let died = claims.iter().position(|claim| matches!(claim, Claimed::Ours(_))).unwrap();
    let Claimed::Ours(old) = claims[died] else { unreachable!() };
    let age = "update firings set claimed_at = claimed_at - interval '1 day'";
    sqlx::query(age).execute(log.pool()).await.unwrap();
    assert_eq!(log.claimable_firings(STALE_AFTER, 10).await.unwrap(), [("trigger/x".to_owned(), 7)]);
    let over =
        futures::future::join_all((100..116).map(|nth| log.claim_firing(&firing, Uuid::from_u128(nth), STALE_AFTER))).await;
    let over: Vec<Claimed> = over.into_iter().map(Result::unwrap).collect();
    assert_eq!(ours(&over), 1);
    let told = (FiringState::Dispatched, None, "done");
    let dead = Uuid::from_u128(u128::try_from(died).unwrap());
    assert!(!log.settle_firing(("trigger/x", 7), (dead, old), told).await.unwrap());
    let nth = over.iter().position(|claim| matches!(claim, Claimed::Ours(_))).unwrap();
    let Claimed::Ours(claim) = over[nth] else { unreachable!() };
    let holder = Uuid::from_u128(100 + u128::try_from(nth).unwrap());
    assert_eq!((claim.attempt, claim.round), (2, 0), "the same deed");
    assert!(log.settle_firing(("trigger/x", 7), (holder, claim), told).await.unwrap());
    assert_eq!(log.claim_firing(&firing, dead, Duration::ZERO).await.unwrap(), Claimed::Taken, "its outcome is known");
    let head = bench.head().await;
    assert_eq!(log.firings(Some("trigger/x"), Some(FiringState::Dispatched), 10).await.unwrap().len(), 1);
    assert_eq!(bench.head().await, head, "looking appends nothing");
}

/// What a rehearsal leads to is a rehearsal, so that a file tells players nothing of it.
#[tokio::test]
async fn what_a_rehearsal_fires_starts_a_rehearsal() {
    let bench = Bench::new().await;
    let id = quick(&bench, "quick").await;
    let other = quick(&bench, "other").await;
    bench.engine.take_trigger_files(vec![file(
        "then",
        &json!({"on": "event.run.ending",
        "where": {"var": "definition", "cmp": "eq", "value": other}, "start": "quick"}),
    )]);
    for rehearsal in [true, false] {
        bench.admin("POST", &format!("/{other}/runs")).json(&json!({"rehearsal": rehearsal})).send().await.is(201);
    }
    firings(&bench, |rows| rows.len() == 2 && settled(rows)).await;
    let told = "select string_agg(payload #>> '{run,rehearsal}', ' ' order by position) from events
                where event_type = 'run_scheduled' and payload #>> '{run,definition_id}' = $1";
    let told: String = sqlx::query_scalar(told).bind(&id).fetch_one(bench.engine.log.pool()).await.unwrap();
    assert_eq!(told, "true false");
}

/// While everything is stopped nothing starts, whatever fires; that is on record, and a person has it fired once more afterwards.
#[tokio::test]
async fn a_stop_refuses_what_a_file_would_start() {
    let bench = Bench::new().await;
    let id = quick(&bench, "quick").await;
    bench.engine.take_trigger_files(vec![file("lamps", &json!({"on": "demo.lamp.broken", "start": "quick"}))]);
    bench.admin("POST", "/stop").json(&json!({"reason": "the host is on fire"})).send().await.is(201);
    bench.reports([broken("one", "North")]);
    let rows = firings(&bench, |rows| rows.len() == 1 && settled(rows)).await;
    assert_eq!((rows[0].state, runs_of(&bench, &id).await), (FiringState::Refused, 0));
    assert!(rows[0].outcome.as_deref().unwrap().contains("stopped"), "{rows:?}");
    bench.admin("DELETE", "/stop").send().await.is(200);
    let retried = bench.engine.log.retry_firing("trigger/lamps", rows[0].position, STALE_AFTER).await.unwrap();
    assert_eq!(retried, Retried::Claimable);
    assert_eq!(bench.engine.take_over_once().await.unwrap(), 1);
    firings(&bench, |rows| rows[0].state == FiringState::Dispatched).await;
    assert_eq!(runs_of(&bench, &id).await, 1);
}

/// A game declares its triggers only when it comes on its line: from then on the files that name them are in force.
#[tokio::test]
async fn a_file_comes_into_force_with_the_declaration_of_its_trigger() {
    let bench = Bench::new().await;
    let id = quick(&bench, "quick").await;
    let declared = bench.engine.registry().with_unlent(std::collections::BTreeSet::new());
    bench.engine.replace_registry(Registry::new(Vec::new()).unwrap());
    bench.engine.take_trigger_files(vec![file("lamps", &json!({"on": "demo.lamp.broken", "start": "quick"}))]);
    bench.engine.replace_registry(declared);
    bench.reports([broken("one", "North")]);
    let rows = firings(&bench, |rows| rows.len() == 1 && settled(rows)).await;
    assert_eq!((rows[0].state, runs_of(&bench, &id).await), (FiringState::Dispatched, 1), "{rows:?}");
}

//! `Idempotency-Key`: what is sent again is answered as the first time and does nothing, whatever happened in between.

use std::sync::atomic::{AtomicBool, Ordering};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::Request;
use leasehold::api::{Api, Open, router};
use leasehold::console;
use leasehold::engine::clock::Clock;
use leasehold::engine::registry::Registry;
use leasehold::engine::settings::Settings;
use leasehold::engine::{Engine, keyed};
use leasehold_aggregates::account::Role;
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::bench::{Answer, Bench, Call, Person, events, faults, party, quiet};
use crate::runs::until;

impl Call<'_> {
    fn key(self, key: &str) -> Self {
        self.header("idempotency-key", key)
    }
}

/// A published definition without a concurrency key, so that nothing but the key stands between two starts.
async fn ready(bench: &Bench, slug: &str) -> String {
    let mut body = party(slug);
    body["concurrencyKey"] = Value::Null;
    bench.publish(&body).await
}

async fn runs(bench: &Bench) -> i64 {
    let count = "select count(*) from events where event_type = 'run_started'";
    sqlx::query_scalar(count).fetch_one(bench.engine.log.pool()).await.unwrap()
}

/// What the admin has done: the run goes on by itself meanwhile.
async fn deeds(bench: &Bench) -> i64 {
    let count = sqlx::query_scalar("select count(*) from events where metadata ->> 'actor' = $1");
    count.bind(&bench.person(Role::Admin).id).fetch_one(bench.engine.log.pool()).await.unwrap()
}

/// As if the engine had died after it had carried the request out and before it could write down what it answered.
async fn lose_answers(bench: &Bench) {
    let lost = "update idempotency_keys set status = null, headers = null, body = null, claimed_until = now() - interval '1 s'";
    sqlx::query(lost).execute(bench.engine.log.pool()).await.unwrap();
}

#[tokio::test]
async fn every_route_that_is_posted_to_takes_a_key_and_refuses_what_is_none() {
    let bench = Bench::new().await;
    let table = include_str!("../../docs/roles.txt");
    // A link repeats by the number of a request, and takes no key.
    let of_accounts = table.lines().filter(|line| !line.contains("/link/"));
    let posted: Vec<&str> = of_accounts.filter_map(|line| line.strip_prefix("POST")?.split_whitespace().next()).collect();
    assert!(posted.len() >= 8, "{posted:?}");
    for path in posted {
        let id = "00000000-0000-4000-8000-000000000000";
        let names = path.split('/').map(|part| if part.starts_with('{') { id } else { part });
        let path = names.collect::<Vec<_>>().join("/");
        for wrong in ["", "two words", "t\u{e9}t", "\t", &"k".repeat(256)] {
            let call = bench.call("POST", &path).by(bench.person(Role::Admin)).key(wrong);
            let problem = call.send().await.problem(422, "bad_idempotency_key");
            assert_eq!(faults(&problem), [("Idempotency-Key", "bad_idempotency_key")], "{path} {wrong:?}");
        }
        bench.call("POST", &path).key("").send().await.problem(401, "unauthorized");
    }
    let longest = "k".repeat(255);
    let started = |key: &str| bench.admin("POST", "").key(key).json(&quiet("quiet")).send();
    started(&longest).await.is(201);
    started(&longest).await.is(201);
    started("~!\"#,;:\\").await.problem(409, "slug_taken");
}

/// Field report Q07.
#[tokio::test]
async fn one_key_is_one_request() {
    let bench = Bench::new().await;
    let (a, b) = (ready(&bench, "a").await, ready(&bench, "b").await);
    let start = |id: &str, body: &Value| bench.admin("POST", &format!("/{id}/runs")).key("K").json(body);
    let first = start(&a, &json!({})).send().await;
    let again = start(&a, &json!({})).send().await;
    assert_eq!((first.status, &first.text, first.headers.get("idempotency-replayed")), (again.status, &again.text, None));
    assert_eq!(again.headers["idempotency-replayed"], "true");
    for name in ["location", "content-type", "x-content-type-options", "cache-control"] {
        assert_eq!(first.headers[name], again.headers[name], "{name}");
    }
    let before = deeds(&bench).await;
    for other in [
        start(&b, &json!({})),
        start(&a, &json!({"params": {"region": "Trinsic"}})),
        start(&a, &json!({})).tag("*"),
        bench.admin("POST", &format!("/{a}/publish")).tag("*").key("K"),
        bench.admin("POST", "").key("K").json(&quiet("c")),
    ] {
        let problem = other.send().await.problem(422, "idempotency_key_reused");
        assert_eq!(faults(&problem), [("Idempotency-Key", "idempotency_key_reused")]);
    }
    assert_eq!(deeds(&bench).await, before, "nothing of that was done");
    let second = bench.add(Role::Admin).await;
    let theirs = bench.call("POST", &events(&format!("/{a}/runs"))).by(&second).key("K").json(&json!({})).send().await;
    assert_ne!(theirs.is(201)["id"], first.body["id"], "keys of two people do not meet");
    assert_eq!(runs(&bench).await, 2);
}

#[tokio::test]
async fn of_many_at_once_one_acts_and_the_others_are_told_to_wait_or_the_same() {
    let bench = Bench::new().await;
    let id = ready(&bench, "a").await;
    let path = events(&format!("/{id}/runs"));
    let routers = [router_of(&bench).await, router_of(&bench).await];
    for key in ["one", "two", "three"] {
        let before = runs(&bench).await;
        let admin = bench.person(Role::Admin);
        let all = (0..12).map(|n| post(&routers[n % 2], admin, &path, key));
        let answers: Vec<(u16, String)> = futures::future::join_all(all).await;
        let done: Vec<&(u16, String)> = answers.iter().filter(|(status, _)| *status == 201).collect();
        assert!(!done.is_empty() && done.iter().all(|answer| *answer == done[0]), "{answers:?}");
        let others = answers.iter().filter(|(status, _)| *status != 201);
        assert!(others.clone().all(|(status, text)| *status == 409 && text.contains("in_flight")), "{answers:?}");
        assert_eq!(runs(&bench).await, before + 1);
        assert_eq!(&post(&routers[1], admin, &path, key).await, done[0]);
    }
}

/// How many sessions wait for the lock of the log.
async fn waiting(bench: &Bench) -> i64 {
    let count = "select count(*) from pg_stat_activity where datname = current_database() and wait_event = 'advisory'";
    sqlx::query_scalar(count).fetch_one(&mut bench.database.owner().await).await.unwrap()
}

#[tokio::test]
async fn two_who_are_at_it_because_one_slept_past_its_claim_do_it_once() {
    let bench = Bench::new().await;
    let id = bench.publish(&party("harvest")).await;
    let (path, admin) = (events(&format!("/{id}/runs")), bench.person(Role::Admin));
    let (sleeper, other) = (router_of(&bench).await, router_of(&bench).await);
    let mut holder = bench.database.owner().await;
    sqlx::query("select pg_advisory_lock(7810756276994469740)").execute(&mut holder).await.unwrap();
    // One that has given up waiting for the lock waits no more.
    let given_up = AtomicBool::new(false);
    let sleeping = async {
        let answer = post(&sleeper, admin, &path, "K").await;
        given_up.store(true, Ordering::SeqCst);
        answer
    };
    let wait_for = async |number: i64| {
        while waiting(&bench).await < number && !given_up.load(Ordering::SeqCst) {
            tokio::task::yield_now().await;
        }
    };
    let taking_over = async {
        wait_for(1).await;
        loop {
            let past = "update idempotency_keys set claimed_until = now() - interval '1 s' where status is null";
            sqlx::query(past).execute(bench.engine.log.pool()).await.unwrap();
            let answer = post(&other, admin, &path, "K").await;
            if answer.0 != 409 {
                given_up.store(true, Ordering::SeqCst);
                return answer;
            }
        }
    };
    let letting_go = async {
        wait_for(2).await;
        sqlx::query("select pg_advisory_unlock(7810756276994469740)").execute(&mut holder).await.unwrap();
    };
    let (first, second, ()) = tokio::join!(sleeping, taking_over, letting_go);
    assert_eq!(runs(&bench).await, 1);
    let told = post(&other, admin, &path, "K").await;
    assert_eq!(told.0, 201, "{}", told.1);
    // Where the machine is so slow that one gave up waiting for the lock, that one says so.
    for answer in [first, second] {
        assert!(answer == told || answer.0 == 503, "{answer:?}");
    }
}

/// Another engine on the same database.
async fn router_of(bench: &Bench) -> Router {
    let log = bench.database.log().await;
    let clock = Clock::of_database(log.pool().clone());
    let lamps = crate::lamps::Lamps::reached(
        std::sync::Arc::clone(&bench.reach),
        std::sync::Arc::clone(&bench.seen),
        std::sync::Arc::clone(&bench.feed),
    );
    let registry = Registry::new(vec![std::sync::Arc::new(lamps)]).unwrap();
    let engine = Engine::new(log, registry, Settings::default(), clock);
    router(Api::new(engine.clone(), Open::Closed), console::router(engine))
}

async fn post(router: &Router, person: &Person, path: &str, key: &str) -> (u16, String) {
    let request = Request::builder().method("POST").uri(path).header("authorization", format!("Bearer {}", person.token));
    let request = request.header("idempotency-key", key).body(Body::empty()).unwrap();
    let response = router.clone().oneshot(request).await.unwrap();
    let status = response.status().as_u16();
    (status, String::from_utf8(to_bytes(response.into_body(), usize::MAX).await.unwrap().to_vec()).unwrap())
}

#[tokio::test]
async fn what_was_done_and_never_answered_is_told_as_it_was() {
    let bench = Bench::new().await;
    let send = async |path: &str, tag: Option<&str>, body: &Value| -> Answer {
        let call = |key: &str| bench.admin("POST", path).key(key).json(body);
        let call = |key: &str| if let Some(tag) = tag { call(key).tag(tag) } else { call(key) };
        let key = format!("key-of-{}", path.len());
        let first = call(&key).send().await;
        assert!(first.status.is_success(), "{path}: {}", first.text);
        let head = bench.head().await;
        lose_answers(&bench).await;
        let again = call(&key).send().await;
        assert_eq!((again.status, &again.text), (first.status, &first.text), "{path}");
        assert_eq!(again.headers.get("location"), first.headers.get("location"));
        let (of_ours, tail) = (bench.person(Role::Admin), bench.engine.log.read_after(Some(head), 100).await.unwrap());
        assert!(!tail.iter().any(|event| event.metadata["actor"] == of_ours.id), "{path}: {tail:?}");
        again
    };
    let created = send("", None, &quiet("quiet")).await.body;
    let id = created["id"].as_str().unwrap();
    let published = send(&format!("/{id}/publish"), Some("\"1\""), &json!({})).await.body;
    assert_eq!((&published["version"], &published["new"]), (&json!(1), &json!(true)));
    let verdict = send(&format!("/{id}/verify"), Some("\"1\""), &json!({})).await.body;
    assert_eq!(verdict["verified"], true);
    let run = send(&format!("/{id}/runs"), None, &json!({})).await.body["id"].as_str().unwrap().to_owned();
    until(&bench, &run, |run| run["waitingSteps"] == 1).await;
    send(&format!("/runs/{run}/steps/cue/confirm"), None, &json!({"note": "done"})).await;
    until(&bench, &run, |run| run["status"] == "completed").await;
    send(&format!("/runs/{run}/cleanup"), None, &json!({})).await;
    let another = bench.admin("POST", &format!("/{id}/runs")).send().await.is(201)["id"].as_str().unwrap().to_owned();
    let cancelled = send(&format!("/runs/{another}/cancel"), None, &json!({"reason": "rain"})).await.body;
    assert_eq!(cancelled["status"], "cancelled");
    assert_eq!(runs(&bench).await, 2);
}

#[tokio::test]
async fn a_start_that_stands_in_its_own_way_is_still_told_as_done() {
    let bench = Bench::new().await;
    let id = bench.publish(&party("harvest")).await;
    let start = || bench.admin("POST", &format!("/{id}/runs")).key("K").send();
    let first = start().await.is(201);
    lose_answers(&bench).await;
    assert_eq!(start().await.is(201), first, "its concurrency key is held by what it started");
    bench.admin("POST", &format!("/{id}/runs")).key("L").send().await.problem(409, "slot_held");
}

#[tokio::test]
async fn a_refusal_is_an_answer_too_and_what_failed_here_is_not() {
    let bench = Bench::new().await;
    let id = bench.publish(&party("harvest")).await;
    let start = |key: &str| bench.admin("POST", &format!("/{id}/runs")).key(key).send();
    let run = start("first").await.is(201)["id"].as_str().unwrap().to_owned();
    let refused = start("second").await;
    assert!(refused.text.contains(&run), "{}", refused.text);
    bench.admin("POST", &format!("/runs/{run}/cancel")).send().await.is(200);
    until(&bench, &run, |run| run["status"] == "cancelled" && run["cleanupStatus"] != "pending").await;
    let again = start("second").await;
    assert_eq!((again.status.as_u16(), again.text), (409, refused.text));
    start("third").await.is(201);

    let table = "alter table drafts rename to gone";
    let mut owner = bench.database.owner().await;
    sqlx::query(table).execute(&mut owner).await.unwrap();
    let create = || bench.admin("POST", "").key("fourth").json(&quiet("quiet")).send();
    assert_eq!(create().await.status, 503);
    sqlx::query("alter table gone rename to drafts").execute(&mut owner).await.unwrap();
    create().await.is(201);
    create().await.is(201);
    assert_eq!(bench.drafts().await, 2);
}

#[tokio::test]
async fn whoever_is_at_it_is_waited_for_as_long_as_its_claim_runs() {
    let bench = Bench::new().await;
    let create = || bench.admin("POST", "").key("K").json(&quiet("quiet")).send();
    create().await.is(201);
    lose_answers(&bench).await;
    let claim = "update idempotency_keys set claimed_until = now() + interval '1 hour'";
    sqlx::query(claim).execute(bench.engine.log.pool()).await.unwrap();
    let answer = create().await;
    assert_eq!(answer.headers["retry-after"], "1");
    answer.problem(409, "in_flight");
    let other = bench.admin("POST", "").key("K").json(&quiet("other")).send().await;
    other.problem(422, "idempotency_key_reused");
}

#[tokio::test]
async fn a_key_is_remembered_for_a_day() {
    let bench = Bench::controlled(Settings::default()).await;
    let id = ready(&bench, "a").await;
    let start = || bench.admin("POST", &format!("/{id}/runs")).key("K").send();
    let first = start().await.is(201);
    bench.advance(keyed::REMEMBERED - chrono::TimeDelta::seconds(1)).await;
    assert_eq!(start().await.is(201), first);
    bench.advance(chrono::TimeDelta::seconds(1)).await;
    assert_ne!(start().await.is(201)["id"], first["id"], "a new day, a new request");
    assert_eq!(runs(&bench).await, 2);
    bench.advance(keyed::REMEMBERED).await;
    assert_eq!(keyed::sweep(&bench.engine).await.unwrap(), 1);
    assert_eq!(keyed::sweep(&bench.engine).await.unwrap(), 0);
}

#[tokio::test]
async fn keys_go_with_their_person_and_none_is_claimed_behind_that() {
    let bench = Bench::new().await;
    let ada = bench.add_called("Ada Lovelace", Role::Editor).await;
    let send = |key: &str| bench.call("POST", &events("")).by(&ada).key(key).json(&quiet(&key.to_lowercase())).send();
    let sending = futures::future::join_all(["Ada-1", "Ada-2", "Ada-3", "Ada-4"].map(send));
    let act = bench.act().await;
    let (_, erased) = tokio::join!(sending, bench.engine.erase_account(&act, &ada.id, "asked"));
    assert!(erased.unwrap().changed);
    let count = sqlx::query_scalar::<_, i64>("select count(*) from idempotency_keys where account_id = $1").bind(&ada.id);
    assert_eq!(count.fetch_one(bench.engine.log.pool()).await.unwrap(), 0);
    send("Ada-5").await.problem(401, "unauthorized");
}

/// Field report A03.
#[tokio::test]
async fn two_clicks_without_a_key_start_one_run_of_one_concurrency_key() {
    let bench = Bench::new().await;
    let id = bench.publish(&party("harvest")).await;
    let start = |region: &str| {
        let body = json!({"params": {"region": region}});
        bench.admin("POST", &format!("/{id}/runs")).json(&body).send()
    };
    let (one, other) = tokio::join!(start("Yew"), start("Yew"));
    let (first, second) = if one.status == 201 { (one, other) } else { (other, one) };
    let run = first.is(201)["id"].as_str().unwrap().to_owned();
    let problem = second.problem(409, "slot_held");
    assert!(problem["detail"].as_str().unwrap().contains(&run), "{problem}");
    start("Trinsic").await.is(201);
    assert_eq!(runs(&bench).await, 2);
}

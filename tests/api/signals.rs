//! Gates that signals open: from what a game reports to the phase behind.

use std::sync::Arc;

use leasehold::engine::clock::Clock;
use leasehold::engine::registry::Registry;
use leasehold::engine::settings::Settings;
use leasehold::engine::{Act, Engine};
use leasehold::log::{Append, Log, NewEvent, StreamId, StreamWrite};
use leasehold_module::Fired;
use serde_json::{Value, json};

use crate::bench::{Bench, faults};
use crate::lamps::Lamps;
use crate::runs::until;

/// A definition whose first phase waits for lamps to break, with this gate.
pub fn waiting(slug: &str, advance: &Value) -> Value {
    json!({
        "title": "Lamps", "slug": slug, "timezone": "UTC",
        "spec": {"schedule": {"kind": "manual"}, "params": [], "phases": [
            {"key": "lights", "label": "Lights", "steps": [], "advance": advance},
            {"key": "ask", "label": "Ask", "steps": [
                {"key": "cue", "action": "core.cue", "params": {"instruction": "Sweep up"}}]}]}
    })
}

pub fn north(count: u32) -> Value {
    json!({"on": "demo.lamp.broken", "where": {"var": "region", "cmp": "eq", "value": "North"}, "count": count})
}

pub fn broken(fingerprint: &str, region: &str) -> Fired {
    Fired {
        fingerprint: fingerprint.into(),
        trigger: "demo.lamp.broken".into(),
        happened_at: None,
        vars: json!({"region": region, "who": "somebody", "count": "three"}).as_object().cloned().unwrap(),
        run_id: None,
    }
}

impl Bench {
    /// The game reports this.
    pub fn reports(&self, fired: impl IntoIterator<Item = Fired>) {
        self.feed.lock().unwrap().extend(fired);
    }

    pub async fn start(&self, id: &str) -> String {
        let answer = self.admin("POST", &format!("/{id}/runs")).send().await.is(201);
        answer["id"].as_str().unwrap().to_owned()
    }

    /// Waits until so many reports were read.
    pub async fn read_up_to(&self, reports: i64) {
        let read = "select exists (select from cursors where consumer = 'feed/demo/main/lamps' and position >= $1)";
        while !sqlx::query_scalar::<_, bool>(read).bind(reports).fetch_one(self.engine.log.pool()).await.unwrap() {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }

    /// How many signals were recorded.
    pub async fn signals(&self) -> i64 {
        let count = sqlx::query_scalar("select count(*) from events where aggregate_type = 'signal'");
        count.fetch_one(self.engine.log.pool()).await.unwrap()
    }
}

fn gate(run: &Value) -> &Value {
    &run["gates"][0]
}

#[tokio::test]
async fn a_gate_counts_what_its_condition_lets_through_and_says_what_it_waits_for() {
    let bench = Bench::new().await;
    let id = bench.publish(&waiting("lamps", &north(2))).await;
    bench.reports([broken("too-early", "North")]);
    bench.read_up_to(1).await;
    let run = bench.start(&id).await;
    let begun = until(&bench, &run, |run| gate(run)["tally"] == 0).await;
    assert_eq!(gate(&begun)["sentence"], "a lamp to break where region is “North”, 2 times");
    assert_eq!((&gate(&begun)["needed"], &gate(&begun)["lastSignal"]), (&json!(2), &Value::Null));
    bench.reports([broken("one", "South")]);
    let other = until(&bench, &run, |run| gate(run)["lastSignal"] != Value::Null).await;
    assert_eq!(gate(&other)["lastSignal"]["counted"], false);
    assert_eq!(gate(&other)["lastSignal"]["whyNot"], "region is “South”");
    assert_eq!(gate(&other)["tally"], 0);
    // The same report twice, and a crowd: the gate closes at the number needed.
    bench.reports([broken("two", "North"), broken("two", "North")]);
    let one = until(&bench, &run, |run| gate(run)["tally"] == 1).await;
    assert_eq!(one["currentPhase"], "lights");
    bench.reports((0..20).map(|nth| broken(&format!("many-{nth}"), "North")));
    let open = until(&bench, &run, |run| run["currentPhase"] == "ask").await;
    assert_eq!((&gate(&open)["tally"], &gate(&open)["satisfiedBy"]), (&json!(2), &json!("condition")));
    assert_eq!(gate(&open)["lastSignal"]["counted"], true);

    let log = bench.admin("GET", &format!("/runs/{run}/log")).send().await.is(200);
    let kinds: Vec<&str> = log["items"].as_array().unwrap().iter().map(|line| line["kind"].as_str().unwrap()).collect();
    for kind in ["phase.gate", "condition.evaluated", "phase.advanced"] {
        assert!(kinds.contains(&kind), "{kind} in {kinds:?}");
    }
    let kept =
        sqlx::query_scalar::<_, String>("select string_agg(payload::text, ' ') from events where aggregate_type = 'signal'");
    let kept = kept.fetch_one(bench.engine.log.pool()).await.unwrap();
    assert!(!kept.contains("somebody") && !kept.contains("three"), "neither undeclared nor mistyped: {kept}");
    assert!(!kept.contains("too-early"), "nobody listened");
}

#[tokio::test]
async fn what_nobody_waits_for_is_not_recorded_and_a_run_that_ends_listens_no_more() {
    let bench = Bench::new().await;
    let id = bench.publish(&waiting("lamps", &north(1))).await;
    let run = bench.start(&id).await;
    let topics = || async {
        sqlx::query_scalar::<_, i64>("select count(*) from listeners").fetch_one(bench.engine.log.pool()).await.unwrap()
    };
    assert_eq!(topics().await, 1);
    bench.admin("POST", &format!("/runs/{run}/cancel")).json(&json!({})).send().await.is(200);
    assert_eq!(topics().await, 0);
    bench.reports([broken("one", "North")]);
    bench.read_up_to(1).await;
    assert_eq!(bench.signals().await, 0);
}

#[tokio::test]
async fn a_gate_that_waits_an_hour_stalls_once_and_recovers() {
    let bench = Bench::controlled(Settings::default()).await;
    let id = bench.publish(&waiting("lamps", &north(1))).await;
    let run = bench.start(&id).await;
    let begun = until(&bench, &run, |run| run["status"] == "running").await;
    assert_eq!(gate(&begun)["stallsAt"], "2027-03-01T13:00:00Z");
    bench.advance(chrono::TimeDelta::seconds(3_599)).await;
    assert_eq!(until(&bench, &run, |_| true).await["health"], "ok");
    bench.advance(chrono::TimeDelta::seconds(2)).await;
    until(&bench, &run, |run| run["health"] == "stalled").await;
    bench.reports([broken("late", "North")]);
    let open = until(&bench, &run, |run| run["currentPhase"] == "ask").await;
    assert_eq!((&open["health"], &open["status"]), (&json!("stalled"), &json!("running")));
    let told = "select count(*) from events where event_type in ('run_stalled', 'run_recovered')";
    assert_eq!(sqlx::query_scalar::<_, i64>(told).fetch_one(bench.engine.log.pool()).await.unwrap(), 2);
}

#[tokio::test]
async fn a_gate_that_may_not_wait_for_ever_ends_as_its_author_said() {
    let bench = Bench::controlled(Settings::default()).await;
    for (then, wanted) in [("skip", "running"), ("pause", "paused"), ("abort", "failed")] {
        let mut advance = north(1);
        advance["timeout"] = json!({"after": "2h", "then": then});
        let id = bench.publish(&waiting(&format!("lamps-{then}"), &advance)).await;
        let run = bench.start(&id).await;
        bench.advance(chrono::TimeDelta::seconds(7_201)).await;
        let over = until(&bench, &run, |run| run["status"] == wanted && (then != "skip" || run["currentPhase"] == "ask")).await;
        let opened = if then == "skip" { json!("timed_out") } else { Value::Null };
        assert_eq!(gate(&over)["satisfiedBy"], opened, "{then}");
    }
}

#[tokio::test]
async fn a_run_can_wait_for_what_happens_to_another() {
    let bench = Bench::new().await;
    let on = json!({"on": "event.run.cancelled", "where": {"var": "title", "cmp": "eq", "value": "Lamps"}});
    let waits = bench.publish(&waiting("waits", &on)).await;
    let other = bench.publish(&waiting("other", &north(1))).await;
    let (waits, other) = (bench.start(&waits).await, bench.start(&other).await);
    bench.admin("POST", &format!("/runs/{other}/cancel")).json(&json!({})).send().await.is(200);
    let open = until(&bench, &waits, |run| run["currentPhase"] == "ask").await;
    assert_eq!(gate(&open)["satisfiedBy"], "condition");
    assert_eq!(bench.signals().await, 0, "it lies in the log already");
}

/// A rehearsal reaches rehearsals alone: its end opens the gate of another, and not that of a run that players see.
#[tokio::test]
async fn what_happens_to_a_rehearsal_opens_no_gate_of_a_run_that_is_none() {
    let bench = Bench::new().await;
    let waits = bench.publish(&waiting("waits", &json!({"on": "event.run.ending"}))).await;
    let other = bench.publish(&crate::bench::quiet("other")).await;
    let start = async |id: &str, rehearsal: bool| {
        let started = bench.admin("POST", &format!("/{id}/runs")).json(&json!({"rehearsal": rehearsal})).send().await.is(201);
        started["id"].as_str().unwrap().to_owned()
    };
    let (real, rehearsed) = (start(&waits, false).await, start(&waits, true).await);
    start(&other, true).await;
    until(&bench, &rehearsed, |run| run["currentPhase"] == "ask").await;
    let shut = until(&bench, &real, |run| gate(run)["lastSignal"]["counted"] == false).await;
    assert_eq!((&gate(&shut)["tally"], &shut["currentPhase"]), (&json!(0), &json!("lights")));
    assert_eq!(gate(&shut)["lastSignal"]["whyNot"], "it is of a rehearsal, and this run is none");
    start(&other, false).await;
    until(&bench, &real, |run| run["currentPhase"] == "ask").await;
}

#[tokio::test]
async fn a_condition_that_cannot_be_answered_is_refused_at_save_by_its_variable() {
    let bench = Bench::new().await;
    let posted = |advance: Value| {
        let body = waiting("lamps", &advance);
        let bench = &bench;
        async move { bench.admin("POST", "").json(&body).send().await }
    };
    let wrong = json!({"on": "demo.lamp.broken", "where": {"and": [{"var": "regoin", "cmp": "eq", "value": "North"}]}});
    let problem = posted(wrong).await.problem(422, "invalid_body");
    assert_eq!(faults(&problem), [("/spec/phases/0/advance/where/and/0/var", "unknown_variable")]);
    assert!(problem["errors"][0]["detail"].as_str().unwrap().contains("regoin"), "{problem}");
    let problem = posted(json!({"on": "demo.lamp.stolen"})).await.problem(422, "invalid_body");
    assert_eq!(faults(&problem), [("/spec/phases/0/advance/on", "unknown_trigger")]);
    let catalogue = bench.admin("GET", "/catalog").send().await.is(200);
    let triggers: Vec<&str> = catalogue["triggers"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert!(triggers.contains(&"demo.lamp.broken") && triggers.contains(&"event.run.stalled"), "{triggers:?}");
    let gte = catalogue["operators"].as_array().unwrap().iter().find(|one| one["cmp"] == "gte").unwrap();
    assert_eq!((&gte["label"], &gte["types"]), (&json!("is at least"), &json!(["int", "float", "instant", "duration"])));
}

/// Rounds of the crowd; many in a soak.
fn rounds() -> u32 {
    if std::env::var_os("LEASEHOLD_SOAK").is_some() { 1_000 } else { 50 }
}

/// A signal as its stream, recorded by whoever writes.
async fn record(log: &Log, at: chrono::DateTime<chrono::Utc>, print: &str) {
    let signal = json!({"type": "signal_recorded", "signal": {
        "at": at, "trigger": "demo.lamp.broken", "module": "demo", "scope": "main", "happened_at": null, "hops": 0, "rehearsal": false,
        "vars": {"region": "North"}}});
    let event = NewEvent { event_type: "signal_recorded".into(), event_version: "2".into(), payload: signal };
    let stream = StreamId::new("signal", format!("crowd/{print}"));
    let act = Act::following("crowd", at, print);
    let writes = vec![StreamWrite { stream, expected: 0, events: vec![event] }];
    log.append(Append { writes, ..act.append("crowd") }).await.unwrap();
}

#[tokio::test]
async fn under_eight_writers_and_two_engines_a_gate_closes_at_exactly_the_number() {
    let bench = Bench::new().await;
    let lamps = Lamps::reached(Arc::clone(&bench.reach), Arc::clone(&bench.seen), Arc::clone(&bench.feed));
    let (other, registry) = (bench.database.log().await, Registry::new(vec![Arc::new(lamps)]).unwrap());
    let second = Engine::new(other.clone(), registry, Settings::default(), Clock::of_database(other.pool().clone()));
    second.run().await.unwrap();
    let needed = 20;
    let id = bench.publish(&waiting("lamps", &north(needed))).await;
    for round in 0..rounds() {
        let run = bench.start(&id).await;
        let at = bench.engine.clock.now().await.unwrap();
        let logs = [bench.engine.log.clone(), other.clone()];
        let writers = (0..8_u32).map(|writer| {
            let log = logs[writer as usize % 2].clone();
            async move {
                for nth in 0..5 {
                    record(&log, at, &format!("{round}-{writer}-{nth}")).await;
                }
            }
        });
        futures::future::join_all(writers.map(tokio::spawn)).await;
        let open = until(&bench, &run, |run| run["currentPhase"] == "ask").await;
        assert_eq!(gate(&open)["tally"], needed, "round {round}");
        let counted = sqlx::query_as::<_, (i64, i64, i64)>(
            "select sum((payload ->> 'matched')::bigint)::bigint, max((payload ->> 'tally')::bigint), count(distinct payload ->> 'through')
             from events where aggregate_id = $1 and event_type = 'signals_counted'",
        );
        let (matched, tally, _) = counted.bind(&run).fetch_one(bench.engine.log.pool()).await.unwrap();
        assert_eq!((matched, tally), (i64::from(needed), i64::from(needed)), "round {round}");
        let satisfied = "select count(*) from events where aggregate_id = $1 and event_type = 'gate_satisfied'";
        let satisfied = sqlx::query_scalar::<_, i64>(satisfied).bind(&run).fetch_one(bench.engine.log.pool()).await.unwrap();
        assert_eq!(satisfied, 1, "round {round}");
        bench.admin("POST", &format!("/runs/{run}/cancel")).json(&json!({})).send().await.is(200);
        if round == 5 {
            // The leader goes, and the other takes over in the middle of things.
            bench.engine.log.rewind_cursor("gatekeeper", 0).await.unwrap();
        }
    }
    second.stop.cancel();
}

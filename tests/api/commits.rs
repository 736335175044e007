//! How commands of the engine commit: beside another engine, on what is remembered, and when the database is lost meanwhile.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use leasehold::engine::clock::Clock;
use leasehold::engine::registry::Registry;
use leasehold::engine::runs::people::Control;
use leasehold::engine::runs::{Committed, StartRequest};
use leasehold::engine::settings::Settings;
use leasehold::engine::switches::SwitchRequest;
use leasehold::engine::{Act, Engine, Fault};
use leasehold::log::{Append, AppendError, Log, LogOptions, NewEvent, StreamId, StreamWrite};
use leasehold_aggregates::account::Role;
use leasehold_aggregates::decide::Refusal;
use leasehold_aggregates::run::RunEvent;
use leasehold_module::LastSeen;
use serde_json::json;
use uuid::Uuid;

use crate::bench::{Bench, party, quiet};
use crate::lamps::Lamps;
use crate::runs::until;
use crate::support::{Fault as WireFault, Wire};

/// A second engine on the bench's database, which carries out commands and does nothing by itself.
fn beside(log: Log) -> Engine {
    let lamps = Lamps::reached(Arc::default(), Arc::new(Mutex::new(LastSeen::Nothing)), Arc::default());
    let clock = Clock::of_database(log.pool().clone());
    Engine::new(log, Registry::new(vec![Arc::new(lamps)]).unwrap(), Settings::default(), clock)
}

async fn act(engine: &Engine) -> Act {
    Act::by("operator", engine.clock.now().await.unwrap())
}

async fn start(engine: &Engine, definition: &str) -> Result<Committed, Fault> {
    engine.start_by_hand(&act(engine).await, definition, &StartRequest::default()).await
}

async fn cancel(engine: &Engine, run: &str) -> Result<Committed, Fault> {
    engine.control_run(&act(engine).await, Role::Admin, run, &Control::Cancel { cleanup: true }, None).await
}

fn code(refused: &Fault) -> &'static str {
    let Fault::Refused(refusal) = refused else { panic!("{refused}") };
    Refusal::code(refusal.as_ref())
}

/// The run's start commits, and the database is gone before it has said so. The engine asks until it is told.
#[tokio::test]
async fn a_start_whose_commit_was_not_answered_is_found_out_and_taken_up() {
    let bench = Bench::new().await;
    let definition = bench.publish(&quiet("quiet")).await;
    let wire = Wire::to(&bench.database.app()).await;
    let options = LogOptions { connection_wait: Duration::from_millis(500), ..LogOptions::default() };
    let log = Log::connect(wire.over(bench.database.app()), options).await.unwrap();
    let engine = beside(log.clone());
    wire.fails(WireFault::WireCut);
    let starting = tokio::spawn({
        let engine = engine.clone();
        async move { start(&engine, &definition).await }
    });
    while !wire.is_cut() {
        tokio::task::yield_now().await;
    }
    // Commands are answered in their order: once this one has been told that there is no database, the start has been told that
    // it is not known.
    let busy = log.append(Append::of(Uuid::from_u128(77))).await.unwrap_err();
    assert!(matches!(busy, AppendError::Busy(_) | AppendError::Unknown { .. }), "{busy}");
    wire.mend();
    let committed = starting.await.unwrap().unwrap();
    let run = StreamId::new("run", &committed.run_id);
    let recorded = bench.engine.log.load_until(&run, committed.position).await.unwrap();
    assert_eq!(committed.first_sequence, 1);
    let types: Vec<&str> = recorded.iter().map(|event| event.event_type.as_str()).collect();
    let told: Vec<String> = committed.events.iter().map(cqrs_es::DomainEvent::event_type).collect();
    assert_eq!(told, types, "what is taken up is what was recorded");
    assert!(committed.events.iter().any(|event| matches!(event, RunEvent::StepClaimed { .. })));
    let parked = until(&bench, &committed.run_id, |run| run["waitingSteps"] == 1).await;
    assert_eq!(parked["steps"][0]["attempts"], 1, "and its claim was carried out once");
}

/// One engine remembers a slot as held, and the other has released it; one remembers a run as running that the other ended.
#[tokio::test]
async fn nobody_is_refused_for_what_an_engine_remembers_wrongly() {
    let bench = Bench::new().await;
    let mut body = party("harvest");
    body["spec"]["phases"] = quiet("quiet")["spec"]["phases"].clone();
    let definition = bench.publish(&body).await;
    let engine = beside(bench.database.log().await);
    let first = start(&engine, &definition).await.unwrap();
    for _ in 0..2 {
        assert_eq!(code(&start(&engine, &definition).await.unwrap_err()), "slot_held");
    }
    let teardown = json!({"cleanup": true});
    bench.admin("POST", &format!("/runs/{}/cancel", first.run_id)).json(&teardown).send().await.is(200);
    until(&bench, &first.run_id, |run| run["status"] == "cancelled" && run["cleanupStatus"] != "pending").await;

    let ended = cancel(&engine, &first.run_id).await.unwrap_err();
    assert_eq!(code(&ended), "run_state", "the first engine still remembered it as running");
    let second = start(&engine, &definition).await.unwrap();
    assert_ne!(second.run_id, first.run_id);
}

/// A start waits for the teardown of its slot's last holder, also where this engine remembers that one as done with it and
/// another has been asked for another teardown.
#[tokio::test]
async fn a_start_does_not_rest_on_a_teardown_that_is_only_remembered_as_over() {
    let bench = Bench::new().await;
    let mut body = party("harvest");
    body["spec"]["phases"] = quiet("quiet")["spec"]["phases"].clone();
    let definition = bench.publish(&body).await;
    let engine = beside(bench.database.log().await);
    let first = start(&engine, &definition).await.unwrap().run_id;
    until(&bench, &first, |run| run["waitingSteps"] == 1).await;
    cancel(&engine, &first).await.unwrap();
    let elsewhere = async |event_type: &str, fields: serde_json::Value| {
        let (log, stream) = (&bench.engine.log, StreamId::new("run", &first));
        let mut payload = json!({"type": event_type, "at": "2027-03-28T12:00:00.000000Z"});
        payload.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let event = NewEvent { event_type: event_type.to_owned(), event_version: "1".to_owned(), payload };
        let expected = log.load(&stream).await.unwrap().len() as u64;
        let writes = vec![StreamWrite { stream, expected, events: vec![event] }];
        log.append(Append { writes, ..Append::of(Uuid::from_u128(1_000 + u128::from(expected))) }).await.unwrap();
    };
    elsewhere("cleanup_requested", json!({"round": 1})).await;
    assert_eq!(code(&start(&engine, &definition).await.unwrap_err()), "slot_held");
    elsewhere("cleanup_completed", json!({})).await;
    start(&engine, &definition).await.unwrap();
}

/// More at once than a command has tries: whoever has lost waits for its turn.
#[tokio::test(flavor = "multi_thread")]
async fn a_crowd_on_one_stream_is_served_one_after_the_other() {
    let bench = Bench::new().await;
    let crowd = (0..60).map(|nth: u64| {
        let engine = bench.engine.clone();
        tokio::spawn(async move {
            let caps = [("demo.lamps".to_owned(), Some(nth + 1))].into();
            let request = SwitchRequest { action: "demo.lamp.light".into(), enabled: true, caps: Some(caps) };
            engine.switch(&act(&engine).await, &request).await.map(|(_, position)| position)
        })
    });
    let served = futures::future::join_all(crowd).await.into_iter().map(|served| served.unwrap().unwrap());
    assert_eq!(served.collect::<std::collections::BTreeSet<_>>().len(), 60);
    assert_eq!(bench.engine.log.load(&StreamId::new("action", "demo.lamp.light")).await.unwrap().len(), 60);
}

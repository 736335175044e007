//! Examples of every event of a run.

use std::collections::BTreeMap;

use leasehold_aggregates::authorise::{Denied, Meter};
use leasehold_aggregates::ledger::Let;
use leasehold_aggregates::plan::OnFailure;
use leasehold_aggregates::run::{
    Borrowed, Lost, MissedCause, Placing, PlannedGate, PlannedLease, PlannedPhase, PlannedStep, PlannedTimeOut, Reported,
    RunEvent, RunPlan, SatisfiedBy, Scheduled, SignalSeen, UndoOutcome, Undone, WithdrawnCause,
};
use leasehold_aggregates::target::Target;
use leasehold_aggregates::zones::DstAdjusted;
use leasehold_module::{ParamType, Promise, Reversible, Risk};
use serde_json::json;
use uuid::Uuid;

use crate::samples::{at, note};

const NOON: &str = "2027-03-28T12:00:00.000001Z";

pub fn samples() -> Vec<RunEvent> {
    [before(), steps(), endings(), undos()].concat()
}

fn lease() -> Target {
    Target::lease("demo", "main", "demo.rate.gather")
}

fn scheduled() -> Box<Scheduled> {
    let step = PlannedStep {
        key: "rate".into(),
        action: "core.lease".into(),
        action_version: 1,
        module: "demo".into(),
        summary: "Borrow demo.rate.gather".into(),
        params: json!({"lease": "demo.rate.gather", "value": "2", "minutes": 60}).as_object().cloned().unwrap(),
        risk: Risk::Change,
        reversible: Reversible::Override,
        promise: Promise::EffectOnce,
        budget_ms: 10_000,
        cost: BTreeMap::from([("demo.lamps".into(), 12)]),
        on_failure: OnFailure::Pause,
        hold_seconds: Some(300),
        awaits_person: true,
        lease: Some(PlannedLease {
            id: "demo.rate.gather".into(),
            value_type: ParamType::Float,
            value: "2".into(),
            hold_seconds: 3_600,
        }),
    };
    let gather = PlannedPhase {
        key: "gather".into(),
        label: "Gathering".into(),
        steps: vec![step],
        after_seconds: Some(1_800),
        gate: None,
    };
    let gate = PlannedGate {
        trigger: "demo.lamp.broken".into(),
        module: "demo".into(),
        awaiting: "a lamp to break".into(),
        condition: Some(json!({"var": "region", "cmp": "eq", "value": "North"})),
        types: BTreeMap::from([("region".into(), ParamType::String)]),
        needed: 3,
        stall_seconds: 3_600,
        timeout: Some(PlannedTimeOut { seconds: 7_200, then: OnFailure::Abort }),
    };
    let lights =
        PlannedPhase { key: "lights".into(), label: "Lights".into(), steps: Vec::new(), after_seconds: None, gate: Some(gate) };
    Box::new(Scheduled {
        run_id: "r-1".into(),
        definition_id: "d-1".into(),
        definition_version: 1,
        title: "Harvest Party".into(),
        scope: "main".into(),
        slot: Some("2027-03-28T02:30".into()),
        generation: 0,
        scheduled_for: at("2027-03-28T01:00:00Z"),
        timezone: "Europe/Berlin".into(),
        moved_from: Some(at(NOON)),
        dst_adjusted: Some(DstAdjusted::Gap),
        grace_seconds: 900,
        concurrency_key: Some("harvest:North".into()),
        rehearsal: false,
        hops: 1,
        params: json!({"region": "North"}).as_object().cloned().unwrap(),
        plan: RunPlan { phases: vec![gather, lights] },
    })
}

fn before() -> Vec<RunEvent> {
    let at = at(NOON);
    let last = SignalSeen { position: 4_711, at, counted: false, why_not: Some("region is “South”".into()) };
    let meter = Meter { dimension: "demo.lamps".into(), consumed: 0, cap: Some(30), cap_from: Some("demo.lamp.light".into()) };
    vec![
        RunEvent::RunScheduled { at, run: scheduled() },
        RunEvent::RunRepinned { at, run: scheduled() },
        RunEvent::RunWithdrawn { at, cause: WithdrawnCause::Rescheduled },
        RunEvent::RunBlocked { at, by: "r-0".into() },
        RunEvent::RunMissed { at, cause: MissedCause::SlotHeld { by: "r-0".into() } },
        RunEvent::RunStarted { at, late_seconds: 2, budget: vec![meter] },
        RunEvent::PhaseEntered { at, phase: "gather".into(), gate_due: Some(at) },
        RunEvent::GateSatisfied { at, phase: "gather".into(), by: SatisfiedBy::Human, note: Some(note()) },
        RunEvent::SignalsCounted { at, phase: "lights".into(), through: 4_711, matched: 2, tally: 3, last },
        RunEvent::GateTimedOut { at, phase: "lights".into(), then: OnFailure::Pause },
        RunEvent::RunStalled { at, phase: "lights".into() },
    ]
}

fn steps() -> Vec<RunEvent> {
    let at = at(NOON);
    let step = || "rate".to_owned();
    let borrowed = Borrowed { baseline: "1".into(), applied: "2".into(), until: at };
    vec![
        RunEvent::StepClaimed {
            at,
            step: step(),
            attempt: 1,
            expires_at: at,
            key: "c0".repeat(20),
            draws: BTreeMap::from([("demo.lamps".into(), 12)]),
            target: Some(lease()),
        },
        RunEvent::StepDone {
            at,
            step: step(),
            claim: 4,
            resources: vec![lease()],
            until: Some(at),
            borrowed: Some(borrowed.clone()),
            replayed: true,
            held_until: Some(at),
            words: Some(note()),
        },
        RunEvent::StepParked {
            at,
            step: step(),
            claim: 4,
            resources: vec![lease()],
            until: Some(at),
            borrowed: Some(borrowed.clone()),
            replayed: true,
            words: Some(note()),
        },
        RunEvent::StepConfirmed { at, step: step(), note: Some(note()) },
        RunEvent::StepSkipped { at, step: step(), note: Some(note()) },
        RunEvent::StepRetried { at, step: step(), note: Some(note()) },
        RunEvent::CapReread { at, dimension: "demo.lamps".into(), cap: Some(40), cap_from: Some("demo.lamp.light".into()) },
        RunEvent::AttemptFailed {
            at,
            step: step(),
            claim: 4,
            code: "unreachable".into(),
            unknown: true,
            next_try_at: at,
            detail: Some("no answer came in time".into()),
            words: Some(note()),
        },
        RunEvent::StepFailed {
            at,
            step: step(),
            claim: Some(4),
            code: "unreachable".into(),
            unknown: true,
            disposition: OnFailure::Pause,
            detail: Some("no answer came in time".into()),
            words: Some(note()),
        },
        RunEvent::StepRefused {
            at,
            step: step(),
            why: Denied::OverCap {
                action: "Light lamps".into(),
                dimension: "demo.lamps".into(),
                asked: 12,
                consumed: 24,
                cap: 30,
            },
            disposition: OnFailure::Skip,
        },
        RunEvent::StepAbandoned { at, step: step(), claim: 4 },
    ]
}

fn endings() -> Vec<RunEvent> {
    let at = at(NOON);
    vec![
        RunEvent::RunDegraded { at, step: Some("rate".into()), code: "unreachable".into() },
        RunEvent::RunRecovered { at, step: Some("rate".into()), phase: None },
        RunEvent::RunPaused { at, step: Some("rate".into()), stop: Some(Uuid::nil()), note: Some(note()) },
        RunEvent::RunResumed { at, note: Some(note()) },
        RunEvent::RunCompleted { at },
        RunEvent::RunCancelled { at, cleanup: true, stop: Some(Uuid::nil()), note: Some(note()) },
        RunEvent::RunFailed { at, step: "rate".into() },
    ]
}

fn undos() -> Vec<RunEvent> {
    let at = at(NOON);
    let undone = |result| Undone { target: lease(), result };
    vec![
        RunEvent::UndoBegun {
            at,
            step: "rate".into(),
            round: 1,
            attempt: 1,
            key: "d0".repeat(20),
            expires_at: at,
            targets: vec![lease()],
        },
        RunEvent::UndoSettled {
            at,
            step: "rate".into(),
            claim: 9,
            undone: vec![
                undone(UndoOutcome::Reverted { reason: Let::Restored }),
                undone(UndoOutcome::Drifted { found: "3".into() }),
                undone(UndoOutcome::Failed { code: "unreachable".into() }),
            ],
            next_try_at: Some(at),
            words: Some(note()),
        },
        RunEvent::ParticipantsReported {
            at,
            step: "count".into(),
            participants: vec![Reported {
                member: Uuid::nil(),
                score: "12345.6789".into(),
                joined_at: Some(at),
                meta: serde_json::from_value(serde_json::json!({"minutes": 40})).unwrap(),
            }],
        },
        RunEvent::ResultsPublished {
            at,
            step: Some("publish".into()),
            places: vec![Placing { member: Uuid::nil(), score: "12345.6789".into() }],
        },
        RunEvent::GameRestarted { at, module: "demo".into(), boot: "9f1c2a7b60d1e8a4".into() },
        RunEvent::HoldingsReconciled {
            at,
            module: "demo".into(),
            lost: vec![Lost { target: lease(), reason: "not_in_force".into() }],
            returned: vec![lease()],
            round: 1,
            unknown: 2,
        },
        RunEvent::CleanupCompleted { at },
        RunEvent::CleanupRequested { at, round: 1 },
        RunEvent::CleanupStopped { at, unresolved: 2 },
    ]
}

//! A run under test: it decides, folds, and remembers the effects, so that a test reads as a story.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use leasehold_module::{ParamType, Promise, Reversible, Risk, Then};
use serde_json::Map;

use super::super::*;
use crate::authorise::{ActionFacts, Asker};
use crate::decide::Decide;
use crate::ledger::Entry;
use crate::plan::OnFailure;
use crate::target::Target;

pub const RUN: &str = "r1";

pub fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_800_000_000, 0).unwrap() + TimeDelta::seconds(seconds)
}

pub fn step(key: &str) -> PlannedStep {
    PlannedStep {
        key: key.into(),
        action: "demo.say".into(),
        action_version: 1,
        module: "demo".into(),
        summary: "say it".into(),
        params: Map::new(),
        risk: Risk::Notify,
        reversible: Reversible::None,
        promise: Promise::EffectOnce,
        budget_ms: 10_000,
        cost: BTreeMap::new(),
        on_failure: OnFailure::Skip,
        hold_seconds: None,
        awaits_person: false,
        lease: None,
    }
}

/// Makes things: ledgered, costs `lamps`, pauses when it fails.
pub fn making(key: &str, lamps: u64) -> PlannedStep {
    PlannedStep {
        action: "demo.light".into(),
        risk: Risk::Change,
        reversible: Reversible::Ledger,
        cost: BTreeMap::from([("demo.lamps".into(), lamps)]),
        on_failure: OnFailure::Pause,
        ..step(key)
    }
}

/// Borrows a value for an hour.
pub fn borrowing(key: &str) -> PlannedStep {
    let lease = PlannedLease { id: "demo.rate".into(), value_type: ParamType::Float, value: "2".into(), hold_seconds: 3_600 };
    PlannedStep {
        action: "demo.borrow".into(),
        risk: Risk::Change,
        reversible: Reversible::Override,
        on_failure: OnFailure::Pause,
        lease: Some(lease),
        ..step(key)
    }
}

pub fn phase(key: &str, steps: Vec<PlannedStep>, after_seconds: Option<u64>) -> PlannedPhase {
    PlannedPhase { key: key.into(), label: key.into(), steps, after_seconds, gate: None }
}

pub fn facts() -> Facts {
    let action = |risk| ActionFacts {
        label: "It".into(),
        risk,
        version: 1,
        enabled: true,
        declared: ["demo.lamps".into()].into(),
        tells: None,
    };
    Facts {
        actions: BTreeMap::from([
            ("demo.say".into(), action(Risk::Notify)),
            ("demo.light".into(), action(Risk::Change)),
            ("demo.borrow".into(), action(Risk::Change)),
        ]),
        leases: BTreeMap::from([("demo.rate".into(), super::bounds::lendable("0.5", "5", 120))]),
        ..Facts::default()
    }
}

pub fn scheduled(phases: Vec<PlannedPhase>) -> Scheduled {
    Scheduled {
        run_id: RUN.into(),
        definition_id: "d1".into(),
        definition_version: 1,
        title: "Lamps".into(),
        scope: "main".into(),
        slot: Some("2027-01-15T08:00:00".into()),
        generation: 1,
        scheduled_for: at(0),
        timezone: "Europe/Berlin".into(),
        moved_from: None,
        dst_adjusted: None,
        grace_seconds: 900,
        concurrency_key: Some("lamps".into()),
        rehearsal: false,
        hops: 0,
        params: Map::new(),
        plan: RunPlan { phases },
    }
}

pub fn done() -> Answer {
    Answer::Done {
        resources: Vec::new(),
        lasts_ms: None,
        borrowed: None,
        then: Then::Continue,
        replayed: false,
        participants: Vec::new(),
    }
}

pub fn parked() -> Answer {
    Answer::Done {
        resources: Vec::new(),
        lasts_ms: None,
        borrowed: None,
        then: Then::AwaitHuman,
        replayed: false,
        participants: Vec::new(),
    }
}

pub fn made(references: &[&str]) -> Answer {
    let resources = references.iter().map(|r| lamp(r)).collect();
    Answer::Done { resources, lasts_ms: None, borrowed: None, then: Then::Continue, replayed: false, participants: Vec::new() }
}

pub fn borrowed() -> Answer {
    let values = ("1".to_owned(), "2".to_owned());
    Answer::Done {
        resources: Vec::new(),
        lasts_ms: None,
        borrowed: Some(values),
        then: Then::Continue,
        replayed: false,
        participants: Vec::new(),
    }
}

pub fn no_answer() -> Answer {
    Answer::Failed { code: "no_answer".into(), retry: true, unknown: true }
}

pub fn refused() -> Answer {
    Answer::Failed { code: "ceiling".into(), retry: false, unknown: false }
}

pub fn lamp(reference: &str) -> Target {
    Target { module: "demo".into(), scope: "main".into(), kind: "lamp".into(), reference: reference.into() }
}

pub fn lease() -> Target {
    Target::lease("demo", "main", "demo.rate")
}

/// The run, the ledger as its effects make it, and what is staged.
#[derive(Default)]
pub struct Bench {
    pub run: Run,
    pub ledger: BTreeMap<Target, Entry>,
    pub staged: Vec<Due>,
    pub last: Vec<RunEvent>,
    pub slot: Vec<SlotMove>,
}

impl Bench {
    pub fn new(phases: Vec<PlannedPhase>) -> Self {
        let mut bench = Self::default();
        bench.must(RunCommand::Schedule { at: at(-60), run: Box::new(scheduled(phases)) });
        bench
    }

    pub fn started(phases: Vec<PlannedPhase>) -> Self {
        let mut bench = Self::new(phases);
        bench.start(0, facts());
        bench
    }

    pub fn start(&mut self, seconds: i64, facts: Facts) {
        let budget = pin_budget(self.run.plan().unwrap(), &BTreeMap::new());
        self.must(RunCommand::Start { at: at(seconds), standing: Standing::Current, slot_holder: None, budget, facts });
    }

    pub fn may(&mut self, command: RunCommand) -> Result<(), RunRefusal> {
        let events = self.run.decide(command)?;
        self.take(events);
        Ok(())
    }

    pub fn must(&mut self, command: RunCommand) {
        let shown = format!("{command:?}");
        self.may(command).unwrap_or_else(|refusal| panic!("{shown}: {refusal}"));
    }

    fn take(&mut self, events: Vec<RunEvent>) {
        let effects = effects(&self.run, &events);
        for (target, command) in effects.ledger {
            let shown = format!("{command:?}");
            let entry = self.ledger.entry(target).or_default();
            for event in entry.decide(command).unwrap_or_else(|refusal| panic!("{shown}: {refusal}")) {
                entry.apply(event);
            }
        }
        for (sequence, kind) in effects.unstage {
            let place = self.staged.iter().position(|due| due.sequence == sequence && due.kind == kind);
            self.staged.remove(place.unwrap_or_else(|| panic!("{kind} of {sequence} is not staged")));
        }
        self.staged.extend(effects.stage);
        self.slot.extend(effects.slot);
        for event in &events {
            self.run.apply(event.clone());
        }
        self.last = events;
        self.ledger_agrees();
    }

    /// The run's own account of what it holds is the ledger's.
    fn ledger_agrees(&self) {
        for held in &self.run.holdings {
            let entry = &self.ledger[&held.target];
            let hold = entry.hold.as_ref().unwrap();
            assert_eq!((hold.status, hold.run_id.as_str()), (held.status, RUN), "{}", held.target);
            assert_eq!((&hold.baseline, &hold.found), (&held.baseline, &held.found), "{}", held.target);
        }
        let held = self.run.holdings.len();
        assert_eq!(self.ledger.len(), held, "every entry is known to the run");
    }

    pub fn claim(&self, step: &str) -> u64 {
        self.run.step(step).unwrap().claim.unwrap_or_else(|| panic!("{step} is not claimed")).sequence
    }

    pub fn settle(&mut self, seconds: i64, step: &str, answer: Answer) {
        let claim = self.claim(step);
        self.must(RunCommand::Settle { at: at(seconds), step: step.into(), claim, answer, words: None, facts: facts() });
    }

    pub fn advance(&mut self, seconds: i64) -> Result<(), RunRefusal> {
        self.may(RunCommand::Advance { at: at(seconds), facts: facts() })
    }

    pub fn expire(&mut self, seconds: i64, step: &str) {
        let claim = self.claim(step);
        self.must(RunCommand::ExpireClaim { at: at(seconds), step: step.into(), claim, facts: facts() });
    }

    pub fn cancel(&mut self, seconds: i64, cleanup: bool) {
        self.must(RunCommand::Cancel { at: at(seconds), by: Asker::Runner, cleanup, stop: None, note: None });
    }

    pub fn sweep(&mut self, seconds: i64) {
        self.must(RunCommand::Sweep { at: at(seconds), limits: Limits::default() });
    }

    pub fn undo(&mut self, seconds: i64, result: &UndoOutcome) {
        let claim = self.run.undo.claim.clone().expect("an undo is claimed");
        let undone = claim.targets.into_iter().map(|target| Undone { target, result: result.clone() }).collect();
        let limits = Limits::default();
        self.must(RunCommand::SettleUndo { at: at(seconds), claim: claim.sequence, undone, words: None, limits });
    }

    pub fn status(&self, step: &str) -> StepStatus {
        self.run.step(step).unwrap().status
    }

    /// Whether a due item of this kind is staged for this instant.
    pub fn is_staged(&self, kind: DueKind, seconds: i64) -> bool {
        self.staged.iter().any(|due| due.kind == kind && due.due_at == at(seconds))
    }

    /// Items of this kind fell due and changed nothing.
    pub fn drop_staged(&mut self, kind: DueKind) {
        self.staged.retain(|due| due.kind != kind);
    }

    pub fn types(&self) -> Vec<String> {
        self.last.iter().map(cqrs_es::DomainEvent::event_type).collect()
    }

    pub fn restored() -> UndoOutcome {
        UndoOutcome::Reverted { reason: crate::ledger::Let::Restored }
    }

    pub fn taken_by_another(target: Target) -> Facts {
        Facts { held: BTreeMap::from([(target, "r2".to_owned())]), ..facts() }
    }
}

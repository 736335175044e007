//! A run that goes through everything, command by command.

use std::collections::BTreeMap;

use leasehold_aggregates::authorise::Asker;
use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::ledger::Let;
use leasehold_aggregates::run::{
    Answer, Limits, NoteRef, PlannedPhase, Run, RunCommand, Standing, UndoOutcome, Undone, pin_budget,
};
use leasehold_aggregates::target::Target;
use leasehold_module::Then;
use leasehold_projections::run_view::Notes;
use uuid::Uuid;

use crate::bench::{self, Fact, at, borrowing, facts, making, phase, scheduled, step};

pub const RUN: &str = "r1";
pub const WORDS: Uuid = Uuid::from_u128(7);
pub const REASON: Uuid = Uuid::from_u128(8);

/// A run and everything that has happened to it.
#[derive(Default)]
pub struct Script {
    pub run: Run,
    pub facts: Vec<Fact>,
}

impl Script {
    pub fn take(&mut self, command: RunCommand) {
        for event in self.run.decide(command).unwrap() {
            self.facts.push(Fact::of("run", RUN, &event));
            self.run.apply(event);
        }
    }

    pub fn scheduled() -> Self {
        let gather = phase("gathering", vec![step("hail"), borrowing("rate", "demo.rate.gather")], Some(1_800));
        let lights = phase("lights", vec![making("lamps", 12), step("cue")], None);
        Self::of(vec![gather, lights])
    }

    /// A run of that plan, on the calendar.
    pub fn of(phases: Vec<PlannedPhase>) -> Self {
        let mut script = Self::default();
        let run = Box::new(scheduled(RUN, "d1", at(0), phases));
        script.take(RunCommand::Schedule { at: at(-600), run });
        script
    }

    pub fn start(&mut self) {
        let caps = BTreeMap::from([("demo.lamp.light".to_owned(), BTreeMap::from([("demo.lamps".to_owned(), 30)]))]);
        let budget = pin_budget(self.run.plan().unwrap(), &caps);
        self.take(RunCommand::Start { at: at(5), standing: Standing::default(), slot_holder: None, budget, facts: facts() });
    }

    pub fn settle(&mut self, seconds: i64, step: &str, answer: Answer, words: Option<NoteRef>) {
        let claim = self.run.step(step).unwrap().claim.unwrap().sequence;
        self.take(RunCommand::Settle { at: at(seconds), step: step.into(), claim, answer, words, facts: facts() });
    }

    pub fn advance(&mut self, seconds: i64) {
        self.take(RunCommand::Advance { at: at(seconds), facts: facts() });
    }

    pub fn cancel(&mut self, seconds: i64) {
        self.take(RunCommand::Cancel { at: at(seconds), by: Asker::Runner, cleanup: true, stop: None, note: Some(note(REASON)) });
    }

    pub fn undo(&mut self, seconds: i64, result: impl Fn(&Target) -> UndoOutcome) {
        let claim = self.run.undo.claim.clone().unwrap();
        let undone = claim.targets.iter().map(|target| Undone { target: target.clone(), result: result(target) }).collect();
        let limits = Limits::default();
        self.take(RunCommand::SettleUndo { at: at(seconds), claim: claim.sequence, undone, words: None, limits });
    }

    /// Up to the cue, which waits for a person; an answer was lost on the way.
    pub fn at_the_cue() -> Self {
        let mut script = Self::scheduled();
        script.start();
        script.settle(6, "hail", done(Then::Continue), None);
        let lost = Answer::Failed { code: "no_answer".into(), retry: true, unknown: true };
        script.settle(16, "rate", lost, Some(note(WORDS)));
        script.advance(76);
        script.settle(77, "rate", borrowed(), None);
        script.advance(1_805);
        script.settle(1_807, "lamps", made(&["a", "b"]), None);
        script.settle(1_808, "cue", done(Then::AwaitHuman), None);
        script
    }

    /// All the way: cancelled, the lamps taken down at the second try, the value found moved.
    pub fn to_the_end() -> Self {
        let mut script = Self::at_the_cue();
        script.cancel(1_900);
        script.take(RunCommand::Sweep { at: at(1_900), limits: Limits::default() });
        script.undo(1_901, |_| UndoOutcome::Failed { code: "no_answer".into() });
        script.undo(1_902, |_| UndoOutcome::Drifted { found: "1300".into() });
        script.take(RunCommand::Sweep { at: at(1_961), limits: Limits::default() });
        script.undo(1_962, |target| UndoOutcome::Reverted {
            reason: if target.reference == "a" { Let::Removed } else { Let::Gone },
        });
        script
    }
}

pub fn note(id: Uuid) -> NoteRef {
    NoteRef { id, digest: "ab".repeat(32) }
}

/// The words of the script's notes.
pub fn notes() -> Notes {
    Notes::from([(WORDS, "nobody there\u{1b}[31m".to_owned()), (REASON, "<b>storm</b>".to_owned())])
}

pub fn done(then: Then) -> Answer {
    Answer::Done { resources: Vec::new(), lasts_ms: None, borrowed: None, then, replayed: false, participants: Vec::new() }
}

pub fn borrowed() -> Answer {
    let values = ("1000".to_owned(), "1200".to_owned());
    Answer::Done {
        resources: Vec::new(),
        lasts_ms: None,
        borrowed: Some(values),
        then: Then::Continue,
        replayed: true,
        participants: Vec::new(),
    }
}

pub fn made(references: &[&str]) -> Answer {
    let lamp = |reference: &&str| Target {
        module: "demo".into(),
        scope: "main".into(),
        kind: "lamp".into(),
        reference: (*reference).into(),
    };
    let resources = references.iter().map(lamp).collect();
    Answer::Done { resources, lasts_ms: None, borrowed: None, then: Then::Continue, replayed: false, participants: Vec::new() }
}

/// The script's events as a log would hold them.
pub fn recorded(script: &Script) -> Vec<leasehold_projections::SeenEvent> {
    bench::recorded(&script.facts)
}

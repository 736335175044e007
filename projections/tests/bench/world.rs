//! Many runs at once, living by chance: whatever the decisions allow may happen, in any order, late or never answered.

mod lives;

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use leasehold_aggregates::authorise::Asker;
use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::ledger::{Entry, Let};
use leasehold_aggregates::run::{
    Answer, Facts, NoteRef, PlannedPhase, Retry, Run, RunCommand, RunStatus, Standing, UndoOutcome, Undone, effects, pin_budget,
};
use leasehold_aggregates::target::Target;
use leasehold_module::Then;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use uuid::Uuid;

use super::plans::{at, borrowing, facts, making, phase, scheduled, step};
use super::{Fact, definitions};

/// What the aggregates hold after everything that has happened.
pub struct World {
    rng: StdRng,
    seconds: i64,
    pub runs: BTreeMap<String, Run>,
    pub ledger: BTreeMap<Target, Entry>,
    /// Versions, by definition.
    definitions: BTreeMap<String, u64>,
}

impl World {
    pub fn new(seed: u64) -> Self {
        let rng = StdRng::seed_from_u64(seed);
        Self { rng, seconds: 0, runs: BTreeMap::new(), ledger: BTreeMap::new(), definitions: BTreeMap::new() }
    }

    /// One command that was taken; its facts, over one or several streams.
    pub fn command(&mut self) -> Vec<Fact> {
        loop {
            self.seconds += self.rng.random_range(0..200);
            let facts = match self.rng.random_range(0..20) {
                0 => self.define(),
                1 | 2 => self.schedule(),
                _ => self.live(),
            };
            if !facts.is_empty() {
                return facts;
            }
        }
    }

    /// As many commands as it takes to make `count` facts or a few more.
    pub fn commands(&mut self, count: usize) -> Vec<Vec<Fact>> {
        let mut made = 0;
        let mut all = Vec::new();
        while made < count {
            let facts = self.command();
            made += facts.len();
            all.push(facts);
        }
        all
    }

    fn now(&self) -> DateTime<Utc> {
        at(self.seconds)
    }

    fn define(&mut self) -> Vec<Fact> {
        let count = self.definitions.len();
        if count == 0 || self.rng.random_bool(0.3) {
            let id = format!("d{count}");
            self.definitions.insert(id.clone(), 1);
            return definitions::published(&id, "Version 1");
        }
        let nth = self.rng.random_range(0..count);
        let Some((id, versions)) = self.definitions.iter_mut().nth(nth) else { return Vec::new() };
        vec![definitions::more(id, versions, &mut self.rng)]
    }

    fn schedule(&mut self) -> Vec<Fact> {
        let again = self.runs.iter().find(|(_, run)| run.may_be_reopened() && self.rng.random_bool(0.5));
        let id = again.map_or_else(|| format!("r{}", self.runs.len()), |(id, _)| id.clone());
        let definition = format!("d{}", self.rng.random_range(0..3));
        let run = Box::new(scheduled(&id, &definition, self.now(), self.plan()));
        self.decide(&id, RunCommand::Schedule { at: self.now(), run })
    }

    fn plan(&mut self) -> Vec<PlannedPhase> {
        let phases = self.rng.random_range(1..4);
        let mut key = 0;
        let mut next = |rng: &mut StdRng| {
            key += 1;
            match rng.random_range(0..3) {
                0 => step(&format!("s{key}")),
                1 => making(&format!("s{key}"), rng.random_range(1..9)),
                _ => borrowing(&format!("s{key}"), ["demo.rate.gather", "demo.rate.craft"][rng.random_range(0..2)]),
            }
        };
        let phases = (0..phases).map(|nth| {
            let steps = (0..self.rng.random_range(0..4)).map(|_| next(&mut self.rng)).collect();
            phase(&format!("p{nth}"), steps, self.rng.random_bool(0.5).then_some(300))
        });
        phases.collect()
    }

    fn live(&mut self) -> Vec<Fact> {
        if self.runs.is_empty() {
            return Vec::new();
        }
        let nth = self.rng.random_range(0..self.runs.len());
        let Some((id, run)) = self.runs.iter().nth(nth).map(|(id, run)| (id.clone(), run.clone())) else { return Vec::new() };
        let command = self.pick(&run);
        self.decide(&id, command)
    }

    /// What a person may press, whether or not it fits.
    fn control(&mut self, run: &Run) -> RunCommand {
        let (at, facts, note) = (self.now(), self.facts_for(run), self.note());
        let step = run.steps.get(self.rng.random_range(0..run.steps.len().max(1))).map(|step| step.key.clone());
        let stopped = run.furthest_step().map(|step| step.key.clone());
        match (self.rng.random_range(0..5), step, stopped) {
            (0, ..) if run.status == RunStatus::Running => RunCommand::Pause { at, stop: None, note },
            (1, ..) => RunCommand::OpenGate { at, note },
            (2, Some(step), _) => RunCommand::Skip { at, step, note, facts },
            (3, _, Some(step)) => RunCommand::Retry(Retry { at, step, note, facts, caps: None }),
            _ => RunCommand::Resume { at, note, facts },
        }
    }

    fn pick(&mut self, run: &Run) -> RunCommand {
        let (at, facts) = (self.now(), self.facts_for(run));
        if self.rng.random_bool(if run.status == RunStatus::Paused { 0.6 } else { 0.15 }) {
            return self.control(run);
        }
        let limits = facts.limits;
        let claim = run.live_claims().next().map(|(step, claim)| (step.key.clone(), claim.sequence));
        let parked = run.steps.iter().find(|step| step.parked).map(|step| step.key.clone());
        let undo = run.undo.claim.clone();
        match (self.rng.random_range(0..12), claim, parked, undo) {
            (0, ..) => {
                RunCommand::Cancel { at, by: Asker::Runner, cleanup: self.rng.random_bool(0.8), stop: None, note: self.note() }
            }
            (1, Some((step, claim)), ..) => RunCommand::ExpireClaim { at, step, claim, facts },
            (_, Some((step, claim)), ..) => {
                let answer = self.answer(run, &step);
                RunCommand::Settle { at, step, claim, answer, words: self.note(), facts }
            }
            (2..8, _, Some(step), _) => RunCommand::Confirm { at, step, note: self.note(), facts },
            (8, _, _, Some(undo)) => RunCommand::ExpireUndo { at, claim: undo.sequence, limits },
            (_, _, _, Some(undo)) => {
                let undone = undo.targets.iter().map(|target| self.undone(target)).collect();
                RunCommand::SettleUndo { at, claim: undo.sequence, undone, words: self.note(), limits }
            }
            (9 | 10, ..) if run.status.terminal() => RunCommand::Sweep { at, limits },
            _ if run.started_at.is_some() => RunCommand::Advance { at, facts },
            _ => {
                let budget = run.plan().map(|plan| pin_budget(plan, &BTreeMap::new())).unwrap_or_default();
                let slot_holder = self.rng.random_bool(0.2).then(|| "another".to_owned());
                let standing = match self.rng.random_range(0..10) {
                    0 => Standing::Superseded,
                    1 => Standing::Archived,
                    _ => Standing::Current,
                };
                RunCommand::Start { at, standing, slot_holder, budget, facts }
            }
        }
    }

    fn facts_for(&self, run: &Run) -> Facts {
        let own = run.scheduled.as_ref().map_or("", |scheduled| scheduled.run_id.as_str());
        let held = self.ledger.iter().filter_map(|(target, entry)| Some((target.clone(), entry.holder()?.run_id.clone())));
        Facts { held: held.filter(|(_, run)| run != own).collect(), ..facts() }
    }

    fn answer(&mut self, run: &Run, step: &str) -> Answer {
        if self.rng.random_bool(0.3) {
            let (retry, unknown) = (self.rng.random_bool(0.7), self.rng.random_bool(0.5));
            return Answer::Failed { code: "no_answer".into(), retry, unknown };
        }
        let planned = run.planned(step);
        let borrows = planned.is_some_and(|planned| planned.lease.is_some());
        let makes = planned.is_some_and(|planned| planned.action == "demo.lamp.light");
        let lamp =
            |nth: u32| Target { module: "demo".into(), scope: "main".into(), kind: "lamp".into(), reference: nth.to_string() };
        let resources =
            if makes { vec![lamp(self.rng.random_range(0..30)), lamp(self.rng.random_range(30..60))] } else { vec![] };
        let then = match self.rng.random_range(0..6) {
            0 if !borrows => Then::AwaitHuman,
            1 => Then::HoldFor(90),
            _ => Then::Continue,
        };
        let borrowed = borrows.then(|| ("1000".to_owned(), "1200".to_owned()));
        Answer::Done { resources, lasts_ms: None, borrowed, then, replayed: self.rng.random_bool(0.2), participants: Vec::new() }
    }

    fn undone(&mut self, target: &Target) -> Undone {
        let result = match self.rng.random_range(0..5) {
            0 => UndoOutcome::Drifted { found: "1300".into() },
            1 => UndoOutcome::Failed { code: "no_answer".into() },
            2 => UndoOutcome::Reverted { reason: Let::ExpiredAtGame },
            _ => UndoOutcome::Reverted { reason: Let::Restored },
        };
        Undone { target: target.clone(), result }
    }

    fn note(&mut self) -> Option<NoteRef> {
        let id = Uuid::from_u128(self.rng.random());
        self.rng.random_bool(0.3).then(|| NoteRef { id, digest: "00".repeat(32) })
    }

    /// Takes the command with all that it means for the ledger, or none of it.
    fn decide(&mut self, id: &str, command: RunCommand) -> Vec<Fact> {
        let mut run = self.runs.get(id).cloned().unwrap_or_default();
        let Ok(events) = run.decide(command) else { return Vec::new() };
        let mut facts: Vec<Fact> = events.iter().map(|event| Fact::of("run", id, event)).collect();
        let mut ledger = self.ledger.clone();
        for (target, command) in effects(&run, &events).ledger {
            let entry = ledger.entry(target.clone()).or_default();
            let Ok(decided) = entry.decide(command) else { return Vec::new() };
            for event in decided {
                facts.push(Fact::of("ledger", &target.stream_id(), &event));
                entry.apply(event);
            }
        }
        for event in events {
            run.apply(event);
        }
        self.ledger = ledger;
        self.runs.insert(id.to_owned(), run);
        facts
    }
}

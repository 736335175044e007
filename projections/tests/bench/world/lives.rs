//! Lives as a deployment's log holds most of them: planned, started in time, every step done, everything given back.

use std::collections::BTreeMap;

use leasehold_aggregates::ledger::Let;
use leasehold_aggregates::run::{Answer, CleanupStatus, Run, RunCommand, RunStatus, Standing, UndoOutcome, Undone, pin_budget};
use leasehold_aggregates::target::Target;
use leasehold_module::Then;

use super::World;
use crate::bench::plans::{borrowing, facts, lendable, making, phase, scheduled, step};
use crate::bench::{Fact, definitions};

/// Runs that are under way side by side.
const AT_ONCE: usize = 8;
/// Runs of one definition before the next is written.
const RUNS: usize = 50;
/// Things that a step makes.
const THINGS: usize = 12;

impl World {
    /// As many whole lives as it takes to make `count` facts or a few more.
    pub fn lives(&mut self, count: usize) -> Vec<Fact> {
        let mut all = Vec::new();
        while all.len() < count {
            let definition = format!("d{}", self.definitions.len());
            self.definitions.insert(definition.clone(), 1);
            all.extend(definitions::published(&definition, "Version 1"));
            let mut waiting: Vec<String> = (0..RUNS).map(|nth| format!("{definition}-r{nth}")).collect();
            let mut living: Vec<String> = Vec::new();
            while !(living.is_empty() && waiting.is_empty()) {
                while living.len() < AT_ONCE
                    && let Some(id) = waiting.pop()
                {
                    all.extend(self.planned(&id, &definition));
                    living.push(id);
                }
                self.seconds += 60;
                living.retain(|id| {
                    let facts = self.goes_on(id);
                    let lives = !facts.is_empty() || !self.is_over(id);
                    all.extend(facts);
                    lives
                });
            }
        }
        let well = |run: &Run| run.status == RunStatus::Completed && run.cleanup == CleanupStatus::Complete;
        assert!(self.runs.values().all(well), "a life that was to go well did not");
        all
    }

    fn planned(&mut self, id: &str, definition: &str) -> Vec<Fact> {
        let first = vec![step("hail"), borrowing("rate", &format!("demo.rate.{id}")), making("lamps", 12)];
        let second = vec![step("again"), making("more", 12), step("end")];
        let phases = vec![phase("gather", first, Some(1_800)), phase("light", second, Some(1_800))];
        let run = Box::new(scheduled(id, definition, self.now(), phases));
        self.decide(id, RunCommand::Schedule { at: self.now(), run })
    }

    fn is_over(&self, id: &str) -> bool {
        let run = &self.runs[id];
        run.status.terminal() && run.cleanup != CleanupStatus::Pending
    }

    /// What happens next, if anything may by now.
    fn goes_on(&mut self, id: &str) -> Vec<Fact> {
        let (at, mut facts, run) = (self.now(), facts(), self.runs[id].clone());
        let own = format!("demo.rate.{id}");
        facts.leases.insert(own.clone(), lendable(own));
        let claim = run.live_claims().next().map(|(step, claim)| (step.key.clone(), claim.sequence));
        let command = match (claim, &run.undo.claim) {
            (Some((step, claim)), _) => {
                RunCommand::Settle { at, answer: Self::done(id, &run, &step), step, claim, words: None, facts }
            }
            (None, Some(undo)) => {
                let given_back =
                    |target: &Target| Undone { target: target.clone(), result: UndoOutcome::Reverted { reason: Let::Restored } };
                let undone = undo.targets.iter().map(given_back).collect();
                RunCommand::SettleUndo { at, claim: undo.sequence, undone, words: None, limits: facts.limits }
            }
            (None, None) if run.status.terminal() => RunCommand::Sweep { at, limits: facts.limits },
            (None, None) if run.started_at.is_some() => RunCommand::Advance { at, facts },
            (None, None) => {
                let caps = BTreeMap::from([("demo.lamp.light".to_owned(), BTreeMap::from([("demo.lamps".to_owned(), 60)]))]);
                let budget = run.plan().map(|plan| pin_budget(plan, &caps)).unwrap_or_default();
                RunCommand::Start { at, standing: Standing::Current, slot_holder: None, budget, facts }
            }
        };
        self.decide(id, command)
    }

    fn done(id: &str, run: &Run, step: &str) -> Answer {
        let planned = run.planned(step);
        let borrows = planned.is_some_and(|planned| planned.lease.is_some());
        let makes = planned.is_some_and(|planned| planned.action == "demo.lamp.light");
        let lamp = |nth: usize| Target {
            module: "demo".into(),
            scope: "main".into(),
            kind: "lamp".into(),
            reference: format!("{id}-{step}-{nth}"),
        };
        let resources = if makes { (0..THINGS).map(lamp).collect() } else { Vec::new() };
        let borrowed = borrows.then(|| ("1000".to_owned(), "1200".to_owned()));
        Answer::Done { resources, lasts_ms: None, borrowed, then: Then::Continue, replayed: false, participants: Vec::new() }
    }
}

//! How a trial asks: fresh runs and keys, the world before and after, and the list of what was found.

use serde_json::Value;

use super::difference::difference;
use super::{Bench, Finding, Obligation};
use crate::{
    Action, CloseRun, Closed, InForce, Lease, LeaseApplied, LeaseApply, LeaseQuery, LeaseRead, LeaseRestore, LeaseRestored,
    Perform, Performed, Resource, Revert, RevertTarget, Reverted, Success,
};

/// Milliseconds for which an order is good, and a value is borrowed, in a trial.
const TTL_MS: u64 = 60_000;
/// How often an order is given that may go better another time.
const ATTEMPTS: u32 = 3;
pub const HOLD_MS: u64 = 600_000;

pub struct Trial<'a> {
    pub bench: &'a dyn Bench,
    pub findings: Vec<Finding>,
    runs: u64,
}

/// One attempt: the run, its step's key, and the fence of its claim.
#[derive(Debug, Clone)]
pub struct Attempt {
    pub run: String,
    pub key: String,
    pub fence: u64,
}

impl<'a> Trial<'a> {
    pub fn new(bench: &'a dyn Bench) -> Self {
        Self { bench, findings: Vec::new(), runs: 0 }
    }

    /// Puts down what is wrong, unless it holds.
    pub fn owes(&mut self, obligation: Obligation, entry: &str, holds: bool, told: impl FnOnce() -> String) {
        if !holds {
            self.findings.push(Finding { obligation, entry: entry.to_owned(), told: told() });
        }
    }

    /// The world is still that one.
    pub async fn owes_same(
        &mut self,
        obligation: Obligation,
        entry: &str,
        before: &Value,
        told: impl FnOnce() -> String,
    ) -> bool {
        let after = self.world().await;
        let same = after == *before;
        self.owes(obligation, entry, same, || format!("{} ({})", told(), difference(before, &after)));
        same
    }

    /// A run that nobody has seen, with the key of its only step.
    pub fn attempt(&mut self) -> Attempt {
        self.runs += 1;
        let salt = self.bench.module().manifest().id.bytes().fold(self.runs, |sum, byte| sum * 31 + u64::from(byte));
        Attempt { run: format!("conformance-{}", self.runs), key: format!("{salt:032x}{:08x}", self.runs), fence: 3 }
    }

    /// The same for this action, with what it needs brought about.
    pub async fn attempt_at(&mut self, action: &Action) -> Attempt {
        let attempt = self.attempt();
        self.bench.prepare(action, &attempt.run).await;
        attempt
    }

    pub async fn world(&self) -> Value {
        self.bench.world().await
    }

    pub fn order(&self, action: &Action, attempt: &Attempt) -> Perform {
        Perform {
            action: action.id.clone(),
            run_id: attempt.run.clone(),
            step: "trial".into(),
            idempotency_key: attempt.key.clone(),
            scope: self.bench.scope().to_owned(),
            params: self.bench.params(action),
            fence: attempt.fence,
            ttl_ms: TTL_MS,
            actor: "runner".into(),
            verify: false,
            mark: None,
            ceiling: None,
        }
    }

    pub async fn perform(&self, order: Perform) -> Performed {
        self.bench.module().perform(order).await
    }

    /// Performs an action as it is meant, for what comes after; none, and a finding, where it does not succeed. What may go better
    /// another time is asked again under the same key, as often as an engine does.
    pub async fn made(&mut self, action: &Action, attempt: &Attempt) -> Option<Success> {
        let mut performed = self.perform(self.order(action, attempt)).await;
        for _ in 1..ATTEMPTS {
            if !matches!(&performed, Performed::Failed(failure) if failure.retry) {
                break;
            }
            performed = self.perform(self.order(action, attempt)).await;
        }
        match performed {
            Performed::Done(success) => Some(success),
            Performed::Failed(failure) => {
                let told = || format!("it fails with sound parameters: {failure:?}");
                self.owes(Obligation::PerformsOnce, &action.id, false, told);
                None
            }
        }
    }

    /// Asks for the undo of these, or of whatever the key made; `round` makes the undo's key.
    pub async fn revert(&self, action: &Action, attempt: &Attempt, resources: Vec<RevertTarget>, round: u64) -> Reverted {
        let request = Revert {
            action: action.id.clone(),
            run_id: attempt.run.clone(),
            step: "trial".into(),
            scope: self.bench.scope().to_owned(),
            resources,
            perform_key: attempt.key.clone(),
            idempotency_key: undo_key(attempt, round),
            mark: None,
        };
        self.bench.module().revert(request).await
    }

    /// Leaves nothing behind, whatever the module makes of it.
    pub async fn clear(&self, action: &Action, attempt: &Attempt) {
        if action.reversible == crate::Reversible::Ledger {
            self.revert(action, attempt, Vec::new(), 99).await;
        }
    }

    pub async fn close(&self, attempt: &Attempt, fence: u64) -> Closed {
        let request = CloseRun { run_id: attempt.run.clone(), scope: self.bench.scope().to_owned(), fence, mark: None };
        self.bench.module().close_run(request).await
    }

    pub fn query(&self, lease: &Lease, attempt: &Attempt) -> LeaseQuery {
        LeaseQuery { lease: lease.id.clone(), scope: self.bench.scope().to_owned(), run_id: attempt.run.clone() }
    }

    pub async fn read(&self, lease: &Lease, attempt: &Attempt) -> LeaseRead {
        self.bench.module().lease_read(self.query(lease, attempt)).await
    }

    pub async fn in_force(&self, lease: &Lease, attempt: &Attempt) -> InForce {
        self.bench.module().lease_in_force(self.query(lease, attempt)).await
    }

    pub fn borrowing(&self, lease: &Lease, attempt: &Attempt, value: &str) -> LeaseApply {
        LeaseApply {
            lease: lease.id.clone(),
            scope: self.bench.scope().to_owned(),
            run_id: attempt.run.clone(),
            value: value.to_owned(),
            hold_ms: HOLD_MS.min(lease.max_duration_ms),
            until_ms: 4_000_000_000_000,
            idempotency_key: attempt.key.clone(),
            fence: attempt.fence,
            ttl_ms: TTL_MS,
            verify: false,
            mark: None,
        }
    }

    pub async fn borrow(&self, request: LeaseApply) -> LeaseApplied {
        self.bench.module().lease_apply(request).await
    }

    pub async fn give_back(&self, lease: &Lease, attempt: &Attempt, held: (&str, Option<&str>), round: u64) -> LeaseRestored {
        let (expected, baseline) = held;
        let request = LeaseRestore {
            lease: lease.id.clone(),
            scope: self.bench.scope().to_owned(),
            run_id: attempt.run.clone(),
            expected: expected.to_owned(),
            baseline: baseline.map(str::to_owned),
            idempotency_key: undo_key(attempt, round),
            mark: None,
        };
        self.bench.module().lease_restore(request).await
    }
}

/// The undo's own key, another in each round.
fn undo_key(attempt: &Attempt, round: u64) -> String {
    let (front, _) = attempt.key.split_at(32);
    let number: u64 = u64::from_str_radix(&attempt.key[32..], 16).unwrap_or_default();
    format!("{front}{:08x}", 0x8000_0000 + (number * 100 + round) % 0x7fff_ffff)
}

pub fn targets(resources: &[Resource]) -> Vec<RevertTarget> {
    let target = |resource: &Resource| RevertTarget { kind: resource.kind.clone(), reference: resource.reference.clone() };
    resources.iter().map(target).collect()
}

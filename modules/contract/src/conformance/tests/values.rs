//! The value that the lamps lend.

use super::lamps::{Flaw, Lamps};
use super::world::{Answer, DEFAULT, Hold, Met};
use crate::{Failure, InForce, LeaseApplied, LeaseApply, LeaseQuery, LeaseRead, LeaseRestore, LeaseRestored};

const LONGEST_MS: u64 = 3_600_000;
/// The one value by itself, and the same as that of the lamp at the quay.
const NAMES: [&str; 2] = ["demo.rate", "demo.rate_of@quay"];

impl Lamps {
    pub(super) fn value(&self, request: &LeaseQuery) -> LeaseRead {
        if NAMES.contains(&request.lease.as_str()) {
            LeaseRead::Value(self.world().value.clone())
        } else {
            LeaseRead::Failed(Failure::refused("no_such_lease", "there is none"))
        }
    }

    pub(super) fn lend(&self, request: &LeaseApply) -> Result<LeaseApplied, Failure> {
        let fits = request.value.parse::<u32>().is_ok_and(|value| (1..=10).contains(&value));
        let too_long = request.hold_ms > LONGEST_MS && !self.has(Flaw::ClampsTheHold);
        let there = NAMES.contains(&request.lease.as_str())
            || self.has(Flaw::LendsOfWhatIsNotThere) && request.lease == "demo.rate_of@no-such-object";
        if !there || !fits || too_long {
            return Err(Failure::refused("out_of_range", "it is not lent so"));
        }
        let mut world = self.world();
        if request.verify {
            return Ok(LeaseApplied::Acceptable { current: world.value.clone() });
        }
        if let Some(known) = world.keys.get(&request.idempotency_key) {
            let Some(Answer::Lent(baseline, applied)) = known else {
                return Err(Failure { retry: false, ..Failure::unknown("interrupted", "the game died in the middle") });
            };
            let baseline = if self.has(Flaw::RepeatTakesNewBaseline) { world.value.clone() } else { baseline.clone() };
            return Ok(LeaseApplied::Applied { baseline, applied: applied.clone(), replayed: true });
        }
        if world.hold.is_some() {
            return Err(Failure::refused("held", "somebody holds it"));
        }
        let met = world.meet();
        if let Met::Before(failure) = met {
            return Err(failure);
        }
        let mut baseline = std::mem::replace(&mut world.value, request.value.clone());
        world.hold = Some(Hold { run: request.run_id.clone(), baseline: baseline.clone(), applied: request.value.clone() });
        let answer = Answer::Lent(baseline.clone(), request.value.clone());
        world.keys.insert(request.idempotency_key.clone(), Some(answer));
        if self.has(Flaw::BaselineIsTheDefault) {
            baseline = format!("{DEFAULT}0");
            let told = Answer::Lent(baseline.clone(), request.value.clone());
            world.keys.insert(request.idempotency_key.clone(), Some(told));
        }
        match met {
            Met::After(failure) | Met::Unwritten(failure) => Err(failure),
            Met::Nothing | Met::Before(_) => {
                Ok(LeaseApplied::Applied { baseline, applied: request.value.clone(), replayed: false })
            }
        }
    }

    pub(super) fn take_back(&self, request: &LeaseRestore) -> Result<LeaseRestored, Failure> {
        let mut world = self.world();
        let met = world.meet();
        if let Met::Before(failure) = met {
            return Err(failure);
        }
        let current = world.value.clone();
        let Some(hold) = world.hold.clone().filter(|hold| hold.run == request.run_id) else {
            return Ok(LeaseRestored::LetGo { reason: "restart".into(), current });
        };
        world.hold = None;
        let drifted = current != hold.applied;
        if !drifted || self.has(Flaw::WritesOverDrift) {
            world.value.clone_from(&hold.baseline);
        }
        if self.has(Flaw::KeepsTheValue) && !drifted && !std::mem::replace(&mut world.spent, true) {
            world.value = current.clone();
        }
        match met {
            Met::After(failure) | Met::Unwritten(failure) => Err(failure),
            Met::Nothing | Met::Before(_) if drifted => Ok(LeaseRestored::Drifted { current }),
            Met::Nothing | Met::Before(_) => Ok(LeaseRestored::Restored),
        }
    }

    pub(super) fn held(&self, request: &LeaseQuery) -> InForce {
        let held = self.world().hold.as_ref().is_some_and(|hold| hold.run == request.run_id);
        if held && !self.has(Flaw::UnknownIsNo) { InForce::Yes } else { InForce::No }
    }
}

//! Lamps that are lit and a value that is lent, in memory; sound, or with one flaw.

use std::sync::{Mutex, MutexGuard};

use serde_json::{Value, json};

use super::super::{Asked, Bench, Obligation, Point};
use super::world::{Answer, Met, World};
use crate::{
    Answering, Choice, CloseRun, Closed, Failure, InForce, Lease, LeaseApplied, LeaseApply, LeaseQuery, LeaseRead, LeaseRestore,
    LeaseRestored, Manifest, Module, Options, OptionsAnswer, Perform, Performed, Reconcile, Reconciled, Resource, Revert,
    Reverted, Seen, Standing, Success, Undone, UndoneOutcome, check_params,
};

/// One thing that is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    EmptyLabel,
    Hasty,
    VerifyLights,
    VerifyRefuses,
    TakesAnything,
    NoMarkOnReplay,
    LeavesOne,
    SecondUndoFails,
    NothingIsAFailure,
    KeyIsUnknown,
    LossIsARefusal,
    LossIsASuccess,
    KeyRunsAgain,
    ClosedIsOpen,
    BaselineIsTheDefault,
    Inert,
    RepeatTakesNewBaseline,
    ClampsTheHold,
    KeepsTheValue,
    WritesOverDrift,
    UnknownIsNo,
    AwayIsGone,
    NoLabels,
    LendsOfWhatIsNotThere,
}

impl Flaw {
    /// Every one, and what it breaks.
    pub const ALL: [(Self, Obligation); 24] = [
        (Self::EmptyLabel, Obligation::DeclaresSoundly),
        (Self::Hasty, Obligation::OutlastsItself),
        (Self::VerifyLights, Obligation::VerifiesWithoutChange),
        (Self::VerifyRefuses, Obligation::VerifiesWithoutChange),
        (Self::TakesAnything, Obligation::RefusesTheUndeclared),
        (Self::NoMarkOnReplay, Obligation::PerformsOnce),
        (Self::LeavesOne, Obligation::TakesBack),
        (Self::SecondUndoFails, Obligation::TakesBackTwice),
        (Self::NothingIsAFailure, Obligation::TakesBackNothing),
        (Self::KeyIsUnknown, Obligation::TakesBackByKey),
        (Self::LossIsARefusal, Obligation::FailsLoudly),
        (Self::LossIsASuccess, Obligation::FailsLoudly),
        (Self::KeyRunsAgain, Obligation::RecoversWhole),
        (Self::ClosedIsOpen, Obligation::StaysClosed),
        (Self::BaselineIsTheDefault, Obligation::LendsWithBaseline),
        (Self::Inert, Obligation::LendsWithEffect),
        (Self::RepeatTakesNewBaseline, Obligation::LendsOnce),
        (Self::ClampsTheHold, Obligation::LendsWithinBounds),
        (Self::KeepsTheValue, Obligation::GivesBack),
        (Self::WritesOverDrift, Obligation::LeavesDrift),
        (Self::UnknownIsNo, Obligation::KnowsWhatIsHeld),
        (Self::AwayIsGone, Obligation::LooksHonestly),
        (Self::NoLabels, Obligation::OffersChoices),
        (Self::LendsOfWhatIsNotThere, Obligation::RefusesTheUndeclared),
    ];
}

pub struct Lamps {
    manifest: Manifest,
    flaw: Option<Flaw>,
    world: Mutex<World>,
}

fn manifest() -> Manifest {
    let manifest = json!({"id": "demo", "label": "Demo", "version": 1,
        "actions": [{"id": "demo.lamp.light", "label": "Light", "description": "Lights lamps.", "summary": "light {count}",
            "risk": "change", "reversible": "ledger", "promise": "effect_once", "version": 1, "budgetMs": 5000,
            "params": [{"name": "count", "type": "int", "required": true, "example": 2, "min": "1", "max": "5"}]}],
        "leases": [{"id": "demo.rate", "label": "Rate", "type": "int", "min": "1", "max": "10", "maxDurationMs": 3_600_000,
            "reaches": "everyone", "budgetMs": 5000},
            {"id": "demo.rate_of", "label": "Rate of a lamp", "type": "int", "min": "1", "max": "10", "maxDurationMs": 3_600_000,
            "reaches": "everyone", "budgetMs": 5000, "object": {"label": "the lamp", "example": "quay"}}],
        "optionSources": [{"id": "demo.options.places", "label": "Places"}]});
    serde_json::from_value(manifest).unwrap()
}

impl Lamps {
    pub fn new(flaw: Option<Flaw>) -> Self {
        let mut manifest = manifest();
        match flaw {
            Some(Flaw::EmptyLabel) => manifest.leases[0].label.clear(),
            Some(Flaw::Hasty) => manifest.actions[0].budget_ms = 4_000,
            _ => {}
        }
        Self { manifest, flaw, world: Mutex::new(World::new()) }
    }

    pub(super) fn has(&self, flaw: Flaw) -> bool {
        self.flaw == Some(flaw)
    }

    pub(super) fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap()
    }

    fn light(&self, request: &Perform) -> Result<Success, Failure> {
        let declared = request.action == "demo.lamp.light";
        let fits = declared && check_params(&self.manifest.actions[0].params, &request.params).is_empty();
        let taken = self.has(Flaw::TakesAnything) && request.verify;
        if !(fits || taken) {
            return Err(Failure::refused("wrong_params", "it is not declared so"));
        }
        if request.verify && !self.has(Flaw::VerifyLights) {
            let refuses = self.has(Flaw::VerifyRefuses);
            return if refuses { Err(Failure::refused("no", "never")) } else { Ok(Success::default()) };
        }
        let mut world = self.world();
        if let Some(known) = world.keys.get(&request.idempotency_key).filter(|_| !request.verify) {
            return match known {
                Some(Answer::Made(made)) => {
                    let replayed = !self.has(Flaw::NoMarkOnReplay);
                    Ok(Success { resources: made.clone(), replayed, ..Success::default() })
                }
                _ => Err(Failure { retry: false, ..Failure::unknown("interrupted", "the game died in the middle") }),
            };
        }
        let closed = world.closed.get(&request.run_id).copied().unwrap_or_default();
        if request.fence <= closed && !self.has(Flaw::ClosedIsOpen) {
            return Err(Failure::refused("run_closed", "the run is over"));
        }
        let met = world.meet();
        if let Met::Before(failure) = met {
            if failure.unknown {
                world.keys.insert(request.idempotency_key.clone(), None);
            }
            return Err(failure);
        }
        let made = lit(&mut world, request);
        let success = Success { resources: made.clone(), ..Success::default() };
        match met {
            Met::After(failure) | Met::Unwritten(failure) if self.has(Flaw::LossIsARefusal) => {
                world.keys.insert(request.idempotency_key.clone(), Some(Answer::Made(made)));
                Err(Failure { unknown: false, ..failure })
            }
            Met::After(_) if self.has(Flaw::LossIsASuccess) => {
                world.keys.insert(request.idempotency_key.clone(), Some(Answer::Made(made)));
                Ok(success)
            }
            Met::After(failure) => {
                if !self.has(Flaw::KeyRunsAgain) {
                    world.keys.insert(request.idempotency_key.clone(), Some(Answer::Made(made)));
                }
                Err(failure)
            }
            Met::Unwritten(failure) => {
                world.keys.insert(request.idempotency_key.clone(), None);
                Err(failure)
            }
            Met::Nothing | Met::Before(_) => {
                world.keys.insert(request.idempotency_key.clone(), Some(Answer::Made(made)));
                Ok(success)
            }
        }
    }

    fn put_out(&self, request: &Revert) -> Result<Vec<Undone>, Failure> {
        let mut world = self.world();
        let met = world.meet();
        if let Met::Before(failure) = met {
            return Err(failure);
        }
        let by_key = request.resources.is_empty();
        let mine = |(run, key): &(String, String)| *run == request.run_id && (!by_key || *key == request.perform_key);
        let named = |lamp: &str| by_key || request.resources.iter().any(|target| target.reference == lamp);
        let nothing = !world.lamps.values().any(mine);
        let mut out: Vec<String> =
            world.lamps.iter().filter(|(lamp, owner)| mine(owner) && named(lamp)).map(|(lamp, _)| lamp.clone()).collect();
        if self.has(Flaw::LeavesOne) && !by_key && world.spends() {
            out.pop();
        }
        if self.has(Flaw::KeyIsUnknown) && by_key && !out.is_empty() && world.forgets(&request.perform_key) {
            out.clear();
        }
        world.lamps.retain(|lamp, _| !out.contains(lamp));
        let before = world.keys.insert(request.idempotency_key.clone(), Some(Answer::Undone));
        match met {
            Met::After(failure) | Met::Unwritten(failure) => return Err(failure),
            Met::Nothing | Met::Before(_) => {}
        }
        if self.has(Flaw::NothingIsAFailure) && by_key && nothing && !world.keys.contains_key(&request.perform_key) {
            return Err(Failure::refused("nothing", "there is nothing"));
        }
        if self.has(Flaw::SecondUndoFails) && !by_key && out.is_empty() && before.is_some() {
            return Err(Failure::refused("again", "that was done"));
        }
        let of = |target: &crate::RevertTarget| {
            let removed = out.contains(&target.reference);
            let outcome = if removed { UndoneOutcome::Removed } else { UndoneOutcome::Gone };
            Undone { kind: target.kind.clone(), reference: target.reference.clone(), outcome }
        };
        Ok(request.resources.iter().map(of).collect())
    }

    fn look(&self, request: Reconcile) -> Reconciled {
        let world = self.world();
        let away = world.broken == Some(Point::Away);
        if away && !self.has(Flaw::AwayIsGone) {
            return Reconciled::Failed(Failure::not_now("not_sent", "nobody is there"));
        }
        let seen = request.resources.into_iter().map(|target| {
            let there = world.lamps.contains_key(&target.reference) && !away;
            let standing = if there { Standing::Present } else { Standing::Gone };
            Seen { kind: target.kind, reference: target.reference, standing }
        });
        Reconciled::Looked(seen.collect())
    }
}

fn lit(world: &mut World, request: &Perform) -> Vec<Resource> {
    let count = request.params.get("count").and_then(Value::as_u64).unwrap_or(1);
    let one = |_| {
        world.number += 1;
        let reference = format!("lamp-{}", world.number);
        world.lamps.insert(reference.clone(), (request.run_id.clone(), request.idempotency_key.clone()));
        Resource { kind: "lamp".into(), reference, member_key: None }
    };
    (0..count).map(one).collect()
}

impl Module for Lamps {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn waits_ms(&self) -> u64 {
        4_000
    }

    fn perform(&self, request: Perform) -> Answering<'_, Performed> {
        Box::pin(async move { self.light(&request).map_or_else(Performed::Failed, Performed::Done) })
    }

    fn revert(&self, request: Revert) -> Answering<'_, Reverted> {
        Box::pin(async move { self.put_out(&request).map_or_else(Reverted::Failed, Reverted::Done) })
    }

    fn reconcile(&self, request: Reconcile) -> Answering<'_, Reconciled> {
        Box::pin(async move { self.look(request) })
    }

    fn options(&self, request: Options) -> Answering<'_, OptionsAnswer> {
        Box::pin(async move {
            if request.source != "demo.options.places" {
                return OptionsAnswer::Failed(Failure::refused("no_such_source", "there is none"));
            }
            let label = if self.has(Flaw::NoLabels) { " " } else { "The quay" };
            let choices = [Choice::new("quay", label), Choice::new("mill", "The old mill")];
            OptionsAnswer::Choices(choices.into_iter().filter(|choice| request.keeps(choice)).collect())
        })
    }

    fn lease_read(&self, request: LeaseQuery) -> Answering<'_, LeaseRead> {
        Box::pin(async move { self.value(&request) })
    }

    fn lease_apply(&self, request: LeaseApply) -> Answering<'_, LeaseApplied> {
        Box::pin(async move { self.lend(&request).unwrap_or_else(LeaseApplied::Failed) })
    }

    fn lease_restore(&self, request: LeaseRestore) -> Answering<'_, LeaseRestored> {
        Box::pin(async move { self.take_back(&request).unwrap_or_else(LeaseRestored::Failed) })
    }

    fn lease_in_force(&self, request: LeaseQuery) -> Answering<'_, InForce> {
        Box::pin(async move { self.held(&request) })
    }

    fn close_run(&self, request: CloseRun) -> Answering<'_, Closed> {
        self.world().closed.insert(request.run_id, request.fence);
        Box::pin(async { Closed::Closed })
    }
}

impl Bench for Lamps {
    fn module(&self) -> &dyn Module {
        self
    }

    fn scope(&self) -> &'static str {
        "main"
    }

    fn world(&self) -> Answering<'_, Value> {
        let dump = Lamps::world(self).dump();
        Box::pin(async move { dump })
    }

    fn other_value(&self, _lease: &Lease, current: &str) -> String {
        let taken: u32 = current.parse().unwrap();
        (taken % 10 + 1).to_string()
    }

    fn break_at(&self, point: Point, _asked: Asked<'_>) -> Answering<'_, bool> {
        Lamps::world(self).broken = Some(point);
        Box::pin(async { true })
    }

    fn mend(&self) -> Answering<'_, ()> {
        Lamps::world(self).broken = None;
        Box::pin(async {})
    }

    fn restart(&self) -> Answering<'_, bool> {
        Lamps::world(self).restart();
        Box::pin(async { true })
    }

    fn move_by_hand<'a>(&'a self, _lease: &'a Lease, value: &'a str) -> Answering<'a, ()> {
        value.clone_into(&mut Lamps::world(self).value);
        Box::pin(async {})
    }

    fn effect<'a>(&'a self, _lease: &'a Lease) -> Answering<'a, Value> {
        let seen = if self.has(Flaw::Inert) { super::world::DEFAULT.to_owned() } else { Lamps::world(self).value.clone() };
        Box::pin(async move { seen.into() })
    }
}

//! Asking a module what of a run is there. Whatever is no plain answer is "it cannot tell".

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::{DateTime, Utc};
use leasehold_aggregates::ledger::{EntryStatus, Let};
use leasehold_aggregates::run::{Holding, Look, Run};
use leasehold_aggregates::target::{OVERRIDE, Target};
use leasehold_module::{InForce, LeaseQuery, Module, Reconcile, Reconciled, RevertTarget, Standing};
use tokio::time::timeout;

use super::Game;
use crate::telling::Heart;

/// How long one answer is waited for.
const PATIENCE: Duration = Duration::from_secs(30);
/// Things asked about at once.
const AT_ONCE: usize = 200;

/// What the game says of all that the run holds there; with `anew`, also of what it has let go.
pub(super) async fn ask(module: &dyn Module, game: &Game, run: &Run, anew: bool, at: DateTime<Utc>, heart: &Heart) -> Vec<Look> {
    let Some(run_id) = run.scheduled.as_ref().map(|scheduled| scheduled.run_id.as_str()) else { return Vec::new() };
    let mut looks = Vec::new();
    let mut made: BTreeMap<&str, Vec<&Holding>> = BTreeMap::new();
    for held in run.holdings.iter().filter(|held| held.target.module == game.module && held.target.scope == game.scope) {
        if !(is_held(held) || anew && may_be_back(held, at)) {
            continue;
        }
        if held.target.kind == OVERRIDE {
            heart.beat();
            looks.push(look(held, in_force(module, game, run_id, &held.target).await));
        } else if let Some(planned) = run.planned(&held.step).filter(|_| !held.target.is_placeholder()) {
            made.entry(&planned.action).or_default().push(held);
        }
    }
    for (action, all) in made {
        for some in all.chunks(AT_ONCE) {
            heart.beat();
            looks.extend(things(module, game, run_id, action, some).await);
        }
    }
    looks
}

fn is_held(held: &Holding) -> bool {
    matches!(held.status, EntryStatus::Confirmed | EntryStatus::Reverting)
}

/// A thing that was taken away, or a value whose hold would still last.
fn may_be_back(held: &Holding, at: DateTime<Utc>) -> bool {
    let was_there = !matches!(held.reason, Some(Let::NeverTaken | Let::Answered));
    matches!(held.status, EntryStatus::Reverted | EntryStatus::Orphaned) && was_there && held.until.is_none_or(|until| until > at)
}

fn look(held: &Holding, present: Option<bool>) -> Look {
    Look { target: held.target.clone(), held: is_held(held), present }
}

async fn in_force(module: &dyn Module, game: &Game, run_id: &str, target: &Target) -> Option<bool> {
    let query = LeaseQuery { lease: target.reference.clone(), scope: game.scope.clone(), run_id: run_id.to_owned() };
    match timeout(PATIENCE, module.lease_in_force(query)).await {
        Ok(InForce::Yes) => Some(true),
        Ok(InForce::No) => Some(false),
        Ok(InForce::Unknown(_)) | Err(_) => None,
    }
}

/// What is passed over, or named twice, was not told of.
async fn things(module: &dyn Module, game: &Game, run_id: &str, action: &str, all: &[&Holding]) -> Vec<Look> {
    let named = |held: &&Holding| RevertTarget { kind: held.target.kind.clone(), reference: held.target.reference.clone() };
    let (scope, run_id) = (game.scope.clone(), run_id.to_owned());
    let request = Reconcile { scope, run_id, action: action.to_owned(), resources: all.iter().map(named).collect() };
    let seen = match timeout(PATIENCE, module.reconcile(request)).await {
        Ok(Reconciled::Looked(seen)) => seen,
        Ok(Reconciled::Failed(_)) | Err(_) => Vec::new(),
    };
    let told = |held: &Holding| {
        let mut of_it = seen.iter().filter(|one| one.kind == held.target.kind && one.reference == held.target.reference);
        match (of_it.next().map(|one| one.standing), of_it.next()) {
            (Some(Standing::Present), None) => Some(true),
            (Some(Standing::Gone), None) => Some(false),
            _ => None,
        }
    };
    all.iter().map(|held| look(held, told(held))).collect()
}

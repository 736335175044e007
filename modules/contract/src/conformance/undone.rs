//! Taking back: all of it, twice, nothing, and by the key alone.

use super::Obligation::{TakesBack, TakesBackByKey, TakesBackNothing, TakesBackTwice};
use super::asking::{Trial, targets};
use crate::{Action, RevertTarget, Reverted, Undone, UndoneOutcome};

pub async fn check(trial: &mut Trial<'_>, action: &Action) {
    let attempt = trial.attempt_at(action).await;
    let before = trial.world().await;
    let Some(made) = trial.made(action, &attempt).await else { return };
    let resources = targets(&made.resources);
    trial.owes(TakesBack, &action.id, !resources.is_empty(), || "it makes nothing that could be taken back".into());
    let first = trial.revert(action, &attempt, resources.clone(), 1).await;
    let each = each_is(&first, &resources, &[UndoneOutcome::Removed]);
    trial.owes(TakesBack, &action.id, each, || format!("an undo does not remove everything: {first:?}"));
    let same = trial.owes_same(TakesBack, &action.id, &before, || "an undo leaves something behind".into()).await;
    if !same {
        trial.clear(action, &attempt).await;
    }
    for round in [1, 2] {
        let again = trial.revert(action, &attempt, resources.clone(), round).await;
        let each = each_is(&again, &resources, &[UndoneOutcome::Removed, UndoneOutcome::Gone]);
        trial.owes(TakesBackTwice, &action.id, each, || format!("an undo of what is undone does not succeed: {again:?}"));
    }
    nothing(trial, action, &resources).await;
    if same {
        trial.owes_same(TakesBackTwice, &action.id, &before, || "an undo of what is undone changes the world".into()).await;
    }
    by_key(trial, action).await;
}

/// Of what never was, and by a key that made nothing.
async fn nothing(trial: &mut Trial<'_>, action: &Action, like: &[RevertTarget]) {
    let attempt = trial.attempt();
    let by_key = trial.revert(action, &attempt, Vec::new(), 1).await;
    let fine = matches!(by_key, Reverted::Done(_));
    trial.owes(TakesBackNothing, &action.id, fine, || format!("an undo by a key that made nothing fails: {by_key:?}"));
    // Undone before under another run: for this one it never was.
    let named = trial.revert(action, &attempt, like.to_vec(), 2).await;
    let nothing =
        matches!(&named, Reverted::Done(undone) if undone.iter().all(|undone| undone.outcome != UndoneOutcome::Removed));
    let told = || format!("an undo of what is not there fails, or takes something away: {named:?}");
    trial.owes(TakesBackNothing, &action.id, nothing, told);
}

async fn by_key(trial: &mut Trial<'_>, action: &Action) {
    let attempt = trial.attempt_at(action).await;
    let before = trial.world().await;
    if trial.made(action, &attempt).await.is_none() {
        return;
    }
    let other = trial.attempt();
    trial.revert(action, &other, Vec::new(), 1).await;
    let kept = trial.world().await != before;
    trial.owes(TakesBackByKey, &action.id, kept, || "an undo by another key takes it away".into());
    for round in [1, 2] {
        let undone = trial.revert(action, &attempt, Vec::new(), round).await;
        let fine = matches!(undone, Reverted::Done(_));
        trial.owes(TakesBackByKey, &action.id, fine, || format!("an undo by key alone fails (round {round}): {undone:?}"));
    }
    trial.owes_same(TakesBackByKey, &action.id, &before, || "an undo by key alone leaves something behind".into()).await;
}

/// Whether each resource has exactly one outcome, and one of these.
fn each_is(reverted: &Reverted, resources: &[RevertTarget], wanted: &[UndoneOutcome]) -> bool {
    let Reverted::Done(undone) = reverted else { return false };
    let of = |target: &RevertTarget| {
        let same = |undone: &&Undone| undone.kind == target.kind && undone.reference == target.reference;
        let told: Vec<_> = undone.iter().filter(same).collect();
        told.len() == 1 && wanted.contains(&told[0].outcome)
    };
    undone.len() == resources.len() && resources.iter().all(of)
}

//! Everything that may go wrong while an action is performed or taken back.

use serde_json::Value;

use super::Obligation::{FailsLoudly, RecoversWhole};
use super::asking::{Attempt, Trial, targets};
use super::{Asked, Point};
use crate::{Action, Performed, Promise, Reversible, Reverted};

pub async fn check(trial: &mut Trial<'_>, action: &Action) {
    for point in Point::ALL {
        performing(trial, action, point).await;
        if action.reversible == Reversible::Ledger {
            taking_back(trial, action, point).await;
        }
    }
}

async fn performing(trial: &mut Trial<'_>, action: &Action, point: Point) {
    let attempt = trial.attempt_at(action).await;
    let before = trial.world().await;
    if !trial.bench.break_at(point, Asked::Perform(&action.id)).await {
        return;
    }
    let broken = trial.perform(trial.order(action, &attempt)).await;
    trial.bench.mend().await;
    let changed = trial.world().await != before;
    match &broken {
        Performed::Done(_) => trial.owes(FailsLoudly, &action.id, false, || format!("{point:?} reads as success")),
        Performed::Failed(failure) => {
            let honest = failure.unknown || !changed;
            trial.owes(FailsLoudly, &action.id, honest, || format!("{point:?} changes the world and reads as {failure:?}"));
            let quiet = point != Point::Away || !failure.unknown;
            trial.owes(FailsLoudly, &action.id, quiet, || format!("{point:?} sends nothing and reads as {failure:?}"));
        }
    }
    again(trial, action, &attempt, point).await;
    if action.reversible == Reversible::Ledger {
        whole_again(trial, action, &attempt, (&before, point)).await;
    }
}

/// The same key again: it comes to one effect, or to none for good.
async fn again(trial: &mut Trial<'_>, action: &Action, attempt: &Attempt, point: Point) {
    if action.promise != Promise::EffectOnce {
        return;
    }
    let standing = trial.world().await;
    let mut order = trial.order(action, attempt);
    order.fence += 1;
    let repeated = trial.perform(order).await;
    let after = trial.world().await;
    match repeated {
        Performed::Done(success) if success.replayed => {
            trial.owes(RecoversWhole, &action.id, standing == after, || format!("after {point:?} a replay changes the world"));
        }
        Performed::Done(_) => {
            // It had not happened, so that it happens now; what happened before would have been a second time.
            let first = matches!(point, Point::Away | Point::DiesBefore);
            trial.owes(RecoversWhole, &action.id, first || standing == after, || {
                format!("after {point:?} a repeat of the key acts once more")
            });
        }
        Performed::Failed(failure) => {
            let settled = matches!(point, Point::DiesBefore | Point::DiesAfter | Point::FailsHalfWay);
            let told = || format!("after {point:?} a repeat of the key does not tell what became of it: {failure:?}");
            trial.owes(RecoversWhole, &action.id, settled && standing == after, told);
        }
    }
}

/// Whatever happened, the undo by key leaves nothing of it, twice.
async fn whole_again(trial: &mut Trial<'_>, action: &Action, attempt: &Attempt, met: (&Value, Point)) {
    let (before, point) = met;
    for round in [1, 2] {
        let undone = trial.revert(action, attempt, Vec::new(), round).await;
        let told = || format!("after {point:?} the undo by key fails (round {round}): {undone:?}");
        let fine = matches!(undone, Reverted::Done(_));
        trial.owes(RecoversWhole, &action.id, fine, told);
    }
    trial
        .owes_same(RecoversWhole, &action.id, before, || format!("after {point:?} the undo by key leaves something behind"))
        .await;
}

async fn taking_back(trial: &mut Trial<'_>, action: &Action, point: Point) {
    let attempt = trial.attempt_at(action).await;
    let before = trial.world().await;
    let Some(made) = trial.made(action, &attempt).await else { return };
    let (standing, resources) = (trial.world().await, targets(&made.resources));
    if !trial.bench.break_at(point, Asked::Revert(&action.id)).await {
        trial.clear(action, &attempt).await;
        return;
    }
    let broken = trial.revert(action, &attempt, resources.clone(), 1).await;
    trial.bench.mend().await;
    let changed = trial.world().await != standing;
    match &broken {
        Reverted::Done(_) => {
            trial.owes(FailsLoudly, &action.id, false, || format!("an undo that meets {point:?} reads as success"));
        }
        Reverted::Failed(failure) => {
            let told = || format!("an undo that meets {point:?} changes the world and reads as {failure:?}");
            trial.owes(FailsLoudly, &action.id, failure.unknown || !changed, told);
        }
    }
    for round in [2, 3] {
        let undone = trial.revert(action, &attempt, resources.clone(), round).await;
        let told = || format!("after an undo that met {point:?} another one fails (round {round}): {undone:?}");
        let fine = matches!(undone, Reverted::Done(_));
        trial.owes(RecoversWhole, &action.id, fine, told);
    }
    trial
        .owes_same(RecoversWhole, &action.id, &before, || format!("after an undo that met {point:?} something is left behind"))
        .await;
}

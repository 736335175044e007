//! Looking what is still there.

use super::Obligation::LooksHonestly;
use super::asking::{Attempt, Trial, targets};
use super::{Asked, Point};
use crate::{Action, Reconcile, Reconciled, RevertTarget, Standing};

pub async fn check(trial: &mut Trial<'_>, action: &Action) {
    let attempt = trial.attempt_at(action).await;
    let Some(made) = trial.made(action, &attempt).await else { return };
    let resources = targets(&made.resources);
    let standing = trial.world().await;
    if let Reconciled::Looked(seen) = look(trial, action, &attempt, &resources).await {
        let gone = seen.iter().any(|seen| seen.standing == Standing::Gone);
        trial.owes(LooksHonestly, &action.id, !gone, || format!("what is there is told to be gone: {seen:?}"));
    }
    trial.owes_same(LooksHonestly, &action.id, &standing, || "looking changes the world".into()).await;
    if trial.bench.break_at(Point::Away, Asked::Perform(&action.id)).await {
        if let Reconciled::Looked(seen) = look(trial, action, &attempt, &resources).await {
            let gone = seen.iter().any(|seen| seen.standing == Standing::Gone);
            trial.owes(LooksHonestly, &action.id, !gone, || "what cannot be seen is told to be gone".into());
        }
        trial.bench.mend().await;
    }
    trial.revert(action, &attempt, resources.clone(), 1).await;
    if let Reconciled::Looked(seen) = look(trial, action, &attempt, &resources).await {
        let there = seen.iter().any(|seen| seen.standing == Standing::Present);
        trial.owes(LooksHonestly, &action.id, !there, || "what was taken away is told to be there".into());
    }
    trial.clear(action, &attempt).await;
}

async fn look(trial: &Trial<'_>, action: &Action, attempt: &Attempt, resources: &[RevertTarget]) -> Reconciled {
    let request = Reconcile {
        scope: trial.bench.scope().to_owned(),
        run_id: attempt.run.clone(),
        action: action.id.clone(),
        resources: resources.to_vec(),
    };
    trial.bench.module().reconcile(request).await
}

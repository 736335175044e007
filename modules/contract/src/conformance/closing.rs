//! A run that is closed stays so.

use super::Obligation::StaysClosed;
use super::asking::Trial;
use crate::{Action, Closed, Performed, Reversible, Reverted};

pub async fn check(trial: &mut Trial<'_>, action: &Action) {
    if !action.risk.changes_the_world() {
        return;
    }
    let attempt = trial.attempt_at(action).await;
    let before = trial.world().await;
    if action.reversible == Reversible::Ledger && trial.made(action, &attempt).await.is_none() {
        return;
    }
    let mut late = trial.attempt();
    late.run.clone_from(&attempt.run);
    late.fence = attempt.fence + 1;
    let closed = trial.close(&attempt, late.fence).await;
    trial.owes(StaysClosed, &action.id, closed == Closed::Closed, || format!("a run cannot be closed: {closed:?}"));
    let standing = trial.world().await;
    let sent = trial.perform(trial.order(action, &late)).await;
    trial.owes(StaysClosed, &action.id, matches!(sent, Performed::Failed(_)), || "a command of a closed run succeeds".into());
    trial.owes_same(StaysClosed, &action.id, &standing, || "a command of a closed run changes the world".into()).await;
    if action.reversible == Reversible::Ledger {
        let undone = trial.revert(action, &attempt, Vec::new(), 1).await;
        let fine = matches!(undone, Reverted::Done(_)) && trial.world().await == before;
        trial.owes(StaysClosed, &action.id, fine, || format!("an undo of a closed run does not pass: {undone:?}"));
        trial.clear(action, &late).await;
    }
}

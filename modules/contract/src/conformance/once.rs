//! Performing: dry, and for good under a key that acts once.

use super::Obligation::{PerformsOnce, TakesBack, VerifiesWithoutChange};
use super::asking::Trial;
use crate::{Action, Performed, Promise, Reversible};

pub async fn check(trial: &mut Trial<'_>, action: &Action) {
    let attempt = trial.attempt_at(action).await;
    let before = trial.world().await;
    let mut dry = trial.order(action, &attempt);
    dry.verify = true;
    let dry = trial.perform(dry).await;
    let accepted = matches!(dry, Performed::Done(_));
    trial.owes(VerifiesWithoutChange, &action.id, accepted, || format!("a dry run with sound parameters fails: {dry:?}"));
    trial.owes_same(VerifiesWithoutChange, &action.id, &before, || "a dry run changes the world".into()).await;

    let Some(first) = trial.made(action, &attempt).await else { return };
    let made = trial.world().await;
    if action.reversible != Reversible::Ledger {
        trial.owes(TakesBack, &action.id, first.resources.is_empty(), || "it makes what it declares not to take back".into());
    }
    if action.promise == Promise::EffectOnce {
        let mut again = trial.order(action, &attempt);
        again.fence += 1;
        match trial.perform(again).await {
            Performed::Done(second) => {
                let same = second.resources == first.resources && second.participants == first.participants;
                trial.owes(PerformsOnce, &action.id, same, || "a repeat of its key tells something else".into());
                trial.owes(PerformsOnce, &action.id, second.replayed, || "a repeat of its key is not marked as one".into());
            }
            Performed::Failed(failure) => {
                trial.owes(PerformsOnce, &action.id, false, || format!("a repeat of its key fails: {failure:?}"));
            }
        }
        trial.owes_same(PerformsOnce, &action.id, &made, || "a repeat of its key changes the world".into()).await;
    }
    trial.clear(action, &attempt).await;
}

//! What it declares, and what it makes of what it does not.

use super::Obligation::{DeclaresSoundly, OutlastsItself, RefusesTheUndeclared};
use super::asking::{Trial, targets};
use crate::{Action, Lease, LeaseApplied, LeaseRead, Options, OptionsAnswer, Performed, Reach, Resource, Reverted};

pub async fn check(trial: &mut Trial<'_>) {
    let (module, scope) = (trial.bench.module(), trial.bench.scope());
    let manifest = module.manifest();
    for fault in manifest.faults() {
        trial.owes(DeclaresSoundly, &fault.entry, false, || fault.reason.clone());
    }
    for fault in manifest.hasty(module.waits_ms()) {
        trial.owes(OutlastsItself, &fault.entry, false, || fault.reason.clone());
    }
    if let Some(Reach::NoGame(failure) | Reach::Unreachable(failure)) = module.reach(scope).await {
        trial.owes(DeclaresSoundly, &manifest.id, false, || format!("no trial is possible without the game: {failure}"));
    }
    undeclared_actions(trial).await;
    undeclared_values(trial).await;
}

async fn undeclared_actions(trial: &mut Trial<'_>) {
    let manifest = trial.bench.module().manifest().clone();
    let Some(known) = manifest.actions.first() else { return };
    let unknown = Action { id: format!("{}.no-such-thing", manifest.id), params: Vec::new(), ..known.clone() };
    let before = trial.world().await;
    let attempt = trial.attempt();
    for verify in [true, false] {
        let mut order = trial.order(&unknown, &attempt);
        order.verify = verify;
        let done = matches!(trial.perform(order).await, Performed::Done(_));
        trial.owes(RefusesTheUndeclared, &unknown.id, !done, || {
            format!("an action that is not declared succeeds (dry: {verify})")
        });
    }
    for action in &manifest.actions {
        let attempt = trial.attempt();
        for (verify, name) in [(true, "odd"), (false, "odd")] {
            let mut order = trial.order(action, &attempt);
            order.verify = verify;
            order.params.insert(name.into(), 1.into());
            let done = matches!(trial.perform(order).await, Performed::Done(_));
            let told = || format!("a parameter that is not declared is taken (dry: {verify})");
            trial.owes(RefusesTheUndeclared, &action.id, !done, told);
        }
        for param in action.params.iter().filter(|param| param.required) {
            let mut order = trial.order(action, &attempt);
            order.params.remove(&param.name);
            order.verify = true;
            let done = matches!(trial.perform(order).await, Performed::Done(_));
            trial.owes(RefusesTheUndeclared, &action.id, !done, || format!("a dry run does without {}", param.name));
        }
        trial.clear(action, &attempt).await;
    }
    let gone = Resource { kind: "no-such-kind".into(), reference: "none".into(), member_key: None };
    if let Reverted::Done(undone) = trial.revert(&unknown, &attempt, targets(&[gone]), 1).await {
        let removed = undone.iter().any(|undone| undone.outcome == crate::UndoneOutcome::Removed);
        trial.owes(RefusesTheUndeclared, &unknown.id, !removed, || "it takes away what nobody made".into());
    }
    let after = trial.world().await;
    trial.owes(RefusesTheUndeclared, &unknown.id, before == after, || "what is not declared changes the world".into());
}

async fn undeclared_values(trial: &mut Trial<'_>) {
    let (module, scope) = (trial.bench.module(), trial.bench.scope());
    let manifest = module.manifest();
    let no_such = manifest.leases.first().map(|known| (known, format!("{}.no-such-value", manifest.id)));
    // One of many alike is named with its object, and with one that is there; every other without.
    let misnamed = manifest.leases.iter().filter(|lease| trial.bench.tries(&lease.id)).flat_map(|lease| {
        let names: &[&str] = if lease.object.is_some() { &["", "@", "@no-such-object", "@no such", "@a@b"] } else { &["@x"] };
        names.iter().map(move |behind| (lease, format!("{}{behind}", lease.id)))
    });
    let all: Vec<(&Lease, String)> = no_such.into_iter().chain(misnamed).collect();
    for (known, id) in all {
        let unknown = Lease { id, ..known.clone() };
        let value = known.min.clone().unwrap_or_else(|| "1".into());
        let attempt = trial.attempt();
        let read = trial.read(&unknown, &attempt).await;
        let lent = trial.borrow(trial.borrowing(&unknown, &attempt, &value)).await;
        let refused = matches!(read, LeaseRead::Failed(_)) && matches!(lent, LeaseApplied::Failed(_));
        trial.owes(RefusesTheUndeclared, &unknown.id, refused, || "a value that is not declared is read or lent".into());
        if !refused {
            // What comes after is tried on a world in which nobody holds it.
            trial.give_back(&unknown, &attempt, (&value, None), 1).await;
        }
    }
    let source = format!("{}.options.no-such-source", manifest.id);
    let request = Options { source: source.clone(), scope: Some(scope.to_owned()), q: None };
    let refused = matches!(module.options(request).await, OptionsAnswer::Failed(_));
    trial.owes(RefusesTheUndeclared, &source, refused, || "a source that is not declared has choices".into());
}

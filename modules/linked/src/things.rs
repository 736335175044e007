//! What actions have made: taken back by name or by the key that made it, and looked for.

use std::collections::BTreeSet;

use leasehold_link::wire::{ActReconcile, ActReconciled, ActRevert, ActReverted, Kind, Stamp, Thing};
use leasehold_module::{Failure, Manifest, Reconcile, Reversible, Revert, RevertTarget, Seen, Standing, Undone, UndoneOutcome};
use leasehold_sidecar::{Sidecar, nonsense};

/// Most characters of a kind and of a reference.
const LONGEST: (usize, usize) = (64, 256);
/// Most things of one command.
const MOST: usize = 1_000;

pub async fn revert(manifest: &Manifest, sidecar: &Sidecar, request: Revert) -> Result<Vec<Undone>, Failure> {
    let taken_back = manifest.action(&request.action).is_none_or(|action| action.reversible == Reversible::Ledger);
    if !taken_back {
        let reason = format!("{} makes nothing that could be taken back", request.action);
        return Err(Failure::refused("nothing_to_revert", reason));
    }
    let by_key = request.resources.is_empty();
    let body = ActRevert {
        action: request.action,
        resources: request.resources.iter().map(thing).collect(),
        for_key: by_key.then_some(request.perform_key),
        stamp: Stamp {
            run_id: request.run_id,
            // An undo passes whatever the fence.
            fence: 0,
            ttl_ms: sidecar.patience_ms(),
            idempotency_key: request.idempotency_key,
        },
    };
    let reply = sidecar.command(Kind::ActRevert, &body, request.mark.as_ref()).await?;
    let told = |what: String| nonsense(Kind::ActRevert, &what);
    let reverted: ActReverted = reply.fields().map_err(|error| told(format!("a yes without its lists: {error}")))?;
    if by_key {
        return whole_key(&reverted).map(|()| Vec::new());
    }
    let undone = request.resources.into_iter().map(|target| {
        let outcome = fate_of(&thing(&target), &reverted)?;
        Ok(Undone { kind: target.kind, reference: target.reference, outcome })
    });
    undone.collect()
}

fn whole_key(reverted: &ActReverted) -> Result<(), Failure> {
    if reverted.refused.is_empty() {
        return Ok(());
    }
    let reason = format!("{} of the things that the key made belong to somebody else now", reverted.refused.len());
    Err(Failure::refused("not_owned", reason))
}

/// Where the answer puts one thing; an answer that passes it over, or names it twice, says nothing.
fn fate_of(thing: &Thing, reverted: &ActReverted) -> Result<UndoneOutcome, Failure> {
    let refused = || UndoneOutcome::Refused("the game says that it does not belong to this run".to_owned());
    let named = [
        reverted.removed.contains(thing).then_some(UndoneOutcome::Removed),
        reverted.gone.contains(thing).then_some(UndoneOutcome::Gone),
        reverted.refused.contains(thing).then(refused),
    ];
    let mut named = named.into_iter().flatten();
    match (named.next(), named.next()) {
        (Some(outcome), None) => Ok(outcome),
        _ => Err(nonsense(Kind::ActRevert, &format!("a yes that does not say once what became of {}", thing.reference))),
    }
}

/// What is certain; whatever the game does not name once is not known.
pub async fn reconcile(sidecar: &Sidecar, request: Reconcile) -> Result<Vec<Seen>, Failure> {
    let resources: Vec<Thing> = request.resources.iter().map(thing).collect();
    let body = ActReconcile { action: request.action, run_id: request.run_id, resources };
    let reply = sidecar.command(Kind::ActReconcile, &body, None).await?;
    let told = |what: String| nonsense(Kind::ActReconcile, &what);
    let looked: ActReconciled = reply.fields().map_err(|error| told(format!("a yes without its lists: {error}")))?;
    let seen = request.resources.into_iter().map(|target| {
        let named = thing(&target);
        let standing = match (looked.present.contains(&named), looked.gone.contains(&named)) {
            (true, false) => Standing::Present,
            (false, true) => Standing::Gone,
            (true, true) | (false, false) => Standing::Unknown,
        };
        Seen { kind: target.kind, reference: target.reference, standing }
    });
    Ok(seen.collect())
}

/// Things that a game names in a yes: of a shape that the ledger can keep, and each once.
pub fn distinct<'a>(kind: Kind, things: impl Iterator<Item = &'a Thing>) -> Result<(), Failure> {
    let mut seen = BTreeSet::new();
    for thing in things {
        let fits = |text: &str, most: usize| (1..=most).contains(&text.chars().count()) && !text.contains(char::is_control);
        if !(fits(&thing.kind, LONGEST.0) && fits(&thing.reference, LONGEST.1) && seen.insert(thing) && seen.len() <= MOST) {
            return Err(nonsense(kind, "a yes whose resources are too many, too long, or not each named once"));
        }
    }
    Ok(())
}

fn thing(target: &RevertTarget) -> Thing {
    Thing { kind: target.kind.clone(), reference: target.reference.clone() }
}

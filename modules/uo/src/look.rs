//! Which of a run's objects the game still has, by serial, and whether it still counts who takes part.

use std::collections::BTreeSet;

use leasehold_link::wire::{Kind, LookAt, LookedAt, Serial};
use leasehold_module::{Failure, Reconcile, RevertTarget, Seen, Standing};
use leasehold_sidecar::{Sidecar, nonsense};

use crate::participation::COUNTING;
use crate::removal::serial_of;

/// What the game says of each. What this module cannot have made is not asked about, and nobody can tell of it.
pub async fn reconcile(sidecar: &Sidecar, request: Reconcile) -> Result<Vec<Seen>, Failure> {
    let asked: Vec<_> = request.resources.iter().map(|target| (target, serial_of(target).ok())).collect();
    let serials: BTreeSet<Serial> = asked.iter().filter_map(|(_, serial)| *serial).collect();
    let counting = request.resources.iter().any(|target| is_counting(target, &request.run_id));
    let looked = if serials.is_empty() && !counting {
        LookedAt::default()
    } else {
        let body = LookAt { run_id: request.run_id.clone(), serials: serials.into_iter().collect(), counting };
        let reply = sidecar.command(Kind::WorldLook, &body, None).await?;
        reply.fields().map_err(|error| nonsense(Kind::WorldLook, &format!("a yes without its lists: {error}")))?
    };
    let told = |(target, serial): (&RevertTarget, Option<Serial>)| {
        let standing = if is_counting(target, &request.run_id) { counted(looked.counting) } else { standing(serial, &looked) };
        Seen { kind: target.kind.clone(), reference: target.reference.clone(), standing }
    };
    Ok(asked.into_iter().map(told).collect())
}

fn is_counting(target: &RevertTarget, run_id: &str) -> bool {
    target.kind == COUNTING && target.reference == run_id
}

/// A counting that is over by itself is not there any more.
fn counted(goes_on: Option<bool>) -> Standing {
    goes_on.map_or(Standing::Unknown, |goes_on| if goes_on { Standing::Present } else { Standing::Gone })
}

/// An answer that passes a serial over, or names it twice, does not tell.
fn standing(serial: Option<Serial>, looked: &LookedAt) -> Standing {
    let named = |list: &[Serial], standing| serial.filter(|serial| list.contains(serial)).map(|_| standing);
    let named = [
        named(&looked.present, Standing::Present),
        named(&looked.gone, Standing::Gone),
        named(&looked.unknown, Standing::Unknown),
    ];
    let mut named = named.into_iter().flatten();
    match (named.next(), named.next()) {
        (Some(standing), None) => standing,
        _ => Standing::Unknown,
    }
}

//! `lease.apply`: see the lease plane.

use super::Done;
use crate::{
    call::{Call, bad_field},
    game::Game,
    lease,
};
use leasehold_link::wire::{Kind, LeaseApplied, LeaseApply, Refusal, feed::LEASE_APPLIED, limits::LEASE_KEY_MAX_BYTES};
use serde_json::json;

pub fn run(call: &Call, game: &mut Game) -> Result<Done, Refusal> {
    let LeaseApply { key, value, hold_ms, stamp, .. } = call.fields()?;
    if key.len() > LEASE_KEY_MAX_BYTES {
        return Err(bad_field(format!("key must have at most {LEASE_KEY_MAX_BYTES} bytes")));
    }
    let order = lease::Order { run: &stamp.run_id, by: &stamp.idempotency_key, key: &key, value: &value, hold_ms };
    let now_ms = game.now_ms;
    let (plane, mut ground) = game.leases();
    let lease::Applied { baseline, applied, until_ms } = plane.apply(now_ms, &order, &mut ground)?;
    let report = json!({"key": key, "runId": stamp.run_id, "baseline": baseline, "applied": applied, "untilMs": until_ms});
    let mut done = Done::new(Kind::LeaseApply.ok_kind(), LeaseApplied { baseline, applied, until_ms });
    done.detail.insert("lease".to_owned(), key.into());
    done.reports.push((LEASE_APPLIED, report));
    Ok(done)
}

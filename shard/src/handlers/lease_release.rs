//! `lease.release`: gives a value back by compare-and-set.

use super::Done;
use crate::{
    audit::{Outcome, Row},
    call::Call,
    game::Game,
    lease::Released,
};
use leasehold_link::wire::{Kind, LEASE_DRIFTED, LeaseRelease, Refusal};
use serde_json::json;

pub fn run(call: &Call, game: &mut Game) -> Result<Done, Refusal> {
    let LeaseRelease { key, applied, stamp } = call.fields()?;
    let (plane, mut ground) = game.leases();
    let released = plane.release(&stamp.run_id, &key, &applied, &mut ground)?;
    let row = |outcome| Row::new(outcome, Kind::LeaseRelease.as_str()).with("lease", key.as_str());
    let ok = Kind::LeaseRelease.ok_kind();
    let (mut done, result) = match released {
        Released::Restored { baseline, applied } => {
            let mut done = Done::new(ok, json!({"restored": true, "baseline": baseline, "current": baseline}));
            done.rows.push(row(Outcome::Restored).with("from", applied).with("to", baseline));
            (done, "restored")
        }
        Released::AlreadyRestored { current } => {
            (Done::new(ok, json!({"alreadyRestored": true, "reason": "deadline", "current": current})), "already_restored")
        }
        Released::TargetGone => (Done::new(ok, json!({"alreadyRestored": true, "reason": "gone", "current": ""})), "gone"),
        Released::NotHeld { current } => (Done::new(ok, json!({"held": false, "current": current})), "not_held"),
        Released::Drifted { current, baseline, applied } => {
            let fields = json!({"current": current, "baseline": baseline, "applied": applied});
            let mut done = Done::new(LEASE_DRIFTED, fields);
            done.rows.push(row(Outcome::Drifted).with("applied", applied).with("found", current));
            (done, "drifted")
        }
    };
    done.detail.insert("lease".to_owned(), key.into());
    done.detail.insert("result".to_owned(), result.into());
    Ok(done)
}

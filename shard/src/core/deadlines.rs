//! Deadlines that the game keeps by itself, of leases and of objects: looked at before anything else, at every tick and every command.

use super::Core;
use crate::{
    audit::{Outcome, Row},
    lease::Expiry,
};
use leasehold_link::wire::LEASE_EXPIRED;
use serde_json::json;
use std::io;

impl Core {
    /// Ends whatever has a deadline of the game's own: holds of leases, gates, cried lines.
    pub(super) fn expire(&mut self) -> io::Result<()> {
        self.expire_leases()?;
        for thing in self.game.world.expire_things(self.game.now_ms) {
            let (sort, serial) = (thing.what.sort(), thing.serial);
            tracing::info!(sort, %serial, "an object's deadline passed");
            let row = Row { run_id: Some(thing.owner.run_id), ..Row::new(Outcome::Expired, "object.expired") };
            self.record(&row.with("sort", sort).with("serial", serial.to_string()).with("madeBy", thing.owner.key))?;
        }
        Ok(())
    }

    /// Ends the holds whose time has come, puts back what is still as applied, and says so.
    fn expire_leases(&mut self) -> io::Result<()> {
        let now_ms = self.game.now_ms;
        for expiry in self.game.leases.expire(now_ms, &mut self.game.config) {
            let Expiry { key, run, baseline, applied, current, restored } = expiry;
            tracing::info!(key, run, restored, current, "a lease's deadline passed");
            let row = |outcome| Row { run_id: Some(run.clone()), ..Row::new(outcome, LEASE_EXPIRED) }.with("lease", key);
            self.record(&row(Outcome::Expired).with("restored", restored).with("current", current.as_str()))?;
            let verdict = if restored {
                row(Outcome::Restored).with("from", applied.as_str()).with("to", baseline.as_str())
            } else {
                row(Outcome::Drifted).with("applied", applied.as_str()).with("found", current.as_str())
            };
            self.record(&verdict)?;
            let frame = json!({"key": key, "runId": run, "baseline": baseline, "applied": applied, "current": current, "restored": restored});
            self.send_frame(LEASE_EXPIRED, frame);
        }
        Ok(())
    }
}

//! Deadlines of leases: looked at before anything else, at every tick and every command.

use super::Core;
use crate::{
    audit::{Outcome, Row},
    lease::Expiry,
};
use leasehold_link::wire::LEASE_EXPIRED;
use serde_json::json;
use std::io;

impl Core {
    /// Ends the holds whose time has come, puts back what is still as applied, and says so.
    pub(super) fn expire_leases(&mut self) -> io::Result<()> {
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

//! Deadlines that the game keeps by itself, of leases and of objects: looked at before anything else, at every tick and every command.

use super::Core;
use crate::{
    audit::{Outcome, Row},
    lease::{Expiry, inert, probe},
};
use leasehold_link::{
    disk,
    wire::{LEASE_EXPIRED, feed::LEASE_OFFER},
};
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
        let (plane, mut ground) = self.game.leases();
        let ended = plane.expire(now_ms, &mut ground);
        self.write_tombstones();
        ended.into_iter().try_for_each(|expiry| self.tell_ended(expiry))
    }

    /// Records and reports a hold that the game ended by itself.
    pub(super) fn tell_ended(&mut self, expiry: Expiry) -> io::Result<()> {
        let Expiry { key, run, baseline, applied, current, restored } = expiry;
        tracing::info!(key, run, restored, current, "a lease's deadline passed");
        let lease = key.clone();
        let row = |outcome| Row { run_id: Some(run.clone()), ..Row::new(outcome, LEASE_EXPIRED) }.with("lease", lease.clone());
        self.record(&row(Outcome::Expired).with("restored", restored).with("current", current.as_str()))?;
        let verdict = if restored {
            row(Outcome::Restored).with("from", applied.as_str()).with("to", baseline.as_str())
        } else {
            row(Outcome::Drifted).with("applied", applied.as_str()).with("found", current.as_str())
        };
        self.record(&verdict)?;
        let report =
            json!({"key": key, "runId": run, "baseline": baseline, "applied": applied, "current": current, "restored": restored});
        self.report(LEASE_EXPIRED, report);
        Ok(())
    }

    /// Writes down which holds have ended, if one has that a save may still have. Where it cannot be written, the hold's own deadline
    /// ends it once more after a crash.
    pub(super) fn write_tombstones(&mut self) {
        let now_ms = self.game.now_ms;
        let Some(tombstones) = self.game.leases.tombstones.take_unwritten(now_ms) else { return };
        let text = serde_json::to_vec(tombstones).map_err(io::Error::other);
        let written = text.and_then(|text| disk::replace(&self.directory.join(super::start::TOMBSTONES), &text));
        if let Err(fault) = written {
            tracing::error!(%fault, "the end of a hold cannot be written down; after a crash its deadline ends it");
        }
    }

    /// Looks which values take effect. What does not is not lent; a change since the last look is told of where somebody listens.
    pub(super) fn check_what_works(&mut self) {
        let game = &mut self.game;
        let (offered, changed) = probe(&game.leases.offered, &game.config, &game.rules, &game.world);
        game.leases.offered = offered;
        for withdrawn in changed {
            let (key, offered) = (withdrawn.key, withdrawn.back);
            tracing::warn!(key, offered, "whether a value takes effect has changed");
            if self.link.is_some() {
                self.report(LEASE_OFFER, json!({"key": key, "offered": offered}));
            }
        }
    }

    /// Makes a sort of values inert, or live again; false where there is none of that name.
    pub(super) fn make_inert(&mut self, key: &str, off: bool) -> bool {
        inert(key, off, &mut self.game.leases().1)
    }
}

//! What is judged of every command just before it runs: consent, time left, claim. Judged again when a deferred one gets its turn.

use super::Core;
use crate::call::Call;
use leasehold_link::wire::{ErrorName, Kind, Plane, Refusal};

/// Whether a command needs the claim that it names: an undo and a look pass whatever it is, and a close is judged by itself.
fn claims(kind: Kind) -> bool {
    !kind.is_undo() && !kind.reads() && kind != Kind::RunClose
}

impl Core {
    /// Whether the command may run now.
    pub(super) fn admit(&mut self, call: &Call) -> Result<(), Refusal> {
        self.consented(call)?;
        self.in_time(call)?;
        match (&call.stamp.run_id, call.stamp.fence) {
            (Some(run), Some(fence)) if claims(call.kind) => self.game.fences.admit(run, fence),
            _ => Ok(()),
        }
    }

    fn consented(&self, call: &Call) -> Result<(), Refusal> {
        let rules = &self.game.rules;
        let (on, error, switch) = match call.kind.plane() {
            Plane::Admin => (rules.admin_write_enabled, ErrorName::AdminDisabled, "Bridge.AdminWriteEnabled"),
            Plane::Events => (rules.events_enabled, ErrorName::EventsDisabled, "Bridge.EventsEnabled"),
        };
        if on {
            return Ok(());
        }
        let reason = format!("{} needs {switch}, which this game's operator has not switched on", call.kind);
        Err(Refusal::new(error, reason))
    }

    fn in_time(&self, call: &Call) -> Result<(), Refusal> {
        let Some(ttl_ms) = call.stamp.ttl_ms else { return Ok(()) };
        let waited = u64::try_from(self.game.now_ms.saturating_sub(call.received_ms)).unwrap_or_default();
        if waited < ttl_ms {
            return Ok(());
        }
        let reason = format!("the order was good for {ttl_ms} ms and waited {waited} ms here; nothing was done");
        Err(Refusal::new(ErrorName::TtlExpired, reason))
    }
}

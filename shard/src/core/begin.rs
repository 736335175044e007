//! Fresh commands that wait together begin together: all their keys are on the disk by one flush, then each runs in its turn.

use super::Core;
use crate::{
    call::Call,
    journal::Record,
    keys::{Identity, digest},
};
use leasehold_link::wire::{ErrorName, Kind, Refusal, limits};
use std::io;

impl Core {
    /// Begins a fresh command; it runs with the next [`Self::run_begun`], one without a key at once.
    pub(super) fn execute(&mut self, call: Call) -> io::Result<()> {
        if self.hinges_on_begun(&call) {
            self.run_begun()?;
        }
        if let Err(refusal) = self.admit(&call).and_then(|()| self.begin(&call)) {
            return self.refuse_call(&call, refusal);
        }
        if call.key().is_none() {
            return self.run_in_turn(call);
        }
        self.begun.push(call);
        Ok(())
    }

    /// Puts the keys of what has begun on the disk, with what is to be said besides, and runs it. Where the disk fails, none of it
    /// has begun.
    pub(super) fn run_begun(&mut self) -> io::Result<()> {
        if self.begun.is_empty() {
            return Ok(());
        }
        let flushed = if self.is_behind() { Ok(self.commit()?) } else { self.journal.flush() };
        let begun = std::mem::take(&mut self.begun);
        match flushed {
            Ok(()) => begun.into_iter().try_for_each(|call| self.run_in_turn(call)),
            Err(fault) => begun.into_iter().try_for_each(|call| {
                call.key().into_iter().for_each(|key| self.keys.release(key));
                self.refuse_call(&call, journal_failed(&fault))
            }),
        }
    }

    /// Lets deferred commands run, in the order in which they came. Each is judged again.
    pub(super) fn run_deferred(&mut self) -> io::Result<()> {
        for call in std::mem::take(&mut self.deferred) {
            match self.admit(&call) {
                Ok(()) => self.finish(call)?,
                Err(refusal) => self.refuse_begun(&call, refusal)?,
            }
        }
        Ok(())
    }

    /// Whether that key's command has begun and will run with the next flush.
    pub(super) fn is_begun(&self, key: &str) -> bool {
        self.begun.iter().any(|call| call.key() == Some(key))
    }

    /// Whether what has begun must be done before this command is judged: one that runs at once, one that closes a run, and one of
    /// another claim on the same run. So what comes of a command does not hang on which came with it.
    fn hinges_on_begun(&self, call: &Call) -> bool {
        let Call { stamp, .. } = call;
        let rivals = |other: &Call| {
            other.kind == Kind::RunClose || (other.stamp.run_id == stamp.run_id && other.stamp.fence != stamp.fence)
        };
        call.key().is_none() || call.kind == Kind::RunClose || self.begun.iter().any(rivals)
    }

    fn run_in_turn(&mut self, call: Call) -> io::Result<()> {
        if self.faults.hold.contains(&call.kind) {
            tracing::info!(kind = %call.kind, "deferred, as the console asked");
            self.deferred.push(call);
            return Ok(());
        }
        self.finish(call)
    }

    /// Reserves the key, in memory and among what is flushed next, and serials for what it and those before it may make.
    fn begin(&mut self, call: &Call) -> Result<(), Refusal> {
        let makers = u32::try_from(self.begun.len() + 1).unwrap_or(u32::MAX);
        self.ensure_serials(makers.saturating_mul(room(limits::CREATURES_PER_RUN))).map_err(|fault| journal_failed(&fault))?;
        let Some(key) = call.key() else { return Ok(()) };
        let kind = call.kind.as_str().to_owned();
        let identity = Identity { kind, digest: digest(&call.body, &call.correlation), field: call.correlation.field };
        let begun = Record::Begun {
            key: key.to_owned(),
            kind: identity.kind.clone(),
            digest: identity.digest.clone(),
            field: identity.field.to_owned(),
            t: self.game.now_ms,
            run_id: call.stamp.run_id.clone(),
            fence: call.stamp.fence.filter(|_| !call.kind.is_undo() && !call.kind.reads()),
        };
        if let Some(evicted) = self.keys.begin(self.game.now_ms, key, identity)? {
            let dropped = self.keys.counters.evicted;
            tracing::warn!(
                evicted,
                "idempotency: {dropped} live keys dropped since boot; a repeat of one would be applied again"
            );
        }
        if call.kind.reads() {
            return Ok(());
        }
        self.journal.stage(&begun).map_err(|fault| {
            self.keys.release(key);
            journal_failed(&fault)
        })
    }
}

fn journal_failed(fault: &io::Error) -> Refusal {
    Refusal::new(ErrorName::JournalFailed, format!("nothing was begun: {fault}"))
}

fn room(creatures: usize) -> u32 {
    u32::try_from(creatures).unwrap_or(u32::MAX)
}

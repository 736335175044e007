//! From what is decided to what is told: first it is on the disk, by one flush for all that was decided together.

use super::Core;
use crate::{audit::Row, faults::Moment, outbox::Outbox};
use leasehold_link::wire::Kind;
use std::{io, time::Duration};

/// A line that waits until what it tells is on the disk.
pub(super) struct Unsaid {
    outbox: Outbox,
    line: String,
    /// How long it is held back then, as the console asked.
    delay: Option<Duration>,
}

impl Core {
    /// Numbers a row of the audit. It is on the disk before anything that is said after it.
    pub(super) fn record(&mut self, row: &Row) -> io::Result<()> {
        let line = self.audit.stage(self.game.now_ms, row)?;
        self.journal.stage_line(line);
        Ok(())
    }

    /// Says a line once all that was decided before it is on the disk.
    pub(super) fn say(&mut self, outbox: Outbox, line: String, delay: Option<Duration>) {
        self.unsaid.push(Unsaid { outbox, line, delay });
    }

    /// Puts on the disk what was decided, then says it.
    pub(super) fn commit(&mut self) -> io::Result<()> {
        self.journal.flush()?;
        self.audit.write()?;
        if self.journal.is_long()
            && let Err(fault) = self.compact()
        {
            tracing::error!(%fault, "the journal cannot be rewritten; it grows on");
        }
        for Unsaid { outbox, line, delay } in self.unsaid.drain(..) {
            match delay {
                None => outbox.send(line),
                Some(delay) => drop(self.timers.spawn(async move {
                    tokio::time::sleep(delay).await;
                    outbox.send(line);
                })),
            }
        }
        Ok(())
    }

    /// Whether there is something to put on the disk or to say.
    pub(super) fn is_behind(&self) -> bool {
        self.audit.is_staged() || !self.unsaid.is_empty()
    }

    /// Runs what has begun and says what came of it.
    pub(super) fn settle_up(&mut self) -> io::Result<()> {
        self.run_begun()?;
        self.commit()
    }

    /// Dies, if that was asked for. What was decided until now is on the disk, and said to nobody.
    pub(super) fn die_if_asked(&mut self, kind: Kind, moment: Moment) -> io::Result<()> {
        if !self.faults.crash.contains(&(kind, moment)) {
            return Ok(());
        }
        self.journal.flush()?;
        self.audit.write()?;
        tracing::error!(%kind, ?moment, "dying, as the console asked");
        std::process::abort()
    }

    fn compact(&mut self) -> io::Result<()> {
        self.audit.flush()?;
        self.journal.compact(&self.keys, &self.game.fences)
    }
}

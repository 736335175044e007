//! A fresh command: reserved and journaled, run, audited, its answer journaled, sent. In this order, each on disk before the next.

use super::Core;
use crate::{
    audit::{Outcome, Row},
    call::Call,
    faults::Moment,
    handlers::{Done, handler},
    journal::Record,
    keys::{Identity, digest},
    outbox::Outbox,
};
use leasehold_link::wire::{Correlation, ErrorName, Kind, Refusal, limits};
use serde_json::{Map, Value};
use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// A command before its stamp is judged.
pub(super) struct Asked {
    pub kind: Kind,
    pub body: Map<String, Value>,
    pub correlation: Correlation,
    pub received_ms: i64,
    pub outbox: Outbox,
}

/// What a repeat of this command must agree in.
pub(super) fn identity(asked: &Asked) -> Identity {
    let kind = asked.kind.as_str().to_owned();
    Identity { kind, digest: digest(&asked.body, &asked.correlation), field: asked.correlation.field }
}

/// What a handler came to.
enum Ran {
    Done(Done),
    Refused(Refusal),
    Failed,
}

impl Core {
    /// Runs a fresh command, or defers it where its kind is held.
    pub(super) fn execute(&mut self, call: Call) -> io::Result<()> {
        if let Err(refusal) = self.admit(&call).and_then(|()| self.begin(&call)) {
            return self.refuse_call(&call, refusal);
        }
        if self.faults.hold.contains(&call.kind) {
            tracing::info!(kind = %call.kind, "deferred, as the console asked");
            self.deferred.push(call);
            return Ok(());
        }
        self.finish(call)
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

    /// Reserves the key, in memory and on disk. Where the disk fails, nothing has begun.
    fn begin(&mut self, call: &Call) -> Result<(), Refusal> {
        let journal_failed = |fault: io::Error| Refusal::new(ErrorName::JournalFailed, format!("nothing was begun: {fault}"));
        self.ensure_serials(room(limits::CREATURES_PER_RUN)).map_err(journal_failed)?;
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
        let evicted = self.keys.begin(self.game.now_ms, key, identity)?;
        if let Some(evicted) = evicted {
            let dropped = self.keys.counters.evicted;
            tracing::warn!(
                evicted,
                "idempotency: {dropped} live keys dropped since boot; a repeat of one would be applied again"
            );
        }
        if call.kind.reads() {
            return Ok(());
        }
        self.journal.append(&[begun]).map_err(|fault| {
            self.keys.release(key);
            journal_failed(fault)
        })
    }

    fn finish(&mut self, call: Call) -> io::Result<()> {
        if call.kind != Kind::ParticipationSnapshot {
            return self.run_to_its_end(&call);
        }
        match self.begin_walk(call) {
            None => Ok(()),
            Some(call) => self.run_to_its_end(&call),
        }
    }

    /// Audits, tells and answers what was done.
    pub(super) fn conclude(&mut self, call: &Call, mut done: Done) -> io::Result<()> {
        let reports = std::mem::take(&mut done.reports);
        let answer = self.applied(call, done)?;
        self.faults.crash_if_asked(call.kind, Moment::After);
        let answer = if self.faults.mute.contains(&call.kind) { self.no_reply(call) } else { answer };
        self.settle(call, answer);
        for (kind, report) in reports {
            self.report(kind, report);
        }
        Ok(())
    }

    fn run_to_its_end(&mut self, call: &Call) -> io::Result<()> {
        self.faults.crash_if_asked(call.kind, Moment::Before);
        match self.run_and_save(call) {
            Ran::Refused(refusal) => self.refuse_begun(call, refusal),
            Ran::Done(done) => self.conclude(call, done),
            Ran::Failed => {
                let row = call.row(Outcome::Interrupted).with("error", ErrorName::HandlerFailed.as_str());
                self.record(&row)?;
                let reason = format!("{} failed half-way; what it changed is unknown, and it will not run again", call.kind);
                let answer = self.bridge_error(Refusal::new(ErrorName::HandlerFailed, reason), &call.correlation);
                self.settle(call, answer);
                Ok(())
            }
        }
    }

    /// Runs the handler and writes the save that it may have asked for. A save that fails is a refusal: the earlier one stands.
    fn run_and_save(&mut self, call: &Call) -> Ran {
        let ran = self.run_handler(call);
        let asked = std::mem::take(&mut self.game.save_asked);
        self.write_tombstones();
        if asked
            && matches!(ran, Ran::Done(_))
            && let Err(fault) = self.save_world()
        {
            tracing::error!(%fault, "a save that was asked for was not written");
            return Ran::Refused(Refusal::new(ErrorName::SaveFailed, "the save was not written; the earlier one stands"));
        }
        ran
    }

    fn run_handler(&mut self, call: &Call) -> Ran {
        let throws = self.faults.throw.contains(&call.kind);
        let (run, game) = (handler(call.kind), &mut self.game);
        let ran = catch_unwind(AssertUnwindSafe(|| {
            let result = run(call, game);
            assert!(!(throws && result.is_ok()), "the console asked this handler to fail");
            result
        }));
        match ran {
            Ok(Ok(done)) => Ran::Done(done),
            Ok(Err(refusal)) => Ran::Refused(refusal),
            Err(_) => Ran::Failed,
        }
    }

    /// Audits what was done; gives the answer.
    fn applied(&mut self, call: &Call, done: Done) -> io::Result<Map<String, Value>> {
        let Done { kind, mut fields, detail, rows, .. } = done;
        if !call.kind.reads() || call.key().is_some() {
            let row = Row { detail, ..call.row(Outcome::Applied) };
            self.record(&row)?;
        }
        for row in rows {
            let Row { key, run_id, .. } = call.row(row.outcome);
            self.record(&Row { key, run_id, ..row })?;
        }
        fields.insert("kind".to_owned(), kind.into());
        Ok(self.stamped(fields, &call.correlation))
    }

    fn no_reply(&mut self, call: &Call) -> Map<String, Value> {
        self.keys.counters.uncorrelated += 1;
        tracing::error!(kind = %call.kind, key = ?call.key(), "idempotency: a handler ran and answered nothing");
        let reason = format!("{} ran and gave no answer; it will not run again", call.kind);
        self.bridge_error(Refusal::new(ErrorName::NoReply, reason), &call.correlation)
    }

    /// Remembers the answer, in memory and on disk, and sends it.
    fn settle(&mut self, call: &Call, answer: Map<String, Value>) {
        let mut records = Vec::new();
        if let (Kind::RunClose, Some(run_id)) = (call.kind, call.stamp.run_id.clone()) {
            records.push(Record::Run { marks: self.game.fences.marks(&run_id), run_id });
        }
        if let Some(key) = call.key() {
            self.keys.settle(key, answer.clone());
        }
        if let Some(key) = call.key().filter(|_| !call.kind.reads()) {
            records.push(Record::Answered { key: key.to_owned(), reply: answer.clone() });
        }
        self.remember(&records);
        self.faults.crash_if_asked(call.kind, Moment::Unsent);
        self.send_answer(call.kind, answer, &call.outbox);
    }

    fn remember(&mut self, records: &[Record]) {
        if records.is_empty() {
            return;
        }
        let written = self.journal.append(records);
        let kept = written.and_then(|()| self.journal.compact_if_long(&self.keys, &self.game.fences));
        if let Err(fault) = kept {
            tracing::error!(%fault, "the journal cannot be written: after a restart this key will be said to be interrupted");
        }
    }

    /// A begun command that refused did nothing: its key is free again.
    pub(super) fn refuse_begun(&mut self, call: &Call, refusal: Refusal) -> io::Result<()> {
        if let Some(key) = call.key().filter(|_| call.kind.reads()) {
            self.keys.release(key);
        } else if let Some(key) = call.key() {
            self.keys.release(key);
            let released = Record::Released { key: key.to_owned() };
            self.remember(&[released]);
        }
        self.refuse_call(call, refusal)
    }
}

fn room(creatures: usize) -> u32 {
    u32::try_from(creatures).unwrap_or(u32::MAX)
}

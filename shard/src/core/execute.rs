//! A command whose key is on the disk: run, its audit and its answer put down together, told.

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
use leasehold_link::wire::{Correlation, ErrorName, Kind, Refusal};
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
    /// Runs a command, or begins a walk for it.
    pub(super) fn finish(&mut self, call: Call) -> io::Result<()> {
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
        self.die_if_asked(call.kind, Moment::After)?;
        let answer = if self.faults.mute.contains(&call.kind) { self.no_reply(call) } else { answer };
        self.settle(call, answer)?;
        for (kind, report) in reports {
            self.report(kind, report);
        }
        Ok(())
    }

    fn run_to_its_end(&mut self, call: &Call) -> io::Result<()> {
        self.die_if_asked(call.kind, Moment::Before)?;
        match self.run_and_save(call)? {
            Ran::Refused(refusal) => self.refuse_begun(call, refusal),
            Ran::Done(done) => self.conclude(call, done),
            Ran::Failed => {
                let row = call.row(Outcome::Interrupted).with("error", ErrorName::HandlerFailed.as_str());
                self.record(&row)?;
                let reason = format!("{} failed half-way; what it changed is unknown, and it will not run again", call.kind);
                let answer = self.bridge_error(Refusal::new(ErrorName::HandlerFailed, reason), &call.correlation);
                self.settle(call, answer)
            }
        }
    }

    /// Runs the handler and writes the save that it may have asked for. A save that fails is a refusal: the earlier one stands.
    fn run_and_save(&mut self, call: &Call) -> io::Result<Ran> {
        let ran = self.run_handler(call);
        let asked = std::mem::take(&mut self.game.save_asked);
        self.write_tombstones();
        if asked
            && matches!(ran, Ran::Done(_))
            && let Err(fault) = self.save_world()?
        {
            tracing::error!(%fault, "a save that was asked for was not written");
            let refusal = Refusal::new(ErrorName::SaveFailed, "the save was not written; the earlier one stands");
            return Ok(Ran::Refused(refusal));
        }
        Ok(ran)
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

    /// Remembers the answer, in memory and among what is flushed next, and says it then.
    fn settle(&mut self, call: &Call, answer: Map<String, Value>) -> io::Result<()> {
        if let (Kind::RunClose, Some(run_id)) = (call.kind, call.stamp.run_id.clone()) {
            self.journal.stage(&Record::Run { marks: self.game.fences.marks(&run_id), run_id })?;
        }
        if let Some(key) = call.key() {
            self.keys.settle(key, answer.clone());
        }
        if let Some(key) = call.key().filter(|_| !call.kind.reads()) {
            self.journal.stage(&Record::Answered { key: key.to_owned(), reply: answer.clone() })?;
        }
        self.die_if_asked(call.kind, Moment::Unsent)?;
        self.send_answer(call.kind, answer, &call.outbox);
        Ok(())
    }

    /// A begun command that refused did nothing: its key is free again.
    pub(super) fn refuse_begun(&mut self, call: &Call, refusal: Refusal) -> io::Result<()> {
        if let Some(key) = call.key() {
            self.keys.release(key);
            if !call.kind.reads() {
                self.journal.stage(&Record::Released { key: key.to_owned() })?;
            }
        }
        self.refuse_call(call, refusal)
    }
}

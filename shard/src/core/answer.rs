//! Answers: stamped with their correlation and time, and said, unless the console asked for misbehaviour.

use super::{Core, execute::Asked};
use crate::{
    audit::{Outcome, Row},
    call::Call,
    outbox::Outbox,
};
use leasehold_link::wire::{
    BRIDGE_BUSY, BRIDGE_ERROR, BRIDGE_INTERRUPTED, Correlation, ErrorName, Kind, Refusal, SERVER_SHUTDOWN,
};
use serde_json::{Map, Value, json};
use std::io;

impl Core {
    pub(super) fn stamped(&self, mut body: Map<String, Value>, correlation: &Correlation) -> Map<String, Value> {
        body.insert("t".to_owned(), self.game.now_ms.into());
        correlation.stamp(&mut body);
        body
    }

    pub(super) fn bridge_error(&self, refusal: Refusal, correlation: &Correlation) -> Map<String, Value> {
        self.stamped(refusal.into_body(BRIDGE_ERROR), correlation)
    }

    pub(super) fn busy(&self, asked: &Asked) -> Map<String, Value> {
        let reason = format!("{} is being worked on under this key; ask again", asked.kind);
        let refusal = Refusal::new(ErrorName::Busy, reason).with("busyKind", asked.kind.as_str());
        self.stamped(refusal.into_body(BRIDGE_BUSY), &asked.correlation)
    }

    pub(super) fn interrupted(&self, asked: &Asked) -> Map<String, Value> {
        let reason =
            format!("{} had begun when the game stopped; whether it applied is unknown, and it will not run again", asked.kind);
        self.stamped(Refusal::new(ErrorName::Interrupted, reason).into_body(BRIDGE_INTERRUPTED), &asked.correlation)
    }

    pub(super) fn refuse_call(&mut self, call: &Call, refusal: Refusal) -> io::Result<()> {
        let row = call.row(Outcome::Refused).with("error", refusal.error.as_str()).with("reason", refusal.reason.as_str());
        self.record(&row)?;
        let answer = self.stamped(refusal.into_body(call.kind.error_kind()), &call.correlation);
        self.send_answer(call.kind, answer, &call.outbox);
        Ok(())
    }

    /// Refuses a command whose stamp is not known to be sound.
    pub(super) fn refuse(&mut self, asked: &Asked, key: Option<&str>, refusal: Refusal) -> io::Result<()> {
        let row = Row { key: key.map(str::to_owned), ..Row::new(Outcome::Refused, asked.kind.as_str()) };
        self.record(&row.with("error", refusal.error.as_str()).with("reason", refusal.reason.as_str()))?;
        let answer = self.stamped(refusal.into_body(asked.kind.error_kind()), &asked.correlation);
        self.send_answer(asked.kind, answer, &asked.outbox);
        Ok(())
    }

    pub(super) fn send_answer(&mut self, kind: Kind, answer: Map<String, Value>, outbox: &Outbox) {
        if self.faults.drops(kind) {
            tracing::info!(%kind, "an answer was dropped, as the console asked");
            return;
        }
        let delay = self.faults.delay_ack.get(&kind).copied();
        self.say(outbox.clone(), Value::Object(answer).to_string(), delay);
    }

    /// Says a frame that answers nothing, if a link is there.
    pub(super) fn send_frame(&mut self, kind: &str, fields: Value) {
        let (Some((_, outbox)), Value::Object(mut frame)) = (&self.link, fields) else { return };
        frame.insert("kind".to_owned(), kind.into());
        frame.insert("t".to_owned(), self.game.now_ms.into());
        self.say(outbox.clone(), Value::Object(frame).to_string(), None);
    }

    pub(super) fn say_goodbye(&mut self) {
        self.report(SERVER_SHUTDOWN, json!({"bootId": self.boot_id}));
    }
}

//! A line of the link: read, recognised, and either answered at once or run.

use super::{
    Core,
    execute::{Asked, identity},
};
use crate::{
    audit::{Outcome, Row},
    call::{Call, read_key, read_stamp},
    keys::Verdict,
    outbox::Outbox,
};
use leasehold_link::wire::{BRIDGE_ERROR, Correlation, ErrorName, Kind, Line, Refusal, feed::KEPT, limits};
use serde_json::{Map, Value};
use std::io;

impl Core {
    /// Answers one line. A line that is no command is answered as well as it can be; the next one is read all the same.
    pub(super) fn receive(&mut self, line: &Line, received_ms: i64, outbox: &Outbox) -> io::Result<()> {
        match recognise(line) {
            Ok(Heard::Command(kind, body, correlation)) => {
                self.command(Asked { kind, body, correlation, received_ms, outbox: outbox.clone() })
            }
            Ok(Heard::OfLink(frame)) => {
                if frame.get("kind").is_some_and(|kind| kind == KEPT)
                    && let Some(seq) = frame.get("seq").and_then(Value::as_u64)
                {
                    self.is_kept(seq);
                }
                Ok(())
            }
            Err((refusal, correlation)) => {
                tracing::warn!(%refusal, "a line was refused");
                let mut body = refusal.into_body(BRIDGE_ERROR);
                body.insert("t".to_owned(), self.game.now_ms.into());
                if let Some(correlation) = correlation {
                    correlation.stamp(&mut body);
                }
                self.say(outbox.clone(), Value::Object(body).to_string(), None);
                Ok(())
            }
        }
    }

    /// A known command: first its key, because an answer that was given is given again whatever has changed since.
    fn command(&mut self, asked: Asked) -> io::Result<()> {
        let key = match read_key(&asked.body) {
            Ok(key) => key,
            Err(refusal) => return self.refuse(&asked, None, refusal),
        };
        if let Some(key) = &key {
            if self.is_begun(key) {
                self.run_begun()?;
            }
            match self.keys.ask(self.game.now_ms, key, &identity(&asked), &asked.correlation) {
                Verdict::Fresh => (),
                verdict => return self.answer_repeat(&asked, key, verdict),
            }
        }
        let stamp = match read_stamp(asked.kind, &asked.body) {
            Ok(stamp) => stamp,
            Err(refusal) => return self.refuse(&asked, key.as_deref(), refusal),
        };
        let Asked { kind, body, correlation, received_ms, outbox } = asked;
        self.execute(Call { kind, body, correlation, stamp, received_ms, outbox })
    }

    fn answer_repeat(&mut self, asked: &Asked, key: &str, verdict: Verdict) -> io::Result<()> {
        let (outcome, answer) = match verdict {
            Verdict::Fresh => return Ok(()),
            Verdict::Busy => (Outcome::Busy, self.busy(asked)),
            Verdict::Replay(answer) => {
                tracing::info!(kind = %asked.kind, key, "idempotency: replaying the original answer");
                (Outcome::Replayed, answer)
            }
            Verdict::Interrupted => (Outcome::Interrupted, self.interrupted(asked)),
            Verdict::Refused(refusal) => (Outcome::Refused, self.stamped(refusal.into_body(BRIDGE_ERROR), &asked.correlation)),
        };
        let mut row = Row { key: Some(key.to_owned()), ..Row::new(outcome, asked.kind.as_str()) };
        row.run_id = asked.body.get("runId").and_then(Value::as_str).map(str::to_owned);
        if let Some(error) = answer.get("error") {
            row = row.with("error", error.clone());
        }
        self.record(&row)?;
        self.send_answer(asked.kind, answer, &asked.outbox);
        Ok(())
    }
}

/// What a line says.
enum Heard {
    Command(Kind, Map<String, Value>, Correlation),
    /// A frame of the link itself.
    OfLink(Map<String, Value>),
}

fn recognise(line: &Line) -> Result<Heard, (Refusal, Option<Correlation>)> {
    let body = read_object(line).map_err(|refusal| (refusal, None))?;
    let word = body.get("kind").and_then(Value::as_str).unwrap_or_default();
    if word.starts_with("link.") {
        return Ok(Heard::OfLink(body));
    }
    let Some(correlation) = Correlation::of(&body) else {
        let reason = "a command must carry reqId, code or id, a text of 1 to 128 bytes";
        return Err((Refusal::new(ErrorName::NoCorrelation, reason), None));
    };
    let Some(kind) = Kind::parse(word) else {
        let shown: String = word.chars().take(80).collect();
        let refusal = Refusal::new(ErrorName::UnknownKind, format!("this game knows no command `{shown}`"));
        return Err((refusal, Some(correlation)));
    };
    Ok(Heard::Command(kind, body, correlation))
}

fn read_object(line: &Line) -> Result<Map<String, Value>, Refusal> {
    match line {
        Line::TooLong => {
            let reason = format!("a line is at most {} bytes; this one was thrown away", limits::LINE_MAX_BYTES);
            Err(Refusal::new(ErrorName::TooLarge, reason))
        }
        Line::Whole(bytes) => serde_json::from_slice(bytes)
            .map_err(|fault| Refusal::new(ErrorName::BadJson, format!("a line must be one JSON object: {fault}"))),
    }
}

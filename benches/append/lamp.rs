//! An aggregate to decide on: a lamp that counts how often it was lit.

use leasehold::log::NewEvent;
use leasehold_aggregates::decide::{Decide, Refusal, RefusalKind};
use leasehold_aggregates::event::StoredEvent;
use serde::{Deserialize, Serialize};

/// Events of one command.
pub const EVENTS: u64 = 5;

#[derive(Debug, Clone, Default)]
pub struct Lamp {
    lit: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum LampEvent {
    LampLit { at: String, step: String, number: u64, text: String },
}

#[derive(Debug, thiserror::Error)]
#[error("the lamp burns for ever")]
pub struct NoRefusal;

impl Refusal for NoRefusal {
    fn code(&self) -> &'static str {
        "burns"
    }

    fn kind(&self) -> RefusalKind {
        RefusalKind::Conflict
    }
}

impl cqrs_es::DomainEvent for LampEvent {
    fn event_type(&self) -> String {
        "lamp_lit".to_owned()
    }

    fn event_version(&self) -> String {
        "1".to_owned()
    }
}

impl StoredEvent for LampEvent {
    const TYPES: &'static [(&'static str, u32)] = &[("lamp_lit", 1)];
}

impl Decide for Lamp {
    const TYPE: &'static str = "lamp";
    type Command = ();
    type Event = LampEvent;
    type Refusal = NoRefusal;

    fn decide(&self, (): ()) -> Result<Vec<LampEvent>, NoRefusal> {
        Ok((1..=EVENTS).map(|nth| lit(self.lit + nth)).collect())
    }

    fn apply(&mut self, LampEvent::LampLit { number, .. }: LampEvent) {
        self.lit = number;
    }
}

pub fn lit(number: u64) -> LampEvent {
    LampEvent::LampLit { at: "2027-03-28T18:00:00.000000Z".into(), step: "light".into(), number, text: "x".repeat(120) }
}

/// The events of one command, as they are written.
pub fn events() -> Vec<NewEvent> {
    let event = |number| NewEvent {
        event_type: "lamp_lit".into(),
        event_version: "1".into(),
        payload: serde_json::to_value(lit(number)).unwrap(),
    };
    (1..=EVENTS).map(event).collect()
}

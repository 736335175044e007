//! Misbehaviour on request, so that the other side can be proved against it.

use leasehold_link::wire::Kind;
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

/// A moment at which the process may be made to die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Moment {
    /// After the key is journaled, before the effect.
    Before,
    /// After the effect, before the answer is journaled.
    After,
    /// After the answer is journaled, before it is sent.
    Unsent,
}

/// What is switched on. Nothing survives the process.
#[derive(Debug, Default)]
pub struct Faults {
    /// How many answers are still to be dropped.
    pub drop_ack: BTreeMap<Kind, u32>,
    /// How long each answer is held back.
    pub delay_ack: BTreeMap<Kind, Duration>,
    pub crash: BTreeSet<(Kind, Moment)>,
    /// Handlers that defer until released.
    pub hold: BTreeSet<Kind>,
    /// Handlers that change the world and then fail.
    pub throw: BTreeSet<Kind>,
    /// Handlers that change the world and answer nothing.
    pub mute: BTreeSet<Kind>,
    /// How long every tick takes beyond its work.
    pub slow_tick: Option<Duration>,
}

impl Faults {
    /// Whether this answer is to be dropped; counts it.
    pub fn drops(&mut self, kind: Kind) -> bool {
        let Some(left) = self.drop_ack.get_mut(&kind) else { return false };
        *left = left.saturating_sub(1);
        if *left == 0 {
            self.drop_ack.remove(&kind);
        }
        true
    }

    /// What is switched on, for the console.
    pub fn shown(&self) -> Value {
        let Self { drop_ack, delay_ack, crash, hold, throw, mute, slow_tick } = self;
        let words = |kinds: &BTreeSet<Kind>| kinds.iter().map(|kind| kind.as_str()).collect::<Vec<_>>();
        json!({
            "dropAck": drop_ack.iter().map(|(kind, left)| json!({"kind": kind.as_str(), "left": left})).collect::<Vec<_>>(),
            "delayAck": delay_ack.iter().map(|(kind, by)| json!({"kind": kind.as_str(), "ms": by.as_millis()})).collect::<Vec<_>>(),
            "crash": crash.iter().map(|(kind, moment)| format!("{moment:?} {kind}").to_lowercase()).collect::<Vec<_>>(),
            "hold": words(hold),
            "throw": words(throw),
            "mute": words(mute),
            "slowTickMs": slow_tick.map(|by| by.as_millis()),
        })
    }
}

//! One handler a kind, each in its own file.
//!
//! A handler judges everything before it changes anything. It never refuses after changing the world: a change in part is told in an
//! `ok`. The release of a refused key rests on this rule.

mod broadcast;
mod close_run;
mod decorate;
mod despawn;
mod gate;
mod grant;
mod judge;
mod lease_apply;
mod lease_list;
mod lease_release;
mod look;
mod notice;
mod npc;
pub mod participation;
mod save;
mod spawn;
mod undeclared;

use crate::{audit::Row, call::Call, game::Game};
use leasehold_link::wire::{Kind, Refusal};
use serde::Serialize;
use serde_json::{Map, Value};

/// A handler: a command and the game, to what was done or why not.
pub type Handler = fn(&Call, &mut Game) -> Result<Done, Refusal>;

/// What was done.
#[derive(Debug)]
pub struct Done {
    /// The answer's kind.
    pub kind: &'static str,
    /// The answer's fields.
    pub fields: Map<String, Value>,
    /// What the audit's `applied` row says beside kind, key and run.
    pub detail: Map<String, Value>,
    /// What is told of it to whoever listens, beside the answer.
    pub reports: Vec<(&'static str, Value)>,
    /// Further rows of the audit, such as a baseline written back. Key and run are added.
    pub rows: Vec<Row>,
}

impl Done {
    /// An answer of that kind with those fields; the audit says the same.
    pub fn new(kind: &'static str, fields: impl Serialize) -> Self {
        let fields = match serde_json::to_value(fields) {
            Ok(Value::Object(fields)) => fields,
            _ => Map::new(),
        };
        Self { kind, detail: fields.clone(), fields, reports: Vec::new(), rows: Vec::new() }
    }
}

/// The handler of a kind.
pub const fn handler(kind: Kind) -> Handler {
    match kind {
        Kind::AdminBroadcast => broadcast::run,
        Kind::TowncrierPost => notice::crier,
        Kind::NewsPost => notice::news,
        Kind::WorldNpc => npc::run,
        Kind::WorldGate => gate::run,
        Kind::WorldDecorate => decorate::run,
        Kind::WorldGrant => grant::run,
        Kind::WorldSave => save::run,
        Kind::WorldSpawn => spawn::run,
        Kind::WorldDespawn => despawn::run,
        Kind::ActPerform | Kind::ActVerify | Kind::ActRevert | Kind::ActReconcile | Kind::OptionsList => undeclared::run,
        Kind::WorldLook => look::run,
        Kind::LeaseList => lease_list::run,
        Kind::LeaseApply => lease_apply::run,
        Kind::LeaseRelease => lease_release::run,
        Kind::ParticipationOpen => participation::open,
        Kind::ParticipationSnapshot => participation::snapshot,
        Kind::ParticipationClose => participation::close,
        Kind::RunClose => close_run::run,
    }
}

#[cfg(test)]
mod tests;

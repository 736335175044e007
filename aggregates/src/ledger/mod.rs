//! One target's whole history: who held it, what it was before, and how it went home.
//!
//! | status | who moves it on |
//! | --- | --- |
//! | `pending` | the step's answer (to `confirmed`, or back when nothing happened); the sweeper |
//! | `confirmed` | the sweeper, at teardown |
//! | `reverting` | the sweeper, by the module's answer; after the last attempt only a person |
//! | `reverted`, `drifted`, `orphaned` | nobody: the target is free for the next hold |

mod command;
mod decide;
mod event;
mod refusal;
#[cfg(test)]
mod tests;

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use command::LedgerCommand;
pub use event::{LedgerEvent, Let};
pub use refusal::LedgerRefusal;

use crate::decide::Decide;

/// The six statuses. The first three hold the target, the last three release it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, strum::Display, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum EntryStatus {
    Pending,
    Confirmed,
    Reverting,
    Reverted,
    Drifted,
    Orphaned,
}

impl EntryStatus {
    /// Whether the engine still believes that the target is its run's.
    pub fn holds(self) -> bool {
        matches!(self, Self::Pending | Self::Confirmed | Self::Reverting)
    }

    /// Whether somebody still has to look at it: everything but given back.
    pub fn unresolved(self) -> bool {
        self != Self::Reverted
    }
}

/// The hold that the target is or was last under.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hold {
    pub run_id: String,
    pub step: String,
    pub status: EntryStatus,
    /// The value before, as apply's own answer told it; only of a borrowed value.
    pub baseline: Option<String>,
    pub applied: Option<String>,
    /// What was there instead, when it had drifted.
    pub found: Option<String>,
    pub until: Option<DateTime<Utc>>,
    pub undo_attempts: u32,
}

/// The state of one target.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Entry {
    pub hold: Option<Hold>,
    /// How often it has been held.
    pub holds: u64,
}

impl Entry {
    /// The run and step that hold it now.
    pub fn holder(&self) -> Option<&Hold> {
        self.hold.as_ref().filter(|hold| hold.status.holds())
    }

    fn moved(&mut self, to: EntryStatus) {
        if let Some(hold) = &mut self.hold {
            hold.status = to;
        }
    }
}

impl Decide for Entry {
    const TYPE: &'static str = "ledger";
    type Command = LedgerCommand;
    type Event = LedgerEvent;
    type Refusal = LedgerRefusal;

    fn decide(&self, command: LedgerCommand) -> Result<Vec<LedgerEvent>, LedgerRefusal> {
        decide::decide(self, command)
    }

    fn apply(&mut self, event: LedgerEvent) {
        match event {
            LedgerEvent::TargetReserved { run_id, step, wanted, until } => {
                self.holds += 1;
                self.hold = Some(Hold {
                    run_id,
                    step,
                    status: EntryStatus::Pending,
                    baseline: None,
                    applied: wanted,
                    found: None,
                    until,
                    undo_attempts: 0,
                });
            }
            LedgerEvent::TargetConfirmed { run_id, step, baseline, applied, until } => {
                if self.holder().is_none() {
                    self.holds += 1;
                }
                let status = EntryStatus::Confirmed;
                self.hold = Some(Hold { run_id, step, status, baseline, applied, found: None, until, undo_attempts: 0 });
            }
            LedgerEvent::UndoBegun { attempt, .. } => {
                self.moved(EntryStatus::Reverting);
                if let Some(hold) = &mut self.hold {
                    hold.undo_attempts = attempt;
                }
            }
            LedgerEvent::UndoFailed { .. } => {}
            LedgerEvent::TargetReverted { .. } => self.moved(EntryStatus::Reverted),
            LedgerEvent::TargetDrifted { found, .. } => {
                self.moved(EntryStatus::Drifted);
                if let Some(hold) = &mut self.hold {
                    hold.found = Some(found);
                }
            }
            LedgerEvent::TargetOrphaned { .. } => self.moved(EntryStatus::Orphaned),
        }
    }
}

crate::cqrs_aggregate!(Entry);

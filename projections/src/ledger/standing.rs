//! What a target's row is told from: the folded entry, and what the entry itself does not remember.

use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::ledger::{Entry, LedgerEvent};
use serde::{Deserialize, Serialize};

/// A target as its stream stands.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Standing {
    pub entry: Entry,
    /// How the last hold ended: a word of the ledger's own, or what a module said of a target that vanished.
    pub reason: Option<String>,
    /// Code of the last undo that failed, until one succeeds.
    pub last_error: Option<String>,
    pub first_position: u64,
    /// Where the present or last hold began.
    pub held_from: u64,
}

impl Standing {
    pub fn follow(&mut self, event: LedgerEvent, position: u64) {
        if self.first_position == 0 {
            self.first_position = position;
        }
        let begins = self.entry.holder().is_none();
        match &event {
            LedgerEvent::TargetReserved { .. } | LedgerEvent::TargetConfirmed { .. } => {
                if begins {
                    self.held_from = position;
                    (self.reason, self.last_error) = (None, None);
                }
            }
            LedgerEvent::UndoBegun { .. } => {}
            LedgerEvent::UndoFailed { code, .. } => self.last_error = Some(code.clone()),
            LedgerEvent::TargetReverted { reason, .. } => {
                self.reason = Some(reason.to_string());
                self.last_error = None;
            }
            LedgerEvent::TargetDrifted { .. } => self.last_error = None,
            LedgerEvent::TargetOrphaned { reason, .. } => self.reason = Some(reason.clone()),
        }
        self.entry.apply(event);
    }
}

#[cfg(test)]
mod tests {
    use leasehold_aggregates::ledger::{EntryStatus, Let};

    use super::*;

    fn confirmed(run: &str) -> LedgerEvent {
        let (baseline, applied) = (Some("1".into()), Some("2".into()));
        LedgerEvent::TargetConfirmed { run_id: run.into(), step: "rate".into(), baseline, applied, until: None }
    }

    #[test]
    fn a_failed_undo_is_remembered_until_one_succeeds() {
        let mut standing = Standing::default();
        standing.follow(confirmed("a"), 7);
        standing.follow(LedgerEvent::UndoFailed { run_id: "a".into(), code: "no_answer".into() }, 9);
        assert_eq!(standing.last_error.as_deref(), Some("no_answer"));
        standing.follow(LedgerEvent::TargetReverted { run_id: "a".into(), reason: Let::Restored }, 10);
        assert_eq!((standing.last_error.as_deref(), standing.reason.as_deref()), (None, Some("restored")));
        assert_eq!(standing.entry.hold.as_ref().unwrap().status, EntryStatus::Reverted);
    }

    #[test]
    fn a_new_hold_starts_with_a_clean_slate_and_its_own_position() {
        let mut standing = Standing::default();
        standing.follow(confirmed("a"), 7);
        standing.follow(LedgerEvent::TargetReverted { run_id: "a".into(), reason: Let::Gone }, 8);
        standing.follow(confirmed("b"), 12);
        assert_eq!((standing.first_position, standing.held_from, standing.entry.holds), (7, 12, 2));
        assert_eq!(standing.reason, None);
    }
}

//! The ledger's rules: one holder at a time, a repeat changes nothing, undo twice is undo once.

use super::{Entry, EntryStatus, Hold, LedgerCommand, LedgerEvent, LedgerRefusal};

pub(super) fn decide(entry: &Entry, command: LedgerCommand) -> Result<Vec<LedgerEvent>, LedgerRefusal> {
    match command {
        LedgerCommand::Reserve { run_id, step, wanted, until } => match entry.holder() {
            None => Ok(vec![LedgerEvent::TargetReserved { run_id, step, wanted, until }]),
            Some(hold) if is(hold, &run_id, &step) => Ok(Vec::new()),
            Some(hold) => Err(held(hold)),
        },
        LedgerCommand::Confirm { run_id, step, baseline, applied, until } => match entry.holder() {
            Some(hold) if !is(hold, &run_id, &step) => Err(held(hold)),
            Some(hold) if hold.status != EntryStatus::Pending => Ok(Vec::new()),
            _ => Ok(vec![LedgerEvent::TargetConfirmed { run_id, step, baseline, applied, until }]),
        },
        LedgerCommand::BeginUndo { run_id, round, attempt } => {
            of(entry, &run_id)?;
            Ok(vec![LedgerEvent::UndoBegun { run_id, round, attempt }])
        }
        LedgerCommand::FailUndo { run_id, code } => {
            of(entry, &run_id)?;
            Ok(vec![LedgerEvent::UndoFailed { run_id, code }])
        }
        LedgerCommand::Revert { run_id, reason } => {
            if already(entry, &run_id, EntryStatus::Reverted) {
                return Ok(Vec::new());
            }
            of(entry, &run_id)?;
            Ok(vec![LedgerEvent::TargetReverted { run_id, reason }])
        }
        LedgerCommand::Drift { run_id, found } => {
            if already(entry, &run_id, EntryStatus::Drifted) {
                return Ok(Vec::new());
            }
            of(entry, &run_id)?;
            Ok(vec![LedgerEvent::TargetDrifted { run_id, found }])
        }
        LedgerCommand::Orphan { run_id, reason } => {
            if already(entry, &run_id, EntryStatus::Orphaned) {
                return Ok(Vec::new());
            }
            of(entry, &run_id)?;
            Ok(vec![LedgerEvent::TargetOrphaned { run_id, reason }])
        }
    }
}

fn is(hold: &Hold, run_id: &str, step: &str) -> bool {
    hold.run_id == run_id && hold.step == step
}

fn held(hold: &Hold) -> LedgerRefusal {
    LedgerRefusal::Held { holder: hold.run_id.clone(), step: hold.step.clone() }
}

fn of<'a>(entry: &'a Entry, run_id: &str) -> Result<&'a Hold, LedgerRefusal> {
    (entry.holder().filter(|hold| hold.run_id == run_id)).ok_or_else(|| LedgerRefusal::NotHeld { run_id: run_id.to_owned() })
}

fn already(entry: &Entry, run_id: &str, status: EntryStatus) -> bool {
    entry.hold.as_ref().is_some_and(|hold| hold.run_id == run_id && hold.status == status)
}

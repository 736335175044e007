//! The commands, one function each. Each checks what must hold, says what happened, and lets [`proceed`] add what
//! follows from it at once, so that settling one step and claiming the next are one append.

use chrono::{DateTime, Utc};

use super::command::{Facts, RunCommand, Standing};
use super::event::{MissedCause, RunEvent, Scheduled, WithdrawnCause};
use super::refusal::{Decided, RunRefusal};
use super::span::seconds;
use super::status::RunStatus;
use super::{Holding, Run, controls, gate, reconcile, results, settle, undo};
use crate::authorise::Meter;
use crate::deployment::Barred;
use crate::run::proceed::{followed, proceed};

pub(super) fn decide(run: &Run, command: RunCommand) -> Decided {
    if let RunCommand::Schedule { at, run: scheduled } = command {
        let free = run.scheduled.is_none() || run.may_be_reopened();
        return if free { Ok(vec![RunEvent::RunScheduled { at, run: scheduled }]) } else { Err(RunRefusal::Exists) };
    }
    let scheduled = run.scheduled.as_ref().ok_or(RunRefusal::Missing)?;
    match command {
        RunCommand::Schedule { .. } => Err(RunRefusal::Exists),
        RunCommand::Repin { at, run: new } => repin(run, scheduled, at, new),
        RunCommand::Reopen { at, run: new } => reopen(run, at, new),
        RunCommand::Withdraw { at, cause } => withdraw(run, at, cause),
        RunCommand::Start { at, standing, slot_holder, budget, facts } => match standing {
            Standing::Current => start(run, scheduled, at, slot_holder, budget, &facts),
            Standing::Superseded => unstart(run, at, WithdrawnCause::Rescheduled),
            Standing::Unverified => unstart(run, at, WithdrawnCause::NeverVerified),
            Standing::Barred(barred) => barred_at(run, scheduled, at, barred),
            Standing::Archived => unstart(run, at, WithdrawnCause::Archived),
        },
        RunCommand::Miss { at, slot_holder, barred } => miss(run, scheduled, at, slot_holder, barred),
        RunCommand::Advance { at, facts } => {
            let events = proceed(run, at, &facts);
            if events.is_empty() { Err(RunRefusal::MovedOn) } else { Ok(events) }
        }
        RunCommand::Count { at, signals, facts } => gate::count(run, at, &signals, &facts),
        RunCommand::Stall { at, entered } => gate::stall(run, at, entered),
        RunCommand::Settle { at, step, claim, answer, words, facts } => {
            settle::settle(run, at, &step, claim, answer, words, &facts)
        }
        RunCommand::ExpireClaim { at, step, claim, facts } => settle::expire(run, at, &step, claim, &facts),
        RunCommand::Confirm { at, step, note, facts } => controls::confirm(run, at, step, note, &facts),
        RunCommand::Pause { at, stop, note } => controls::pause(run, at, stop, note),
        RunCommand::Resume { at, note, facts } => controls::resume(run, at, note, &facts),
        RunCommand::OpenGate { at, note } => controls::advance(run, at, note),
        RunCommand::Skip { at, step, note, facts } => controls::skip(run, at, step, note, &facts),
        RunCommand::Retry(retry) => controls::retry(run, retry),
        RunCommand::Cancel { at, by, cleanup, stop, note } => controls::cancel(run, at, by, cleanup, stop, note),
        RunCommand::Cleanup { at } => cleanup(run, at),
        RunCommand::PublishResults { at } => results::publish(run, at),
        RunCommand::NoteRestart { at, module, boot } => Ok(reconcile::note_restart(run, at, module, boot)),
        RunCommand::Reconcile { at, module, looks, facts } => Ok(reconcile::reconcile(run, at, module, &looks, &facts)),
        RunCommand::Sweep { at, limits } => undo::sweep(run, at, limits),
        RunCommand::SettleUndo { at, claim, undone, words, limits } => undo::settle(run, at, claim, undone, words, limits),
        RunCommand::ExpireUndo { at, claim, limits } => undo::expire(run, at, claim, limits),
    }
}

fn repin(run: &Run, old: &Scheduled, at: DateTime<Utc>, new: Box<Scheduled>) -> Decided {
    if run.status != RunStatus::Scheduled {
        return Err(RunRefusal::NotNow { verb: "re-pin", status: run.status });
    }
    if *old == *new { Ok(Vec::new()) } else { Ok(vec![RunEvent::RunRepinned { at, run: new }]) }
}

/// What had begun keeps its end; so does what was missed.
fn reopen(run: &Run, at: DateTime<Utc>, new: Box<Scheduled>) -> Decided {
    if run.status == RunStatus::Cancelled && run.started_at.is_none() {
        Ok(vec![RunEvent::RunScheduled { at, run: new }])
    } else {
        Err(RunRefusal::NotNow { verb: "bring back", status: run.status })
    }
}

fn withdraw(run: &Run, at: DateTime<Utc>, cause: WithdrawnCause) -> Decided {
    if run.status == RunStatus::Scheduled {
        Ok(vec![RunEvent::RunWithdrawn { at, cause }])
    } else {
        Err(RunRefusal::NotNow { verb: "withdraw", status: run.status })
    }
}

/// What is due while nothing starts is missed at once: it does not wait for the end of the window, or of the stop.
fn barred_at(run: &Run, scheduled: &Scheduled, at: DateTime<Utc>, barred: Barred) -> Decided {
    if run.status == RunStatus::Scheduled && is_due(run, scheduled, at) {
        Ok(vec![RunEvent::RunMissed { at, cause: barred.into() }])
    } else {
        Err(RunRefusal::MovedOn)
    }
}

/// A run that waits for its slot has been due already, whatever the clock says now.
fn is_due(run: &Run, scheduled: &Scheduled, at: DateTime<Utc>) -> bool {
    at >= scheduled.scheduled_for || run.blocked_by.is_some()
}

/// What was to begin is not to happen any more: the scheduler makes the slot again if the new version yields it.
fn unstart(run: &Run, at: DateTime<Utc>, cause: WithdrawnCause) -> Decided {
    withdraw(run, at, cause).map_err(|_| RunRefusal::MovedOn)
}

fn start(
    run: &Run,
    scheduled: &Scheduled,
    at: DateTime<Utc>,
    slot_holder: Option<String>,
    budget: Vec<Meter>,
    facts: &Facts,
) -> Decided {
    if run.status != RunStatus::Scheduled || !is_due(run, scheduled, at) {
        return Err(RunRefusal::MovedOn);
    }
    if past_grace(scheduled, at) {
        return miss(run, scheduled, at, slot_holder, None);
    }
    if let Some(by) = slot_holder {
        return if run.blocked_by.as_ref() == Some(&by) { Ok(Vec::new()) } else { Ok(vec![RunEvent::RunBlocked { at, by }]) };
    }
    let late_seconds = (at - scheduled.scheduled_for).num_seconds().max(0).cast_unsigned();
    Ok(followed(run, vec![RunEvent::RunStarted { at, late_seconds, budget }], at, facts))
}

fn miss(run: &Run, scheduled: &Scheduled, at: DateTime<Utc>, slot_holder: Option<String>, barred: Option<Barred>) -> Decided {
    if run.status != RunStatus::Scheduled || !past_grace(scheduled, at) {
        return Err(RunRefusal::MovedOn);
    }
    let cause = match (slot_holder, barred) {
        (_, Some(barred)) => barred.into(),
        (Some(by), None) if run.blocked_by.is_some() => MissedCause::SlotHeld { by },
        _ => MissedCause::GracePassed {},
    };
    Ok(vec![RunEvent::RunMissed { at, cause }])
}

/// Nothing to do is an honest answer: what has drifted or was given back is not touched again.
fn cleanup(run: &Run, at: DateTime<Utc>) -> Decided {
    if !run.status.terminal() {
        return Err(RunRefusal::NotNow { verb: "clean up after", status: run.status });
    }
    let under_way = run.undo.claim.is_some() || run.live_claims().next().is_some();
    let holds = run.holdings.iter().any(Holding::to_undo);
    if under_way || !holds {
        return Ok(Vec::new());
    }
    Ok(vec![RunEvent::CleanupRequested { at, round: run.undo.round + 1 }])
}

/// The last instant of the grace still starts.
fn past_grace(scheduled: &Scheduled, at: DateTime<Utc>) -> bool {
    at > scheduled.scheduled_for + seconds(scheduled.grace_seconds)
}

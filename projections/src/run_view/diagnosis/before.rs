//! A run that has not begun, or never did.

use leasehold_aggregates::deployment::Barred;
use leasehold_aggregates::run::{MissedCause, Run, Scheduled, Standing, WithdrawnCause};

use super::{Cause, CauseCode};
use crate::run_view::Surroundings;
use crate::sentences::second;

pub(super) fn waiting(run: &Run, around: Surroundings<'_>) -> (String, Vec<Cause>) {
    let Some(scheduled) = &run.scheduled else { return (String::new(), Vec::new()) };
    let mut causes = Vec::new();
    if let Some(by) = &run.blocked_by {
        causes.push(slot_held(scheduled, by));
    } else if scheduled.scheduled_for > around.at {
        let due = Cause::new(CauseCode::NotDue, format!("it is due at {}", second(scheduled.scheduled_for)));
        causes.push(due.until(Some(scheduled.scheduled_for)));
    } else {
        let grace = format!(
            "it is due since {}, and is missed if no engine takes it up within its grace",
            second(scheduled.scheduled_for)
        );
        causes.push(Cause::new(CauseCode::Due, grace).since(Some(scheduled.scheduled_for)));
    }
    causes.extend(in_the_way(scheduled, around.standing));
    ("It has not begun.".to_owned(), causes)
}

fn slot_held(scheduled: &Scheduled, by: &str) -> Cause {
    let key = scheduled.concurrency_key.as_deref().unwrap_or_default();
    let grace = i64::try_from(scheduled.grace_seconds).unwrap_or(i64::MAX).min(3_155_760_000);
    let end = scheduled.scheduled_for + chrono::TimeDelta::seconds(grace);
    let sentence = format!("run {by} has its concurrency key {key}; if that is so until {}, it is missed", second(end));
    let held = Cause::new(CauseCode::SlotHeld, sentence).since(Some(scheduled.scheduled_for)).by_run(by);
    held.remedy("end the other run, or cancel this one")
}

/// What would keep it from starting at its instant, as things stand.
fn in_the_way(scheduled: &Scheduled, standing: Standing) -> Option<Cause> {
    let version = scheduled.definition_version;
    Some(match standing {
        Standing::Current => return None,
        Standing::Superseded => Cause::new(CauseCode::Superseded, format!("version {version} is not the current one any more")),
        Standing::Unverified => Cause::new(CauseCode::NeverVerified, format!("no dry run of version {version} has passed"))
            .remedy("verify the version before the run is due"),
        Standing::Archived => Cause::new(CauseCode::Archived, "its definition is archived"),
        Standing::Barred(Barred::Stopped { stop }) => {
            Cause::new(CauseCode::Stopped, format!("everything is stopped (stop {stop})")).remedy("lift the stop")
        }
        Standing::Barred(Barred::Frozen(frozen)) => {
            let sentence = format!("nothing starts from {} until {}", second(frozen.from), second(frozen.to));
            Cause::new(CauseCode::Frozen, sentence).since(Some(frozen.from)).remedy("lift the freeze, or move the occurrence")
        }
    })
}

pub(super) fn missed(run: &Run) -> (String, Vec<Cause>) {
    let cause = run.missed.as_ref().map(|cause| match cause {
        MissedCause::GracePassed {} => Cause::new(CauseCode::GracePassed, "no engine was there before its grace was over"),
        MissedCause::SlotHeld { by } => {
            Cause::new(CauseCode::SlotHeld, format!("run {by} had its concurrency key for all of its grace")).by_run(by)
        }
        MissedCause::Stopped { stop } => Cause::new(CauseCode::Stopped, format!("everything was stopped (stop {stop})")),
        MissedCause::Frozen { from, to, .. } => {
            Cause::new(CauseCode::Frozen, format!("nothing was to start from {} until {}", second(*from), second(*to)))
        }
    });
    did_not_happen(run, cause)
}

pub(super) fn withdrawn(run: &Run) -> (String, Vec<Cause>) {
    let cause = match run.withdrawn {
        Some(WithdrawnCause::Archived) => Cause::new(CauseCode::Archived, "its definition was archived"),
        Some(WithdrawnCause::Rescheduled) => Cause::new(CauseCode::Rescheduled, "the schedule in force does not have it"),
        Some(WithdrawnCause::NeverVerified) => Cause::new(CauseCode::NeverVerified, "no dry run of its version had passed"),
        Some(WithdrawnCause::Skipped) => Cause::new(CauseCode::Skipped, "somebody has decided that this one does not happen"),
        None => Cause::new(CauseCode::Cancelled, "somebody has cancelled it"),
    };
    did_not_happen(run, Some(cause))
}

fn did_not_happen(run: &Run, cause: Option<Cause>) -> (String, Vec<Cause>) {
    ("It did not happen.".to_owned(), cause.map(|cause| cause.since(run.ended_at)).into_iter().collect())
}

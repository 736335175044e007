//! A run that is over, and what went wrong in any.

use leasehold_aggregates::run::{CleanupStatus, Run, RunStatus, StepState, StepStatus};

use super::{Cause, CauseCode};
use crate::run_view::{Surroundings, steps};
use crate::sentences::{self, second};

pub(super) fn causes(run: &Run, around: Surroundings<'_>) -> (String, Vec<Cause>) {
    let mut causes = Vec::new();
    match run.status {
        RunStatus::Failed => causes.extend(failed(run, around)),
        RunStatus::Cancelled => causes.push(Cause::new(CauseCode::Cancelled, "a person has ended it").since(run.ended_at)),
        _ => {}
    }
    causes.extend(cleanup(run));
    causes.extend(passed_over(run, around, run.status == RunStatus::Failed));
    let headline = match (run.status, run.cleanup) {
        (_, CleanupStatus::Pending) => "The run is over, and what it held is being given back.",
        (_, CleanupStatus::Incomplete) => "The run is over, and not everything is given back.",
        (RunStatus::Completed, _) => "The run is over, as planned.",
        _ => "The run is over.",
    };
    (headline.to_owned(), causes)
}

fn failed(run: &Run, around: Surroundings<'_>) -> Option<Cause> {
    let step = run.furthest_step()?;
    Some(Cause::new(CauseCode::FailedAtStep, ended(step, around)).at_step(&step.key).since(run.ended_at))
}

/// How a step ended that was not done.
pub(super) fn ended(step: &StepState, around: Surroundings<'_>) -> String {
    let how = if step.status == StepStatus::Refused { "was refused" } else { "failed" };
    let why = steps::last_error(step, around.notes);
    let unknown = if step.maybe_applied { "; it may have taken effect all the same" } else { "" };
    let why = why.map_or_else(String::new, |error| format!(": {}", error.sentence));
    format!("step {} {how}{why}{unknown}", step.key)
}

/// Steps without which the run has gone on. `but_last`: the last of them is told of already.
pub(super) fn passed_over(run: &Run, around: Surroundings<'_>, but_last: bool) -> Vec<Cause> {
    let last = run.furthest_step().filter(|_| but_last).map(|step| step.key.as_str());
    let gone = |step: &&StepState| matches!(step.status, StepStatus::Failed | StepStatus::Refused);
    let told = run.states().filter(gone).filter(|step| last != Some(step.key.as_str())).map(|step| {
        let sentence = format!("{}; the run went on without it", ended(step, around));
        Cause::new(CauseCode::PassedOver, sentence).at_step(&step.key).since(step.settled_at)
    });
    told.collect()
}

fn cleanup(run: &Run) -> Vec<Cause> {
    match run.cleanup {
        CleanupStatus::Pending => under_way(run),
        CleanupStatus::Incomplete => left(run),
        CleanupStatus::NotRequired | CleanupStatus::Complete => Vec::new(),
    }
}

fn under_way(run: &Run) -> Vec<Cause> {
    let mut causes: Vec<Cause> = Vec::new();
    for (step, claim) in run.live_claims() {
        let sentence = format!("step {} was under way when the run ended, and its answer is waited for", step.key);
        let cause = Cause::new(CauseCode::StepUnderWay, sentence).at_step(&step.key).since(Some(claim.claimed_at));
        causes.push(cause.until(run.expected_by(step)));
    }
    if let Some(claim) = &run.undo.claim {
        let things = sentences::count(claim.targets.len(), "thing");
        let sentence = format!("the undo of step {} is under way: {things}", claim.step);
        causes.push(Cause::new(CauseCode::CleanupUnderWay, sentence).at_step(&claim.step));
    }
    for (step, tried) in run.undo.tried.iter().filter(|(_, tried)| run.undo.claim.is_none() && tried.not_before.is_some()) {
        let next = tried.not_before.map_or_else(String::new, second);
        let sentence = format!(
            "the undo of step {step} brought no success after {}; the next is due at {next}",
            sentences::count(tried.attempts as usize, "attempt")
        );
        causes.push(Cause::new(CauseCode::CleanupUnderWay, sentence).at_step(step).until(tried.not_before));
    }
    if causes.is_empty() {
        causes.push(Cause::new(CauseCode::CleanupUnderWay, "the teardown is about to begin").since(run.ended_at));
    }
    causes
}

fn left(run: &Run) -> Vec<Cause> {
    let told = run.unresolved().map(|held| {
        let error = held.last_error.as_ref().map(|code| format!(": {}", code.replace('_', " "))).unwrap_or_default();
        let what =
            if held.target.is_placeholder() { format!("whatever step {} made", held.step) } else { held.target.to_string() };
        let sentence = match &held.found {
            Some(found) => format!("{what} was moved by somebody else, to {found}, and is left alone"),
            None => format!("{what} is not given back{error}"),
        };
        let cause = Cause::new(CauseCode::CleanupIncomplete, sentence).at_step(&held.step).since(run.ended_at);
        if held.found.is_some() { cause } else { cause.remedy("ask for another cleanup") }
    });
    told.collect()
}

//! The steps of a run.

use chrono::{DateTime, Utc};
use leasehold_aggregates::run::{PlannedStep, Run, StepState, StepStatus};
use leasehold_module::Promise;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Notes, Surroundings};
use crate::sentences;

/// One step, as an answer spells it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StepView {
    pub key: String,
    pub phase: String,
    /// Place in its phase, from 1.
    pub seq: u64,
    pub action: String,
    pub summary: String,
    pub status: StepStatus,
    /// It is done and waits for a person to say so.
    pub parked: bool,
    /// When the hold that an earlier step asked for is over, if this step waits for it.
    pub due_at: Option<DateTime<Utc>>,
    /// When the attempt under way should have answered.
    pub expected_by: Option<DateTime<Utc>>,
    pub next_try_at: Option<DateTime<Utc>>,
    pub attempts: u32,
    pub promise: Promise,
    pub last_error: Option<LastError>,
}

/// What went wrong last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LastError {
    pub code: String,
    pub sentence: String,
    /// It may have taken effect all the same.
    pub unknown: bool,
}

pub(super) fn steps(run: &Run, around: Surroundings<'_>) -> Vec<StepView> {
    let Some(plan) = run.plan() else { return Vec::new() };
    let held = held(run, around.at);
    let phases = plan.phases.iter();
    let planned = phases.flat_map(|phase| phase.steps.iter().enumerate().map(move |(nth, step)| (phase, nth, step)));
    let view = |(phase, nth, planned): (&leasehold_aggregates::run::PlannedPhase, usize, &PlannedStep)| {
        let state = run.step(&planned.key)?;
        let waits = held.filter(|(step, _)| *step == state.key);
        Some(StepView {
            key: planned.key.clone(),
            phase: phase.key.clone(),
            seq: nth as u64 + 1,
            action: planned.action.clone(),
            summary: planned.summary.clone(),
            status: state.status,
            parked: state.parked,
            due_at: waits.map(|(_, until)| until),
            expected_by: run.expected_by(state),
            next_try_at: state.not_before,
            attempts: state.attempts,
            promise: planned.promise,
            last_error: last_error(state, around.notes),
        })
    };
    planned.filter_map(view).collect()
}

/// The step that an earlier one holds up, and until when: the first that is open, while the run is under way.
fn held(run: &Run, at: DateTime<Utc>) -> Option<(&str, DateTime<Utc>)> {
    let until = run.held_until.filter(|until| *until > at && !run.status.terminal())?;
    let next = run.states().find(|step| !step.status.terminal())?;
    (next.status == StepStatus::Pending).then_some((next.key.as_str(), until))
}

pub(super) fn last_error(state: &StepState, notes: &Notes) -> Option<LastError> {
    if let Some(why) = &state.refused {
        return Some(LastError { code: why.code().to_owned(), sentence: why.to_string(), unknown: state.maybe_applied });
    }
    let error = state.last_error.as_ref()?;
    let words = error.words.as_ref().and_then(|note| notes.get(&note.id));
    let sentence = sentences::error(&error.code, error.detail.as_deref(), error.words.as_ref(), words.map(String::as_str));
    Some(LastError { code: error.code.clone(), sentence, unknown: error.unknown })
}

//! A run in detail: pure functions from the folded run and what is known around it. Who claimed a step, and until when,
//! is the runner's business and not told.

mod budget;
mod consequence;
mod controls;
mod diagnosis;
mod gates;
mod participants;
mod resources;
mod steps;
mod summary;

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use leasehold_aggregates::authorise::Meter;
use leasehold_aggregates::run::{Facts, Run, Standing};
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

pub use budget::{BudgetView, DimensionWords};
pub use consequence::consequences;
pub use controls::ControlView;
pub use diagnosis::{Cause, CauseCode, Diagnosis};
pub use gates::{GateView, LastSignal};
pub use participants::ParticipantView;
pub use resources::ResourceView;
pub(crate) use resources::resources;
pub use steps::{LastError, StepView};
pub use summary::RunSummary;

/// Texts beside the log, by the ids that events name. A note that was erased is not in it, and is told as such.
pub type Notes = BTreeMap<Uuid, String>;

/// What is known around a run at a place in the log.
#[derive(Debug, Clone, Copy)]
pub struct Surroundings<'a> {
    /// The instant that the log had reached by then, and nobody's clock: a view is the same whenever it is asked for.
    pub at: DateTime<Utc>,
    /// What a decision would have been given there: the controls are judged with it.
    pub facts: &'a Facts,
    /// Whether it may begin by its schedule, as long as it has not.
    pub standing: Standing,
    /// What the switches would give a run of its plan there.
    pub budget_now: &'a [Meter],
    /// What each dimension is called, as far as a module declares it.
    pub budgets: &'a BTreeMap<String, DimensionWords>,
    pub notes: &'a Notes,
}

/// A run in detail, as an answer spells it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunView {
    #[serde(flatten)]
    pub summary: RunSummary,
    /// The instant that the log had reached at `position`: whatever depends on the time is told as of then.
    pub at: DateTime<Utc>,
    /// When everything that had gone wrong had gone right again; absent while something is wrong, and where nothing was.
    /// `health` stays what it was at its worst.
    pub recovered_at: Option<DateTime<Utc>>,
    /// The run that holds its concurrency key, while that keeps it from starting.
    pub blocked_by: Option<String>,
    /// Why it stands where it stands.
    pub diagnosis: Diagnosis,
    pub steps: Vec<StepView>,
    /// Of every phase entered so far that has one, in order.
    pub gates: Vec<GateView>,
    pub budget: Vec<BudgetView>,
    pub controls: Vec<ControlView>,
    /// What it holds and held, without the engine's own placeholders.
    pub resources: Vec<ResourceView>,
    /// Everything that was not given back, placeholders too: it may exceed what `resources` shows.
    pub unresolved_resources: u64,
    /// Who took part, as steps told it: the first hundred, in the order of the result that could be published now.
    pub participants: Vec<ParticipantView>,
    pub participants_total: u64,
}

impl RunView {
    /// The view of a folded run, with everything that it rests on up to `position`; none of an empty stream.
    pub fn of(id: &str, run: &Run, position: u64, around: Surroundings<'_>) -> Option<Self> {
        let gates = gates::gates(run, around.facts);
        Some(Self {
            summary: RunSummary::of(id, run, position)?,
            at: around.at,
            recovered_at: run.recovered_at,
            blocked_by: run.blocked_by.clone().filter(|_| !run.status.terminal()),
            diagnosis: diagnosis::diagnosis(run, &gates, around),
            steps: steps::steps(run, around),
            gates,
            budget: budget::budget(run, around.budgets),
            controls: controls::controls(run, around),
            resources: resources::resources(run),
            unresolved_resources: run.unresolved().count() as u64,
            participants: participants::participants(run),
            participants_total: run.participants.len() as u64,
        })
    }
}

/// The notes whose words the view of this run tells.
pub fn notes_of(run: &Run) -> Vec<Uuid> {
    let errors = run.states().filter_map(|step| step.last_error.as_ref()?.words.as_ref());
    errors.map(|words| words.id).collect()
}

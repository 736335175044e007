//! A run's story, told from its recorded events: who, what, when, by which version. `replay` prints it, and its lines are
//! the run's log.

mod cleanup;
mod life;
mod line;
mod signed;
mod step;
mod teller;
mod text;

pub use line::{StoryKind, StoryLine};
pub use signed::Signature;

use std::collections::BTreeSet;

use leasehold_aggregates::authorise::Meter;
use leasehold_aggregates::event::DecodeFault;
use leasehold_aggregates::run::{Run, RunEvent, StepStatus};
use serde::Serialize;
use uuid::Uuid;

use crate::SeenEvent;
use crate::run_view::{Notes, ResourceView, RunSummary};

/// A run from its first event to `position`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RunStory {
    /// As it stood at the end of the story; its position is that of the last event told.
    pub run: RunSummary,
    /// Who published its version; none where nobody has looked, see [`RunStory::signed`].
    pub published: Option<Signature>,
    /// The first pass of a dry run of its version, if there was one by then.
    pub verified: Option<Signature>,
    pub lines: Vec<StoryLine>,
    pub steps: Vec<StepAtEnd>,
    pub budget: Vec<Meter>,
    pub resources: Vec<ResourceView>,
    pub unresolved_resources: u64,
}

/// A step as it stood at the end of the story.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StepAtEnd {
    pub key: String,
    pub phase: String,
    pub action: String,
    pub action_version: u32,
    pub status: StepStatus,
    pub attempts: u32,
}

/// Why there is no story.
#[derive(Debug, thiserror::Error)]
pub enum StoryFault {
    #[error("the event at position {position} cannot be told")]
    Undecodable { position: u64, source: DecodeFault },
    /// No events, or none that begins a run.
    #[error("there is no such run")]
    NoSuchRun,
}

/// Tells the story of one run from the events of its stream, from the first on and in order. Words come from `notes`;
/// what is not in it is told without.
pub fn tell(id: &str, events: &[SeenEvent], notes: &Notes) -> Result<RunStory, StoryFault> {
    let mut teller = teller::Teller::new(notes);
    for seen in events {
        let event: RunEvent = seen.decode().map_err(|source| StoryFault::Undecodable { position: seen.position, source })?;
        teller.tell(seen, event);
    }
    let (run, lines) = teller.end();
    let position = events.last().map_or(0, |last| last.position);
    let summary = RunSummary::of(id, &run, position).ok_or(StoryFault::NoSuchRun)?;
    Ok(RunStory {
        run: summary,
        published: None,
        verified: None,
        lines,
        steps: steps(&run),
        budget: run.budget.clone(),
        resources: crate::run_view::resources(&run),
        unresolved_resources: run.unresolved().count() as u64,
    })
}

/// The notes that these events name, each once.
pub fn notes_of(events: &[SeenEvent]) -> Vec<Uuid> {
    let named = events.iter().flat_map(|event| ["note", "words"].map(|field| event.payload.get(field)));
    let ids = named.flatten().filter_map(|note| note.get("id")?.as_str()?.parse().ok());
    ids.collect::<BTreeSet<Uuid>>().into_iter().collect()
}

fn steps(run: &Run) -> Vec<StepAtEnd> {
    let Some(plan) = run.plan() else { return Vec::new() };
    let planned = plan.phases.iter().flat_map(|phase| phase.steps.iter().map(move |step| (phase, step)));
    let at_end = planned.filter_map(|(phase, planned)| {
        let state = run.step(&planned.key)?;
        Some(StepAtEnd {
            key: planned.key.clone(),
            phase: phase.key.clone(),
            action: planned.action.clone(),
            action_version: planned.action_version,
            status: state.status,
            attempts: state.attempts,
        })
    });
    at_end.collect()
}

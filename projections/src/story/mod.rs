//! A run's story, told from its recorded events: who, what, when, by which version. `replay` prints it, and its lines are
//! the run's log.

mod cleanup;
mod gate;
mod life;
mod line;
mod planned;
mod reconcile;
mod results;
mod signed;
mod step;
mod teller;
mod text;

pub use line::{StoryKind, StoryLine};
pub use planned::{LeaseOfStep, PhaseOfPlan, StepAtEnd};
pub use signed::{ANSWERING, Answering, Signature, answering};

use std::collections::BTreeSet;

use leasehold_aggregates::authorise::Meter;
use leasehold_aggregates::event::DecodeFault;
use leasehold_aggregates::run::{Run, RunEvent};
use serde::Serialize;
use teller::Teller;
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
    /// When it began, and who brought that about: `runner` where its schedule did.
    pub started: Option<Signature>,
    /// Of the plan, in order.
    pub phases: Vec<PhaseOfPlan>,
    pub lines: Vec<StoryLine>,
    /// Of the plan, in order.
    pub steps: Vec<StepAtEnd>,
    pub budget: Vec<Meter>,
    pub resources: Vec<ResourceView>,
    pub unresolved_resources: u64,
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
    let mut telling = Telling::of(id, notes);
    for seen in events {
        telling.hear(seen)?;
    }
    telling.story()
}

/// A story in the making, which can be told at any event on the way: each is read once, however often that is asked for.
pub struct Telling<'a> {
    id: &'a str,
    teller: Teller<'a>,
    position: u64,
}

impl<'a> Telling<'a> {
    pub fn of(id: &'a str, notes: &'a Notes) -> Self {
        Self { id, teller: Teller::new(notes), position: 0 }
    }

    /// The next event of the run's stream. One that cannot be read is a fault, and as if it had not been heard.
    pub fn hear(&mut self, seen: &SeenEvent) -> Result<(), StoryFault> {
        let event: RunEvent = seen.decode().map_err(|source| StoryFault::Undecodable { position: seen.position, source })?;
        self.teller.tell(seen, event);
        self.position = seen.position;
        Ok(())
    }

    /// The run as it stands after what was heard.
    pub fn run(&self) -> &Run {
        &self.teller.run
    }

    /// The story of what was heard.
    pub fn story(&self) -> Result<RunStory, StoryFault> {
        let run = self.run();
        Ok(RunStory {
            run: RunSummary::of(self.id, run, self.position).ok_or(StoryFault::NoSuchRun)?,
            published: None,
            verified: None,
            started: self.teller.started.clone(),
            phases: planned::phases(run),
            lines: self.teller.lines.clone(),
            steps: planned::steps(run),
            budget: run.budget.clone(),
            resources: crate::run_view::resources(run),
            unresolved_resources: run.unresolved().count() as u64,
        })
    }
}

/// The notes that these events name, each once.
pub fn notes_of(events: &[SeenEvent]) -> Vec<Uuid> {
    let named = events.iter().flat_map(|event| ["note", "words"].map(|field| event.payload.get(field)));
    let ids = named.flatten().filter_map(|note| note.get("id")?.as_str()?.parse().ok());
    ids.collect::<BTreeSet<Uuid>>().into_iter().collect()
}

//! One run in full, from its stream: as it stands, and as it came about.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use leasehold_aggregates::definition::Definition;
use leasehold_aggregates::run::{Run, RunRefusal};
use leasehold_projections::SeenEvent;
use leasehold_projections::run_view::{self, DimensionWords, Notes, RunView, Surroundings};
use leasehold_projections::story::{self, RunStory, StoryFault};
use uuid::Uuid;

use super::folds::Look;
use super::projector::seen;
use super::runs::Reading;
use super::streams::{StreamFault, stream};
use super::{Engine, Fault};
use crate::log::Log;

/// How far a story goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Until {
    Now,
    /// Up to and with this position of the log.
    Position(u64),
    /// Up to and with this instant of the engine's clock.
    Instant(DateTime<Utc>),
}

/// The story of one run. Refused as missing where there is no such run, or was none by then.
pub async fn story(log: &Log, run_id: &str, until: Until) -> Result<RunStory, Fault> {
    let position = if let Until::Position(position) = until { position } else { u64::MAX };
    let recorded = log.load_until(&stream::<Run>(run_id), position).await?;
    let mut events: Vec<SeenEvent> = recorded.into_iter().map(seen).collect();
    if let Until::Instant(instant) = until {
        let later = events.iter().position(|event| event.at() > instant);
        events.truncate(later.unwrap_or(events.len()));
    }
    let notes = notes(log, &story::notes_of(&events)).await?;
    let story = story::tell(run_id, &events, &notes).map_err(untold)?;
    let definition = stream::<Definition>(&story.run.definition_id);
    let recorded = log.load_until(&definition, story.run.position).await?;
    story.signed(&recorded.into_iter().map(seen).collect::<Vec<_>>()).map_err(untold)
}

pub(super) fn untold(fault: StoryFault) -> Fault {
    match fault {
        StoryFault::NoSuchRun => Fault::refused(RunRefusal::Missing),
        StoryFault::Undecodable { position, source } => StreamFault::Undecodable { position, source }.into(),
    }
}

impl Engine {
    /// One run as it stands now, with what may be done to it.
    pub async fn run_view(&self, run_id: &str) -> Result<RunView, Fault> {
        let at = self.clock.now().await?;
        let reading = Reading::of(self, run_id, &[], Look::Fresh).await?;
        let run = &reading.run.state;
        let position = self.position_of(run_id, reading.run.sequence).await?;
        let notes = notes(&self.log, &run_view::notes_of(run)).await?;
        let budgets = self.dimension_words(run);
        let around = Surroundings { at, facts: &reading.facts, budgets: &budgets, notes: &notes };
        RunView::of(run_id, run, position, around).ok_or_else(|| Fault::refused(RunRefusal::Missing))
    }

    fn dimension_words(&self, run: &Run) -> BTreeMap<String, DimensionWords> {
        let words = run.budget.iter().filter_map(|meter| {
            let budget = self.registry.budget(&meter.dimension)?;
            Some((meter.dimension.clone(), DimensionWords { label: budget.label.clone(), unit: budget.unit.clone() }))
        });
        words.collect()
    }

    async fn position_of(&self, run_id: &str, sequence: u64) -> Result<u64, Fault> {
        let position = sqlx::query_scalar::<_, i64>(
            "select position from public.events where aggregate_type = 'run' and aggregate_id = $1 and sequence = $2",
        );
        let position = position.bind(run_id).bind(i64::try_from(sequence).unwrap_or(i64::MAX));
        Ok(position.fetch_optional(self.log.pool()).await?.map_or(0, i64::unsigned_abs))
    }
}

async fn notes(log: &Log, ids: &[Uuid]) -> Result<Notes, Fault> {
    if ids.is_empty() {
        return Ok(Notes::new());
    }
    let notes = log.notes(ids).await?;
    Ok(notes.into_iter().filter_map(|note| Some((note.id, note.body?))).collect())
}

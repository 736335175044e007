//! `results`: who took part in runs, and the results that were published. What is told again is a row of its own, so that
//! nothing is looked up to write it; reads take the last.

mod read;

pub use read::{History, ParticipantRow, PlaceRow, PublishedResult, history, latest, participants, places};

use chrono::{DateTime, Utc};
use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::event::known;
use leasehold_aggregates::run::{Run, RunEvent};
use serde::{Deserialize, Serialize};

use crate::cells::Json;
use crate::fault::EventFault;
use crate::projection::{Folding, Memory};
use crate::rows::Rows;
use crate::stream_rows::{StreamFolding, StreamRow};
use crate::{LoggedEvent, Projection, Table};

pub const NAME: &str = "results";
pub const VERSION: u32 = 1;

pub const RESULTS: Table = Table {
    name: "results_v1",
    key: &["id"],
    columns: &[
        "id",
        "sequence",
        "position",
        "folded",
        "definition_id",
        "title",
        "scope",
        "scheduled_for",
        "started_at",
        "rehearsal",
        "published",
        "published_at",
        "places",
    ],
    ddl: include_str!("v1.sql"),
    indexes: include_str!("v1_indexes.sql"),
};

pub const PARTICIPANTS: Table = Table {
    name: "participants_v1",
    key: &["run_id", "member", "told"],
    columns: &["run_id", "member", "told", "score", "joined_at", "meta"],
    ddl: include_str!("participants_v1.sql"),
    indexes: include_str!("participants_v1_indexes.sql"),
};

pub const PLACES: Table = Table {
    name: "places_v1",
    key: &["run_id", "published", "rank"],
    columns: &["run_id", "published", "rank", "member", "score"],
    ddl: include_str!("places_v1.sql"),
    indexes: include_str!("places_v1_indexes.sql"),
};

/// The types of events that say something here. Of the others it is enough that they are known.
const TELLING: [&str; 5] = ["run_scheduled", "run_repinned", "run_started", "participants_reported", "results_published"];

/// The projection.
#[derive(Debug, Clone, Copy, Default)]
pub struct Results;

/// A run, as far as its result goes.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Standing {
    pub definition_id: String,
    pub title: String,
    pub scope: String,
    pub scheduled_for: Option<DateTime<Utc>>,
    pub started_at: Option<DateTime<Utc>>,
    pub rehearsal: bool,
    pub published: Option<(u64, DateTime<Utc>)>,
    pub places: u64,
}

impl Projection for Results {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> u32 {
        VERSION
    }

    fn tables(&self) -> &'static [Table] {
        &[RESULTS, PARTICIPANTS, PLACES]
    }

    fn streams(&self) -> &'static [&'static str] {
        &[Run::TYPE]
    }

    fn folder(&self, memory: Memory) -> Box<dyn Folding> {
        StreamFolding::<Self>::boxed(memory)
    }
}

impl StreamRow for Results {
    const TABLE: Table = RESULTS;
    type State = Standing;

    fn fold(standing: &mut Standing, event: &LoggedEvent, rows: &mut Rows) -> Result<(), EventFault> {
        if !TELLING.contains(&event.event_type.as_str()) {
            known::<RunEvent>(&event.event_type, &event.event_version)?;
            return Ok(());
        }
        match event.decode::<RunEvent>()? {
            RunEvent::RunScheduled { run, .. } | RunEvent::RunRepinned { run, .. } => {
                (standing.definition_id, standing.title, standing.scope) = (run.definition_id, run.title, run.scope);
                (standing.scheduled_for, standing.rehearsal) = (Some(run.scheduled_for), run.rehearsal);
            }
            RunEvent::RunStarted { at, .. } => standing.started_at = Some(at),
            RunEvent::ParticipantsReported { participants, .. } => {
                for told in participants {
                    let (run_id, joined_at, meta) = (event.aggregate_id.as_str(), told.joined_at, Json(told.meta));
                    let (member, told, score) = (told.member, event.position, told.score);
                    rows.put(&PARTICIPANTS, &Participant { run_id, member, told, score, joined_at, meta })?;
                }
            }
            RunEvent::ResultsPublished { at, places, .. } => {
                (standing.published, standing.places) = (Some((event.position, at)), places.len() as u64);
                for (nth, place) in places.into_iter().enumerate() {
                    let (run_id, published, rank) = (event.aggregate_id.as_str(), event.position, nth + 1);
                    rows.put(&PLACES, &Placing { run_id, published, rank, member: place.member, score: place.score })?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn columns(_id: &str, standing: &Standing) -> Result<impl Serialize, EventFault> {
        let scheduled_for = standing.scheduled_for.ok_or(EventFault::NeverBegun("run_scheduled"))?;
        Ok(Columns {
            definition_id: &standing.definition_id,
            title: &standing.title,
            scope: &standing.scope,
            scheduled_for,
            started_at: standing.started_at,
            rehearsal: standing.rehearsal,
            published: standing.published.map(|(position, _)| position),
            published_at: standing.published.map(|(_, at)| at),
            places: standing.places,
        })
    }
}

#[derive(Serialize)]
struct Columns<'a> {
    definition_id: &'a str,
    title: &'a str,
    scope: &'a str,
    scheduled_for: DateTime<Utc>,
    started_at: Option<DateTime<Utc>>,
    rehearsal: bool,
    published: Option<u64>,
    published_at: Option<DateTime<Utc>>,
    places: u64,
}

#[derive(Serialize)]
struct Participant<'a, M, S, J, T> {
    run_id: &'a str,
    member: M,
    told: u64,
    score: S,
    joined_at: J,
    meta: Json<T>,
}

#[derive(Serialize)]
struct Placing<'a, M, S> {
    run_id: &'a str,
    published: u64,
    rank: usize,
    member: M,
    score: S,
}

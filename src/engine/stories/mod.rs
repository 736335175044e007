//! Runs from the log: as they stand, as they stood at any place, how they came about, and what changed in between.
//!
//! What is told of a run is a function of the log up to a position: of the run's own stream, of the switches of its actions and
//! of the targets that it may take. No projection is asked, nothing is appended, and the clock says only whether an
//! instant has come yet. Three things lie beside the log and are told as they are now: words that people and games wrote, the labels
//! of budgets, and what the installed modules declare of the actions that a control would dispatch.

mod around;
mod retelling;
mod until;

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use leasehold_aggregates::run::{Limits, Run, RunRefusal};
use leasehold_projections::run_view::{Notes, RunView};
use leasehold_projections::story::StoryFault;
use leasehold_projections::{Placed, SeenEvent};
use uuid::Uuid;

pub use retelling::Retelling;
pub use until::{NoPlace, NotThere, Until};

use super::projector::seen;
use super::registry::Registry;
use super::streams::{StreamFault, stream};
use super::{Engine, Fault};
use crate::log::{Log, Member};

/// What runs are told from.
#[derive(Clone)]
pub struct Stories<'a> {
    pub log: &'a Log,
    /// What the installed modules declare.
    pub registry: Arc<Registry>,
    pub limits: Limits,
    /// By the engine's clock: no story goes further.
    pub now: DateTime<Utc>,
}

impl Engine {
    /// The runs of this engine's log.
    pub async fn stories(&self) -> Result<Stories<'_>, Fault> {
        let now = self.clock.now().await?;
        Ok(Stories { log: &self.log, registry: self.registry(), limits: self.settings.limits(), now })
    }

    /// One run as it stands now, with what may be done to it.
    pub async fn run_view(&self, run_id: &str) -> Result<RunView, Fault> {
        let mut view = self.stories().await?.view(run_id).await?;
        let ids: Vec<Uuid> = view.participants.iter().map(|participant| participant.member).collect();
        if !ids.is_empty() {
            let known: BTreeMap<Uuid, Member> =
                self.log.members(&ids).await?.into_iter().map(|member| (member.member_id, member)).collect();
            for participant in &mut view.participants {
                let Some(member) = known.get(&participant.member) else { continue };
                participant.member_key.clone_from(&member.member_key);
                participant.account_id.clone_from(&member.account_id);
            }
        }
        Ok(view)
    }
}

/// All events of a run, and the newest position that was there when they were read.
struct Whole {
    events: Vec<SeenEvent>,
    first: Placed,
    head: u64,
}

impl Stories<'_> {
    async fn whole(&self, run_id: &str) -> Result<Whole, Fault> {
        let missing = || Fault::refused(RunRefusal::Missing);
        let head = self.log.head().await?.ok_or_else(missing)?.position;
        let recorded = self.log.load_until(&stream::<Run>(run_id), head).await?;
        let events: Vec<SeenEvent> = recorded.into_iter().map(seen).collect();
        let first = events.first().map(placed).ok_or_else(missing)?;
        Ok(Whole { events, first, head })
    }

    /// The words behind these notes, as far as they are kept and this role may read them.
    async fn notes(&self, ids: &[Uuid]) -> Result<Notes, Fault> {
        if ids.is_empty() {
            return Ok(Notes::new());
        }
        let notes = self.log.notes(ids).await?;
        Ok(notes.into_iter().filter_map(|note| Some((note.id, note.body?))).collect())
    }
}

fn placed(event: &SeenEvent) -> Placed {
    Placed { position: event.position, at: event.at() }
}

pub(super) fn untold(fault: StoryFault) -> Fault {
    match fault {
        StoryFault::NoSuchRun => Fault::refused(RunRefusal::Missing),
        StoryFault::Undecodable { position, source } => StreamFault::Undecodable { position, source }.into(),
    }
}

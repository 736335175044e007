//! What was in force at a place in the log: every hold, by whose decision and under which version. From the streams of
//! targets, runs and definitions alone; what accounts are called is a row, told as it is now.

use std::collections::BTreeMap;

use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::definition::Definition;
use leasehold_aggregates::ledger::{Entry, LedgerEvent};
use leasehold_aggregates::run::Run;
use leasehold_aggregates::target::Target;
use leasehold_projections::in_force::{self, Held, InForce, ORIGIN, Origin};
use leasehold_projections::story::{self, ANSWERING, Answering};
use leasehold_projections::{Page, PageRequest, Placed, ReadFault, SeenEvent, page};
use serde::Serialize;

use super::Fault;
use super::projector::seen;
use super::stories::untold;
use super::streams::stream;
use crate::log::{Log, LogError};

/// The name of the list in page tokens.
const LIST: &str = "in_force";

/// Holds at a place of the log.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HeldThen {
    /// Where the log stood; the pages of one list all stand there.
    #[serde(flatten)]
    pub then: Placed,
    #[serde(flatten)]
    pub page: Page<InForce>,
}

/// Why holds cannot be told.
#[derive(Debug, thiserror::Error)]
pub enum InForceFault {
    #[error(transparent)]
    Page(#[from] ReadFault),
    #[error(transparent)]
    Engine(#[from] Fault),
}

impl From<LogError> for InForceFault {
    fn from(error: LogError) -> Self {
        Self::Engine(error.into())
    }
}

/// The hold that one target was under at `position`: one item or none.
pub async fn of_target(log: &Log, target: &Target, position: u64) -> Result<HeldThen, InForceFault> {
    let mut telling = Telling { log, position, runs: BTreeMap::new(), versions: BTreeMap::new(), names: BTreeMap::new() };
    let held = telling.held(target).await?;
    let mut items = Vec::new();
    if let Some(held) = held {
        items.push(telling.tell(held).await?);
    }
    Ok(HeldThen { then: telling.then().await?, page: Page { items, next_page_token: None } })
}

/// Every hold at `position`, by target, in pages. A token from the page before says itself where the log stood.
pub async fn of_all(log: &Log, position: u64, request: &PageRequest) -> Result<HeldThen, InForceFault> {
    let (limit, after) = (request.rows()?, request.after::<2>(LIST)?);
    let (position, after) = match after {
        Some([stood, id]) => (stood.parse().ok().filter(|stood| *stood <= position).ok_or(ReadFault::BadToken)?, id),
        None => (position, String::new()),
    };
    let mut telling = Telling { log, position, runs: BTreeMap::new(), versions: BTreeMap::new(), names: BTreeMap::new() };
    let ids = log.streams_not_ending_in(Entry::TYPE, &LedgerEvent::RELEASES, position, &after, limit + 1).await?;
    let ids = page(LIST, ids, limit, |id| [position.to_string(), id.clone()]);
    let mut items = Vec::new();
    for id in &ids.items {
        let target = Target::from_stream_id(id).map_err(|fault| unnamed(position, &fault))?;
        if let Some(held) = telling.held(&target).await? {
            items.push(telling.tell(held).await?);
        }
    }
    Ok(HeldThen { then: telling.then().await?, page: Page { items, next_page_token: ids.next_page_token } })
}

/// Only a raw writer makes a ledger stream that names no target.
fn unnamed(position: u64, fault: &dyn std::error::Error) -> Fault {
    LogError::Undecodable { position, why: fault.to_string() }.into()
}

/// One page in the making. What several holds have in common is read once.
struct Telling<'a> {
    log: &'a Log,
    position: u64,
    runs: BTreeMap<String, Origin>,
    versions: BTreeMap<(String, u64), Answering>,
    names: BTreeMap<String, Option<String>>,
}

impl Telling<'_> {
    async fn then(&self) -> Result<Placed, Fault> {
        let at = self.log.instant_of(self.position).await?.unwrap_or_default();
        Ok(Placed { position: self.position, at })
    }

    async fn held(&self, target: &Target) -> Result<Option<Held>, Fault> {
        let recorded = self.log.load_until(&stream::<Entry>(&target.stream_id()), self.position).await?;
        let events: Vec<SeenEvent> = recorded.into_iter().map(seen).collect();
        in_force::held(target, &events).map_err(untold)
    }

    async fn tell(&mut self, held: Held) -> Result<InForce, Fault> {
        let origin = self.origin(&held).await?;
        let version = (origin.run.definition_id.clone(), origin.run.definition_version);
        let answering = self.answering(version).await?;
        for by in in_force::actors(&origin, &answering) {
            if !self.names.contains_key(&by) {
                let name = match self.log.account(&by).await {
                    Err(error) if error.is_denied() => None,
                    account => account?.map(|account| account.name),
                };
                self.names.insert(by, name);
            }
        }
        Ok(InForce::of(held, &origin, &answering, |id| self.names.get(id).cloned().flatten()))
    }

    async fn origin(&mut self, held: &Held) -> Result<Origin, Fault> {
        let run_id = &held.hold.run_id;
        if let Some(origin) = self.runs.get(run_id) {
            return Ok(origin.clone());
        }
        let recorded = self.log.load_types(&stream::<Run>(run_id), &ORIGIN, self.position).await?;
        let events: Vec<SeenEvent> = recorded.into_iter().map(seen).collect();
        let nobody = || LogError::Undecodable {
            position: held.since.position,
            why: format!("it names run {run_id}, and the log holds no such run by then"),
        };
        let origin = in_force::origin(&events).map_err(untold)?.ok_or_else(nobody)?;
        self.runs.insert(run_id.clone(), origin.clone());
        Ok(origin)
    }

    async fn answering(&mut self, version: (String, u64)) -> Result<Answering, Fault> {
        if let Some(answering) = self.versions.get(&version) {
            return Ok(answering.clone());
        }
        let recorded = self.log.load_types(&stream::<Definition>(&version.0), &ANSWERING, self.position).await?;
        let events: Vec<SeenEvent> = recorded.into_iter().map(seen).collect();
        let answering = story::answering(version.1, &events).map_err(untold)?;
        self.versions.insert(version, answering.clone());
        Ok(answering)
    }
}

//! What people do to runs: start one by hand, confirm a cue, cancel.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use leasehold_aggregates::decide::{Decide, Refusal, RefusalKind};
use leasehold_aggregates::definition::{Definition, DefinitionState};
use leasehold_aggregates::deployment::{Barred, Frozen};
use leasehold_aggregates::run::{RunCommand, RunEvent, Scheduled, Standing, WithdrawnCause};
use leasehold_aggregates::schedule::manual_run_id;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::commit::{TRIES, Tried};
use super::planning::plan_run;
use super::{Committed, Extras, Reading};
use crate::engine::again::moved_stream;
use crate::engine::fault::moved;
use crate::engine::folds::Look;
use crate::engine::streams::{Loaded, load};
use crate::engine::{Act, Engine, Fault};

/// The scope of everything until an operator names others.
pub const MAIN: &str = "main";

/// What a person chooses for a run that starts now.
#[derive(Debug, Clone, Default)]
pub struct StartRequest {
    pub scope: Option<String>,
    pub params: Map<String, Value>,
    pub rehearsal: bool,
    /// How many firings led to it, one from another; 0 where a person starts it.
    pub hops: u32,
}

/// Why a run cannot be started by hand.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StartRefusal {
    #[error("there is no definition {0}")]
    NoDefinition(String),
    #[error("this definition has no published version yet; publish one before starting a run of it")]
    NotPublished,
    #[error("this definition is archived, and no run of it starts any more; copy it into a new one")]
    Archived,
    #[error("there is no scope {scope:?}; there is: {known}")]
    UnknownScope { scope: String, known: String },
    #[error("run {holder} holds the concurrency key {key:?}; wait until it has ended and given back what it took, or cancel it")]
    SlotHeld { key: String, holder: String },
    #[error("nothing starts from {from} until {to} (freeze {freeze}); lift the freeze, or start it afterwards")]
    Frozen { freeze: Uuid, from: DateTime<Utc>, to: DateTime<Utc> },
    #[error("everything is stopped (stop {stop}), and nothing starts until somebody lifts it")]
    Stopped { stop: Uuid },
}

impl Refusal for StartRefusal {
    fn code(&self) -> &'static str {
        match self {
            Self::NoDefinition(_) => "not_found",
            Self::NotPublished => "not_published",
            Self::Archived => "archived",
            Self::UnknownScope { .. } => "unknown_scope",
            Self::SlotHeld { .. } => "slot_held",
            Self::Frozen { .. } => "frozen",
            Self::Stopped { .. } => "stopped",
        }
    }

    fn kind(&self) -> RefusalKind {
        match self {
            Self::NoDefinition(_) => RefusalKind::Missing,
            Self::NotPublished | Self::Archived | Self::SlotHeld { .. } | Self::Frozen { .. } | Self::Stopped { .. } => {
                RefusalKind::Conflict
            }
            Self::UnknownScope { .. } => RefusalKind::Invalid,
        }
    }

    fn pointer(&self) -> Option<String> {
        matches!(self, Self::UnknownScope { .. }).then(|| "/scope".to_owned())
    }
}

impl Engine {
    /// Schedules and starts a run of the published version in one append: its slot taken, its first step claimed.
    pub async fn start_by_hand(&self, act: &Act, definition_id: &str, request: &StartRequest) -> Result<Committed, Fault> {
        let run_id = manual_run_id(definition_id, &act.command_id.to_string()).to_string();
        let start = || self.start_now(act, definition_id, request);
        self.once(act, start, |done| self.as_left(&run_id, done, act.at)).await
    }

    async fn start_now(&self, act: &Act, definition_id: &str, request: &StartRequest) -> Result<Committed, Fault> {
        let (mut look, mut lanes) = (Look::Remembered, BTreeSet::new());
        for _ in 0..TRIES {
            let in_lanes = self.lanes.enter(&lanes).await;
            let tried = self.try_start(act, definition_id, request, look).await;
            drop(in_lanes);
            match tried {
                Ok(Tried::Committed(committed)) => {
                    self.carry_out(&committed);
                    return Ok(*committed);
                }
                Ok(Tried::Overtaken(lost_on)) => lanes.extend(lost_on),
                Err(Fault::Append(error)) if moved(&error) => lanes.extend(moved_stream(error)),
                Err(Fault::Refused(_)) if look == Look::Remembered => {}
                Err(fault) => return Err(fault),
            }
            look = Look::Fresh;
        }
        Err(Fault::Busy)
    }

    async fn try_start(&self, act: &Act, definition_id: &str, request: &StartRequest, look: Look) -> Result<Tried, Fault> {
        let definition: Loaded<Definition> = load(&self.log, definition_id).await?;
        let scheduled = self.scheduled_now(act, &definition, request)?;
        let mut reading = Reading::of_new(self, &scheduled, look).await?;
        match reading.barred(&[act.at]) {
            Some(Barred::Frozen(Frozen { freeze, from, to })) => {
                return Err(Fault::refused(StartRefusal::Frozen { freeze, from, to }));
            }
            Some(Barred::Stopped { stop }) => return Err(Fault::refused(StartRefusal::Stopped { stop })),
            None => {}
        }
        if let (Some(holder), Some(key)) = (reading.slot_holder(), &scheduled.concurrency_key) {
            return Err(Fault::refused(StartRefusal::SlotHeld { key: key.clone(), holder }));
        }
        let events = begin(&reading, act, scheduled)?;
        let extras = Extras { requires: vec![definition.required()], ..Extras::default() };
        self.try_commit(act, &mut reading, events, &extras).await
    }

    /// Takes a run that has not begun off the calendar.
    pub async fn withdraw_run(&self, act: &Act, run_id: &str, cause: WithdrawnCause) -> Result<Committed, Fault> {
        self.commit_run(act, run_id, &Extras::default(), |_| RunCommand::Withdraw { at: act.at, cause }).await
    }

    fn scheduled_now(&self, act: &Act, definition: &Loaded<Definition>, request: &StartRequest) -> Result<Scheduled, Fault> {
        let (version, content) = match (definition.state.state(), definition.state.current()) {
            _ if !definition.state.exists() => {
                return Err(Fault::refused(StartRefusal::NoDefinition(definition.id.clone())));
            }
            (DefinitionState::Ready, Some(current)) => current,
            (DefinitionState::Archived, _) => return Err(Fault::refused(StartRefusal::Archived)),
            _ => return Err(Fault::refused(StartRefusal::NotPublished)),
        };
        let scope = request.scope.clone().unwrap_or_else(|| MAIN.to_owned());
        if !self.scopes.contains(&scope) {
            let known = self.scopes.iter().cloned().collect::<Vec<_>>().join(", ");
            return Err(Fault::refused(StartRefusal::UnknownScope { scope, known }));
        }
        let planned = plan_run(&self.registry(), content, &request.params, self.settings.stall_seconds)?;
        Ok(Scheduled {
            run_id: manual_run_id(&definition.id, &act.command_id.to_string()).to_string(),
            definition_id: definition.id.clone(),
            definition_version: version,
            title: content.title.clone(),
            scope,
            slot: None,
            generation: 0,
            scheduled_for: act.at,
            moved_from: None,
            timezone: content.timezone.clone(),
            dst_adjusted: None,
            grace_seconds: u64::from(content.grace_seconds),
            concurrency_key: planned.concurrency_key,
            rehearsal: request.rehearsal,
            hops: request.hops,
            params: planned.params,
            plan: planned.plan,
        })
    }
}

fn begin(reading: &Reading, act: &Act, scheduled: Scheduled) -> Result<Vec<RunEvent>, Fault> {
    let budget = reading.budget(&scheduled.plan);
    let mut run = reading.run.state.clone();
    let mut events = run.decide(RunCommand::Schedule { at: act.at, run: Box::new(scheduled) }).map_err(Fault::refused)?;
    for event in &events {
        run.apply(event.clone());
    }
    let start =
        RunCommand::Start { at: act.at, standing: Standing::Current, slot_holder: None, budget, facts: reading.facts.clone() };
    events.extend(run.decide(start).map_err(Fault::refused)?);
    Ok(events)
}

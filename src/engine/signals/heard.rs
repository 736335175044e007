//! From recorded events to signals: those of games as they were recorded, and those of runs by what happened to them.

use std::borrow::Borrow;
use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::event::{DecodeFault, known};
use leasehold_aggregates::run::{Run, RunEvent, Signal as Offered};
use leasehold_aggregates::signal::{Recorded as Told, Signal, SignalEvent};
use serde_json::{Map, Value};

use super::own;
use crate::engine::fault::told;
use crate::engine::streams::{Loaded, event, load_until};
use crate::engine::{Engine, Fault};
use crate::log::Recorded;

/// One signal, wherever it came from.
#[derive(Debug, Clone, PartialEq)]
pub struct Heard {
    pub position: u64,
    pub at: DateTime<Utc>,
    pub trigger: String,
    pub scope: String,
    pub hops: u32,
    /// It is of a rehearsal, and reaches nothing that is none.
    pub rehearsal: bool,
    pub vars: Map<String, Value>,
}

impl Heard {
    /// One that a game has reported, as it was recorded.
    pub fn of(position: u64, signal: Told) -> Self {
        let Told { at, trigger, scope, hops, rehearsal, vars, .. } = signal;
        Self { position, at, trigger, scope, hops, rehearsal, vars }
    }

    /// As a gate takes it.
    pub fn offered(&self) -> Offered {
        let (position, at, trigger, vars) = (self.position, self.at, self.trigger.clone(), self.vars.clone());
        Offered { position, at, trigger, rehearsal: self.rehearsal, vars }
    }
}

/// Whether this version knows such an event, if it is one that may be a signal.
pub fn known_here(kind: &str, event_type: &str, version: &str) -> Result<(), DecodeFault> {
    match kind {
        Signal::TYPE => known::<SignalEvent>(event_type, version).map(drop),
        Run::TYPE => known::<RunEvent>(event_type, version).map(drop),
        _ => Ok(()),
    }
}

/// The triggers that this event may fire.
pub fn triggers_of(recorded: &Recorded) -> Vec<String> {
    match recorded.stream.aggregate_type.as_str() {
        Signal::TYPE => recorded.payload["signal"]["trigger"].as_str().map(str::to_owned).into_iter().collect(),
        Run::TYPE => own::candidates(&recorded.event_type).iter().map(|trigger| (*trigger).to_owned()).collect(),
        _ => Vec::new(),
    }
}

impl Engine {
    /// The signals among these events whose trigger is one of `awaited`.
    pub(in crate::engine) async fn hear<R: Borrow<Recorded> + Sync>(
        &self,
        events: &[R],
        awaited: &BTreeSet<String>,
    ) -> Result<Vec<Heard>, Fault> {
        let mut heard = Vec::new();
        for recorded in events.iter().map(Borrow::borrow) {
            if triggers_of(recorded).iter().any(|trigger| awaited.contains(trigger)) {
                match self.hear_one(recorded).await {
                    Ok(fired) => heard.extend(fired.into_iter().filter(|one| awaited.contains(&one.trigger))),
                    Err(fault) if fault.passes() => return Err(fault),
                    Err(fault) => {
                        tracing::error!(position = recorded.position, error = %told(&fault), "an event is no signal to anybody here");
                    }
                }
            }
        }
        Ok(heard)
    }

    async fn hear_one(&self, recorded: &Recorded) -> Result<Vec<Heard>, Fault> {
        if recorded.stream.aggregate_type == Signal::TYPE {
            let SignalEvent::SignalRecorded { signal } = event::<Signal>(recorded.clone())?;
            return Ok(vec![Heard::of(recorded.position, signal)]);
        }
        let happened = event::<Run>(recorded.clone())?;
        let Loaded { state: run, .. } = load_until::<Run>(&self.log, &recorded.stream.aggregate_id, recorded.position).await?;
        let Some(scheduled) = &run.scheduled else { return Ok(Vec::new()) };
        let heard = |trigger: &str| Heard {
            position: recorded.position,
            at: crate::engine::definitions::Deed::of(recorded).at,
            trigger: trigger.to_owned(),
            scope: scheduled.scope.clone(),
            hops: scheduled.hops,
            rehearsal: scheduled.rehearsal,
            vars: own::vars(&run),
        };
        Ok(own::fired(&happened, &run).into_iter().map(heard).collect())
    }
}

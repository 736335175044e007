//! Gates that signals open: what a plan says of one, how signals are counted, and what becomes of one that waits too long.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use leasehold_module::ParamType;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::command::Facts;
use super::event::{RunEvent, SatisfiedBy};
use super::proceed::followed;
use super::refusal::{Decided, RunRefusal};
use super::{PhaseState, PlannedPhase, Run};
use crate::condition::Condition;
use crate::event::given;
use crate::plan::OnFailure;

/// Events after which a run takes no further signal: its stream would become too long to be read.
pub const MOST_EVENTS: u64 = 100_000;

/// A gate as a run carries it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlannedGate {
    pub trigger: String,
    /// The module that declares the trigger.
    pub module: String,
    /// What it waits for, in that module's words: “a lamp to break”.
    pub awaiting: String,
    /// As authored; none: any signal counts.
    #[serde(deserialize_with = "given")]
    pub condition: Option<Value>,
    /// The types of the trigger's variables.
    pub types: BTreeMap<String, ParamType>,
    /// Signals, 1 or more.
    pub needed: u32,
    /// Seconds from the phase's entry until the wait counts as stalled.
    pub stall_seconds: u64,
    /// None: it waits for ever.
    #[serde(deserialize_with = "given")]
    pub timeout: Option<PlannedTimeOut>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlannedTimeOut {
    /// From the phase's entry.
    pub seconds: u64,
    pub then: OnFailure,
}

/// The last signal that had to do with a gate, whether or not it counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SignalSeen {
    /// Where in the log it was recorded.
    pub position: u64,
    pub at: DateTime<Utc>,
    pub counted: bool,
    /// What was there instead, in words; none where it counted.
    #[serde(deserialize_with = "given")]
    pub why_not: Option<String>,
}

/// A signal that a gate may be waiting for.
#[derive(Debug, Clone, PartialEq)]
pub struct Signal {
    pub position: u64,
    pub at: DateTime<Utc>,
    pub trigger: String,
    /// It is of a rehearsal.
    pub rehearsal: bool,
    pub vars: Map<String, Value>,
}

/// Signals for the phase that was entered by a certain event.
#[derive(Debug, Clone)]
pub struct Signals {
    /// The sequence of the phase's entry.
    pub entered: u64,
    /// Its position in the log: what lies before it does not count.
    pub entered_position: u64,
    /// In the order of their positions.
    pub signals: Vec<Signal>,
}

impl PlannedGate {
    /// Why this signal does not count, in words; nothing where it does.
    pub fn judge(&self, vars: &Map<String, Value>) -> Result<(), String> {
        let Some(stored) = &self.condition else { return Ok(()) };
        let condition = Condition::from_stored(stored).map_err(|_| "its condition cannot be read".to_owned())?;
        condition.judge(vars, &self.types)
    }

    /// What it waits for: `a lamp to break where region is “North”, 3 times`.
    pub fn words(&self) -> String {
        let condition = self.condition.as_ref().and_then(|stored| Condition::from_stored(stored).ok());
        let only = condition.map(|condition| format!(" where {}", condition.words())).unwrap_or_default();
        let times = if self.needed == 1 { String::new() } else { format!(", {} times", self.needed) };
        format!("{}{only}{times}", self.awaiting)
    }
}

impl Run {
    /// The gate that signals may open now, with its phase; none where the run waits for no signal.
    pub fn listening_gate(&self) -> Option<(&PhaseState, &PlannedGate)> {
        let index = self.phases.len().checked_sub(1).filter(|_| self.started_at.is_some() && !self.status.terminal())?;
        let state = self.phases.get(index).filter(|state| state.satisfied_at.is_none())?;
        Some((state, self.plan()?.phases.get(index)?.gate.as_ref()?))
    }

    /// Every gate of its plan that signals open, with the key of its phase.
    pub fn signal_gates(&self) -> impl Iterator<Item = (&PlannedPhase, &PlannedGate)> {
        let phases = self.plan().into_iter().flat_map(|plan| &plan.phases);
        phases.filter_map(|phase| Some((phase, phase.gate.as_ref()?)))
    }
}

/// Counts what counts, up to the number needed and no further.
pub(super) fn count(run: &Run, at: DateTime<Utc>, offered: &Signals, facts: &Facts) -> Decided {
    let Some((state, gate)) = run.listening_gate() else { return Err(RunRefusal::MovedOn) };
    if state.entered != offered.entered {
        return Err(RunRefusal::MovedOn);
    }
    let from = state.through.max(offered.entered_position);
    let fresh: Vec<&Signal> =
        offered.signals.iter().filter(|signal| signal.position > from && signal.trigger == gate.trigger).collect();
    if fresh.is_empty() {
        return Ok(Vec::new());
    }
    if run.version >= MOST_EVENTS {
        return Err(RunRefusal::TooLong { events: run.version });
    }
    let (mut matched, mut last) = (0, None);
    for signal in fresh {
        let why_not = rehearsed(run, signal).or_else(|| gate.judge(&signal.vars).err());
        matched += u64::from(why_not.is_none());
        last = Some(SignalSeen { position: signal.position, at: signal.at, counted: why_not.is_none(), why_not });
        if state.tally + matched >= u64::from(gate.needed) {
            break;
        }
    }
    let Some(last) = last else { return Ok(Vec::new()) };
    let (phase, tally) = (state.key.clone(), state.tally + matched);
    let mut events = vec![RunEvent::SignalsCounted { at, phase: phase.clone(), through: last.position, matched, tally, last }];
    if tally >= u64::from(gate.needed) {
        events.push(RunEvent::GateSatisfied { at, phase, by: SatisfiedBy::Condition, note: None });
    }
    Ok(followed(run, events, at, facts))
}

/// A rehearsal reaches rehearsals alone.
fn rehearsed(run: &Run, signal: &Signal) -> Option<String> {
    let real = run.scheduled.as_ref().is_some_and(|scheduled| !scheduled.rehearsal);
    (real && signal.rehearsal).then(|| "it is of a rehearsal, and this run is none".to_owned())
}

/// The phase that was entered by that event has waited for its signals as long as is quiet.
pub(super) fn stall(run: &Run, at: DateTime<Utc>, entered: u64) -> Decided {
    match run.listening_gate() {
        Some((state, _)) if state.entered == entered && !state.stalled => {
            Ok(vec![RunEvent::RunStalled { at, phase: state.key.clone() }])
        }
        _ => Err(RunRefusal::MovedOn),
    }
}

/// What follows where the gate of the current phase has run out of time; nothing where it has not.
pub(super) fn time_out(run: &Run, at: DateTime<Utc>) -> Vec<RunEvent> {
    let Some((state, gate)) = run.listening_gate() else { return Vec::new() };
    let (Some(timeout), Some(due)) = (gate.timeout, state.gate_due) else { return Vec::new() };
    if due > at || state.timed_out {
        return Vec::new();
    }
    let phase = state.key.clone();
    let timed_out = RunEvent::GateTimedOut { at, phase: phase.clone(), then: timeout.then };
    match timeout.then {
        OnFailure::Skip => vec![timed_out, RunEvent::GateSatisfied { at, phase, by: SatisfiedBy::TimedOut, note: None }],
        OnFailure::Pause | OnFailure::Abort => vec![timed_out],
    }
}

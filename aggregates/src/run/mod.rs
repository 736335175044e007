//! One run: a plan pinned when it was scheduled, carried out step by step, and taken back.

mod about;
mod budget;
mod command;
mod controls;
mod decide;
mod effects;
mod event;
mod fold;
mod gate;
mod health;
mod holdings;
mod lifted;
mod plan;
mod proceed;
mod reconcile;
mod refusal;
mod results;
mod settle;
mod shared;
mod span;
mod status;
#[cfg(test)]
mod tests;
mod undo;
mod wants;

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

pub use crate::note::NoteRef;
pub use budget::{meters_of, pin_budget};
pub use command::{Answer, Facts, Limits, Retry, RunCommand, Standing};
pub use effects::{Due, DueKind, Effects, SlotMove, effects};
pub use event::{
    Borrowed, Lost, MissedCause, Placing, Reported, RunEvent, SatisfiedBy, Scheduled, UndoOutcome, Undone, WithdrawnCause,
};
pub use gate::{MOST_EVENTS, PlannedGate, PlannedTimeOut, Signal, SignalSeen, Signals};
pub use plan::{OWN_MODULE, PlannedLease, PlannedPhase, PlannedStep, RunPlan};
pub use reconcile::Look;
pub use refusal::RunRefusal;
pub use results::{MOST_PARTICIPANTS, PUBLISH_ACTION, Participation, standings};
pub use settle::{KEY_MEMORY_PASSED, LONGEST_HOLD_SECONDS, LONGEST_LIFE_MS};
pub use shared::Shared;
pub use status::{CleanupStatus, Health, RunStatus, StepStatus};
pub use wants::{WAIT_ACTION, Want, WantName, wants, wants_by_default};

use crate::authorise::{Denied, Meter};
use crate::decide::Decide;
use crate::ledger::{EntryStatus, Let};
use crate::target::Target;

/// The state of a run: the fold of its stream.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Run {
    /// How many events have been folded: the sequence of the newest.
    pub version: u64,
    pub scheduled: Option<Shared<Scheduled>>,
    pub status: RunStatus,
    pub health: Health,
    pub cleanup: CleanupStatus,
    /// While it is paused: since when, and by what.
    #[serde(default)]
    pub paused: Option<PausedState>,
    /// Whether the teardown was ever left incomplete.
    #[serde(default)]
    pub was_incomplete: bool,
    /// When everything that had gone wrong had gone right again; none while something is wrong, and where nothing ever was.
    #[serde(default)]
    pub recovered_at: Option<DateTime<Utc>>,
    /// Whether the end of the run is to be followed by a teardown.
    pub cleanup_wanted: bool,
    /// The life of a game that has restarted, until it has told what of the run is left.
    #[serde(default)]
    pub restarted: Option<String>,
    pub started_at: Option<DateTime<Utc>>,
    pub ended_at: Option<DateTime<Utc>>,
    pub late_seconds: u64,
    pub blocked_by: Option<String>,
    pub missed: Option<MissedCause>,
    pub withdrawn: Option<WithdrawnCause>,
    /// The phases entered so far, in order.
    pub phases: Vec<PhaseState>,
    /// Every step of the plan, in order.
    pub steps: Vec<Shared<StepState>>,
    /// The last settled step holds what follows until then: the next step, in whatever phase, or the end.
    pub held_until: Option<DateTime<Utc>>,
    pub budget: Vec<Meter>,
    /// Everything it took, in order; each stands for one ledger entry.
    pub holdings: Vec<Holding>,
    pub undo: UndoState,
    #[serde(default)]
    pub results_published_at: Option<DateTime<Utc>>,
    /// Who took part. Not kept with a folded run: whoever needs it folds the run's stream.
    #[serde(skip)]
    pub participants: Arc<BTreeMap<Uuid, Participation>>,
    /// The result that was published last, in its order.
    #[serde(skip)]
    pub places: Arc<Vec<Placing>>,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PhaseState {
    pub key: String,
    pub entered_at: DateTime<Utc>,
    /// When the clock opens its gate, or gives it up where signals open it.
    pub gate_due: Option<DateTime<Utc>>,
    pub satisfied_at: Option<DateTime<Utc>>,
    /// What opened its gate.
    #[serde(default)]
    pub satisfied_by: Option<SatisfiedBy>,
    /// The sequence of the event by which it was entered.
    #[serde(default)]
    pub entered: u64,
    /// Signals counted.
    #[serde(default)]
    pub tally: u64,
    /// The position up to which signals were judged.
    #[serde(default)]
    pub through: u64,
    #[serde(default)]
    pub last_signal: Option<SignalSeen>,
    /// Its wait was told as stalled.
    #[serde(default)]
    pub stalled: bool,
    #[serde(default)]
    pub timed_out: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PausedState {
    pub at: DateTime<Utc>,
    /// The step at which it stopped; none where a person has stopped it, or a stop of everything.
    pub step: Option<String>,
    /// The stop of everything that has paused it.
    #[serde(default)]
    pub stop: Option<Uuid>,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct StepState {
    pub key: String,
    pub phase: usize,
    pub status: StepStatus,
    pub parked: bool,
    /// Since when it waits, or had waited, for a person.
    #[serde(default)]
    pub parked_at: Option<DateTime<Utc>>,
    pub attempts: u32,
    pub claim: Option<ClaimState>,
    /// Its cost was drawn then, once for life.
    pub first_claimed_at: Option<DateTime<Utc>>,
    /// Not before then: a retry's instant.
    pub not_before: Option<DateTime<Utc>>,
    /// When something first went wrong with it: an attempt that brought no success, or a refusal.
    #[serde(default)]
    pub trouble_since: Option<DateTime<Utc>>,
    /// Some attempt may have taken effect although no success was told.
    pub maybe_applied: bool,
    pub replayed: bool,
    pub settled_at: Option<DateTime<Utc>>,
    pub last_error: Option<StepError>,
    pub refused: Option<Denied>,
    pub words: Option<NoteRef>,
}

/// A worker's timed hold on the step; the sequence of its event is the fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimState {
    pub sequence: u64,
    pub claimed_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepError {
    pub code: String,
    pub unknown: bool,
    pub detail: Option<String>,
    pub words: Option<NoteRef>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Holding {
    pub target: Target,
    pub step: String,
    pub status: EntryStatus,
    pub baseline: Option<String>,
    pub applied: Option<String>,
    pub found: Option<String>,
    pub until: Option<DateTime<Utc>>,
    pub undo_attempts: u32,
    pub last_error: Option<String>,
    /// How it was let go. Of something orphaned: that its teardown has found nothing there, either.
    pub reason: Option<Let>,
    /// Code of how it was seen to have vanished.
    #[serde(default)]
    pub vanished: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct UndoState {
    /// Rises each time a person asks for another sweep; part of the undo's key.
    pub round: u32,
    pub claim: Option<UndoClaim>,
    /// By step.
    pub tried: BTreeMap<String, UndoTried>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UndoClaim {
    pub sequence: u64,
    pub step: String,
    pub targets: Vec<Target>,
    pub expires_at: DateTime<Utc>,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct UndoTried {
    pub attempts: u32,
    pub not_before: Option<DateTime<Utc>>,
}

impl Holding {
    fn new(target: Target, step: &str, status: EntryStatus) -> Self {
        Self {
            target,
            step: step.to_owned(),
            status,
            baseline: None,
            applied: None,
            found: None,
            until: None,
            undo_attempts: 0,
            last_error: None,
            reason: None,
            vanished: None,
        }
    }

    /// Whether somebody still has to look at it: everything but what was given back, and what vanished and whose teardown
    /// has found nothing either.
    pub fn unresolved(&self) -> bool {
        self.status.unresolved() && !(self.status == EntryStatus::Orphaned && self.reason.is_some())
    }

    /// Whether it vanished, and the teardown has still to make sure.
    pub fn awaits_look(&self) -> bool {
        self.status == EntryStatus::Orphaned && self.reason.is_none()
    }

    /// Whether a teardown has anything to ask about it.
    pub fn to_undo(&self) -> bool {
        self.status.holds() || self.awaits_look()
    }
}

impl Run {
    /// What was fixed when it was scheduled; the default of an empty stream has none.
    pub fn plan(&self) -> Option<&RunPlan> {
        self.scheduled.as_ref().map(|scheduled| &scheduled.plan)
    }

    /// Whether it was taken off the calendar before it began, so that its slot may be opened again.
    pub fn may_be_reopened(&self) -> bool {
        self.withdrawn.is_some() && self.started_at.is_none()
    }

    /// Whether somebody cancelled it after it had begun: its slot may get a run of the next generation.
    pub fn was_cancelled_under_way(&self) -> bool {
        self.status == RunStatus::Cancelled && self.started_at.is_some()
    }

    /// How each step of the plan stands, in its order.
    pub fn states(&self) -> impl DoubleEndedIterator<Item = &StepState> {
        self.steps.iter().map(|state| &**state)
    }

    pub fn step(&self, key: &str) -> Option<&StepState> {
        self.states().find(|step| step.key == key)
    }

    pub fn planned(&self, key: &str) -> Option<&PlannedStep> {
        self.plan().and_then(|plan| plan.step(key))
    }

    /// The phase it is in, while it has not ended.
    pub fn current_phase(&self) -> Option<&PhaseState> {
        self.phases.last().filter(|_| !self.status.terminal())
    }

    /// Whether this phase of the plan waits for more than its steps.
    pub fn has_gate(&self, phase: &str) -> bool {
        let planned = self.plan().and_then(|plan| plan.phases.iter().find(|planned| planned.key == phase));
        planned.is_some_and(PlannedPhase::has_gate)
    }

    /// The step that its phase is at, while one of them is open.
    pub fn open_step(&self) -> Option<&StepState> {
        let phase = self.phases.len().checked_sub(1)?;
        self.states().find(|step| step.phase == phase && !step.status.terminal())
    }

    /// The last step of its phase that somebody has begun with, or has decided about.
    pub fn furthest_step(&self) -> Option<&StepState> {
        let phase = self.phases.len().checked_sub(1)?;
        self.states().rfind(|step| step.phase == phase && step.status != StepStatus::Pending)
    }

    /// Everything that somebody may still have to look at.
    pub fn unresolved(&self) -> impl Iterator<Item = &Holding> {
        self.holdings.iter().filter(|holding| holding.unresolved())
    }

    /// Whether this step of it holds that target now.
    pub fn holds(&self, step: &str, target: &Target) -> bool {
        self.holdings.iter().any(|held| held.step == step && held.target == *target && held.status.holds())
    }

    /// The instant for which the run waits that can do nothing more before it: a retry, a hold or its gate. None while it
    /// waits for an answer or a person, and before and after its life.
    pub fn waits_until(&self) -> Option<DateTime<Utc>> {
        proceed::waits_until(self)
    }

    /// When the attempt that is under way should have answered: what its plan allows one, from its claim on.
    pub fn expected_by(&self, step: &StepState) -> Option<DateTime<Utc>> {
        let claim = step.claim.filter(|_| !step.parked)?;
        Some(claim.claimed_at + proceed::longest_attempt(self.planned(&step.key)?))
    }

    /// A step that some owner is dispatching now.
    pub fn live_claims(&self) -> impl Iterator<Item = (&StepState, ClaimState)> {
        self.states().filter(|step| !step.parked).filter_map(|step| step.claim.map(|claim| (step, claim)))
    }
}

impl Decide for Run {
    const TYPE: &'static str = "run";
    type Command = RunCommand;
    type Event = RunEvent;
    type Refusal = RunRefusal;

    fn decide(&self, command: RunCommand) -> Result<Vec<RunEvent>, RunRefusal> {
        decide::decide(self, command).map(|events| health::told(self, events))
    }

    fn apply(&mut self, event: RunEvent) {
        self.version += 1;
        fold::apply(self, event);
        self.was_incomplete |= self.cleanup == CleanupStatus::Incomplete;
    }
}

crate::cqrs_aggregate!(Run);

//! What has happened to a run: facts in the past tense, each with the instant it is about.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::gate::SignalSeen;
use super::lifted::lifted;
use super::plan::RunPlan;
use crate::authorise::{Denied, Meter};
use crate::deployment::{Barred, Frozen};
use crate::event::given;
use crate::ledger::Let;
use crate::note::NoteRef;
use crate::plan::OnFailure;
use crate::target::Target;
use crate::zones::DstAdjusted;

/// Everything that is fixed when a run comes into being.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scheduled {
    pub run_id: String,
    pub definition_id: String,
    pub definition_version: u64,
    pub title: String,
    pub scope: String,
    /// The authored wall clock that it stands for; `None` for a hand start.
    #[serde(deserialize_with = "given")]
    pub slot: Option<String>,
    pub generation: u32,
    pub scheduled_for: DateTime<Utc>,
    /// The instant that the schedule gives its slot, where people have moved it to another.
    #[serde(deserialize_with = "given")]
    pub moved_from: Option<DateTime<Utc>>,
    pub timezone: String,
    #[serde(deserialize_with = "given")]
    pub dst_adjusted: Option<DstAdjusted>,
    pub grace_seconds: u64,
    /// Rendered from the run's own parameters; `None` excludes nothing.
    #[serde(deserialize_with = "given")]
    pub concurrency_key: Option<String>,
    pub rehearsal: bool,
    /// How many firings led to this run, one from another: 0 for what a schedule or a person started.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub hops: u32,
    pub params: Map<String, Value>,
    pub plan: RunPlan,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference to the field")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// Why a run that was scheduled never began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "cause", rename_all = "snake_case", deny_unknown_fields)]
pub enum MissedCause {
    /// No engine was there within the grace.
    GracePassed {},
    /// Another run held the concurrency key for all of it.
    SlotHeld { by: String },
    /// It fell due, or could have begun, in a window in which nothing starts.
    Frozen { freeze: Uuid, from: DateTime<Utc>, to: DateTime<Utc> },
    /// It fell due, or could have begun, while everything was stopped.
    Stopped { stop: Uuid },
}

impl From<Barred> for MissedCause {
    fn from(barred: Barred) -> Self {
        match barred {
            Barred::Stopped { stop } => Self::Stopped { stop },
            Barred::Frozen(Frozen { freeze, from, to }) => Self::Frozen { freeze, from, to },
        }
    }
}

/// Why a run was taken off the calendar before it began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum WithdrawnCause {
    Archived,
    Rescheduled,
    /// It fell due, and no dry run of its version had passed.
    NeverVerified,
    /// A person has decided that this one does not happen.
    Skipped,
}

/// What a step's effect was on the values and things of the world.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Borrowed {
    pub baseline: String,
    pub applied: String,
    pub until: DateTime<Utc>,
}

/// What opened a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum SatisfiedBy {
    /// Its time had come.
    Elapsed,
    /// So many signals as it waited for had come.
    Condition,
    /// Its author had said that it is gone past after a while.
    TimedOut,
    /// Somebody said so.
    Human,
}

/// How one target's undo ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "outcome", rename_all = "snake_case", deny_unknown_fields)]
pub enum UndoOutcome {
    Reverted { reason: Let },
    Drifted { found: String },
    Failed { code: String },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Undone {
    pub target: Target,
    pub result: UndoOutcome,
}

/// Somebody who took part, as a module has told. Who it is, in the game's words, is a row beside the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reported {
    pub member: Uuid,
    /// A decimal as text, in its shortest spelling.
    pub score: String,
    /// By the game's clock, where it knows.
    #[serde(deserialize_with = "given")]
    pub joined_at: Option<DateTime<Utc>>,
    /// Numbers that the score is made of, by name.
    pub meta: Map<String, Value>,
}

/// One place of a result: the first is the winner's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Placing {
    pub member: Uuid,
    pub score: String,
}

/// A target that vanished while nobody was looking, and the code of how that was seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lost {
    pub target: Target,
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum RunEvent {
    RunScheduled {
        at: DateTime<Utc>,
        run: Box<Scheduled>,
    },
    RunRepinned {
        at: DateTime<Utc>,
        run: Box<Scheduled>,
    },
    RunWithdrawn {
        at: DateTime<Utc>,
        cause: WithdrawnCause,
    },
    RunBlocked {
        at: DateTime<Utc>,
        by: String,
    },
    RunMissed {
        at: DateTime<Utc>,
        cause: MissedCause,
    },
    RunStarted {
        at: DateTime<Utc>,
        late_seconds: u64,
        budget: Vec<Meter>,
    },
    PhaseEntered {
        at: DateTime<Utc>,
        phase: String,
        #[serde(deserialize_with = "given")]
        gate_due: Option<DateTime<Utc>>,
    },
    GateSatisfied {
        at: DateTime<Utc>,
        phase: String,
        by: SatisfiedBy,
        /// Why a person opened it.
        #[serde(deserialize_with = "given")]
        note: Option<NoteRef>,
    },
    /// Signals came that have to do with the phase's gate, up to this position; some of them may have counted.
    SignalsCounted {
        at: DateTime<Utc>,
        phase: String,
        through: u64,
        matched: u64,
        /// With those before.
        tally: u64,
        last: SignalSeen,
    },
    /// The gate has waited as long as its author allowed. With `pause` it stays shut, with `abort` the run has failed.
    GateTimedOut {
        at: DateTime<Utc>,
        phase: String,
        then: OnFailure,
    },
    /// The gate has waited so long that somebody should look.
    RunStalled {
        at: DateTime<Utc>,
        phase: String,
    },
    StepClaimed {
        at: DateTime<Utc>,
        step: String,
        attempt: u32,
        expires_at: DateTime<Utc>,
        key: String,
        /// Drawn on the caps by this claim; once for life.
        draws: BTreeMap<String, u64>,
        #[serde(deserialize_with = "given")]
        target: Option<Target>,
    },
    StepDone {
        at: DateTime<Utc>,
        step: String,
        claim: u64,
        resources: Vec<Target>,
        /// When the game takes them away by itself.
        #[serde(deserialize_with = "given")]
        until: Option<DateTime<Utc>>,
        #[serde(deserialize_with = "given")]
        borrowed: Option<Borrowed>,
        replayed: bool,
        /// What follows waits until then.
        #[serde(deserialize_with = "given")]
        held_until: Option<DateTime<Utc>>,
        #[serde(deserialize_with = "given")]
        words: Option<NoteRef>,
    },
    /// Finished, and waiting for a person to say so.
    StepParked {
        at: DateTime<Utc>,
        step: String,
        claim: u64,
        resources: Vec<Target>,
        /// When the game takes them away by itself.
        #[serde(deserialize_with = "given")]
        until: Option<DateTime<Utc>>,
        #[serde(deserialize_with = "given")]
        borrowed: Option<Borrowed>,
        replayed: bool,
        #[serde(deserialize_with = "given")]
        words: Option<NoteRef>,
    },
    StepConfirmed {
        at: DateTime<Utc>,
        step: String,
        #[serde(deserialize_with = "given")]
        note: Option<NoteRef>,
    },
    /// A person has decided that nobody carries it out.
    StepSkipped {
        at: DateTime<Utc>,
        step: String,
        #[serde(deserialize_with = "given")]
        note: Option<NoteRef>,
    },
    /// A person has it dispatched once more; its attempts are counted anew.
    StepRetried {
        at: DateTime<Utc>,
        step: String,
        #[serde(deserialize_with = "given")]
        note: Option<NoteRef>,
    },
    /// An admin's retry has read the cap on one dimension again.
    CapReread {
        at: DateTime<Utc>,
        dimension: String,
        #[serde(deserialize_with = "given")]
        cap: Option<u64>,
        #[serde(deserialize_with = "given")]
        cap_from: Option<String>,
    },
    /// An attempt brought no success, and another one follows.
    AttemptFailed {
        at: DateTime<Utc>,
        step: String,
        claim: u64,
        code: String,
        /// It may have happened all the same.
        unknown: bool,
        next_try_at: DateTime<Utc>,
        #[serde(deserialize_with = "given")]
        detail: Option<String>,
        #[serde(deserialize_with = "given")]
        words: Option<NoteRef>,
    },
    StepFailed {
        at: DateTime<Utc>,
        step: String,
        #[serde(deserialize_with = "given")]
        claim: Option<u64>,
        code: String,
        unknown: bool,
        disposition: OnFailure,
        /// The engine's own sentence; a game's words are a note.
        #[serde(deserialize_with = "given")]
        detail: Option<String>,
        #[serde(deserialize_with = "given")]
        words: Option<NoteRef>,
    },
    StepRefused {
        at: DateTime<Utc>,
        step: String,
        why: Denied,
        disposition: OnFailure,
    },
    /// The run had ended while the step was being dispatched, and no answer will come.
    StepAbandoned {
        at: DateTime<Utc>,
        step: String,
        claim: u64,
    },
    /// Something went wrong where nothing was wrong before: an attempt, a step that failed, a step that was refused, a game
    /// that restarted, something that vanished.
    RunDegraded {
        at: DateTime<Utc>,
        /// None where the game itself is what went wrong.
        #[serde(deserialize_with = "given")]
        step: Option<String>,
        /// Of the error or of the refusal.
        code: String,
    },
    /// Nothing of what had gone wrong is wrong any more. Health stays what it was at its worst.
    RunRecovered {
        at: DateTime<Utc>,
        /// The step that went right after all.
        #[serde(deserialize_with = "given")]
        step: Option<String>,
        /// The phase whose gate opened after all. With neither, the teardown is what was completed after all.
        #[serde(deserialize_with = "given")]
        phase: Option<String>,
    },
    RunPaused {
        at: DateTime<Utc>,
        /// The step at which it stopped; none where somebody has paused it, or everything was stopped.
        #[serde(deserialize_with = "given")]
        step: Option<String>,
        /// The stop of everything that has paused it.
        #[serde(deserialize_with = "given")]
        stop: Option<Uuid>,
        #[serde(deserialize_with = "given")]
        note: Option<NoteRef>,
    },
    RunResumed {
        at: DateTime<Utc>,
        #[serde(deserialize_with = "given")]
        note: Option<NoteRef>,
    },
    RunCompleted {
        at: DateTime<Utc>,
    },
    RunCancelled {
        at: DateTime<Utc>,
        cleanup: bool,
        /// The stop of everything that has ended it.
        #[serde(deserialize_with = "given")]
        stop: Option<Uuid>,
        #[serde(deserialize_with = "given")]
        note: Option<NoteRef>,
    },
    RunFailed {
        at: DateTime<Utc>,
        step: String,
    },
    UndoBegun {
        at: DateTime<Utc>,
        step: String,
        round: u32,
        attempt: u32,
        key: String,
        expires_at: DateTime<Utc>,
        targets: Vec<Target>,
    },
    UndoSettled {
        at: DateTime<Utc>,
        step: String,
        claim: u64,
        undone: Vec<Undone>,
        #[serde(deserialize_with = "given")]
        next_try_at: Option<DateTime<Utc>>,
        #[serde(deserialize_with = "given")]
        words: Option<NoteRef>,
    },
    /// A step's answer told who took part: new, or with another score than before.
    ParticipantsReported {
        at: DateTime<Utc>,
        step: String,
        participants: Vec<Reported>,
    },
    /// What was told so far is the run's result: every place in order, each once.
    ResultsPublished {
        at: DateTime<Utc>,
        /// The step that published it; none where a person did.
        #[serde(deserialize_with = "given")]
        step: Option<String>,
        places: Vec<Placing>,
    },
    /// A game in which the run has something to do has started anew. What it has forgotten, a look will tell.
    GameRestarted {
        at: DateTime<Utc>,
        module: String,
        /// The game's own name for the life that it is in now.
        boot: String,
    },
    /// A game was asked what of the run is there, and has answered.
    HoldingsReconciled {
        at: DateTime<Utc>,
        module: String,
        /// Held until now, and not there any more.
        lost: Vec<Lost>,
        /// Let go before, and there again: an older save brings back what was taken away after it.
        returned: Vec<Target>,
        /// The round of undos from here on: what returned is undone under new keys.
        round: u32,
        /// How many it could not tell of. They stay as they are.
        unknown: u64,
    },
    /// A person asked for another round of the teardown: its attempts begin anew, under new keys.
    CleanupRequested {
        at: DateTime<Utc>,
        round: u32,
    },
    CleanupCompleted {
        at: DateTime<Utc>,
    },
    CleanupStopped {
        at: DateTime<Utc>,
        unresolved: u64,
    },
}

crate::stored_events!(RunEvent {
    RunScheduled => "run_scheduled": 4,
    RunRepinned => "run_repinned": 4,
    RunWithdrawn => "run_withdrawn": 1,
    RunBlocked => "run_blocked": 1,
    RunMissed => "run_missed": 1,
    RunStarted => "run_started": 1,
    PhaseEntered => "phase_entered": 1,
    GateSatisfied => "gate_satisfied": 2,
    SignalsCounted => "signals_counted": 1,
    GateTimedOut => "gate_timed_out": 1,
    RunStalled => "run_stalled": 1,
    StepClaimed => "step_claimed": 1,
    StepDone => "step_done": 2,
    StepParked => "step_parked": 3,
    StepConfirmed => "step_confirmed": 1,
    StepSkipped => "step_skipped": 1,
    StepRetried => "step_retried": 1,
    CapReread => "cap_reread": 1,
    AttemptFailed => "attempt_failed": 1,
    StepFailed => "step_failed": 1,
    StepRefused => "step_refused": 1,
    StepAbandoned => "step_abandoned": 1,
    RunDegraded => "run_degraded": 2,
    RunRecovered => "run_recovered": 1,
    RunPaused => "run_paused": 2,
    RunResumed => "run_resumed": 1,
    RunCompleted => "run_completed": 1,
    RunCancelled => "run_cancelled": 2,
    RunFailed => "run_failed": 1,
    UndoBegun => "undo_begun": 1,
    UndoSettled => "undo_settled": 1,
    ParticipantsReported => "participants_reported": 1,
    ResultsPublished => "results_published": 1,
    GameRestarted => "game_restarted": 1,
    HoldingsReconciled => "holdings_reconciled": 1,
    CleanupRequested => "cleanup_requested": 1,
    CleanupCompleted => "cleanup_completed": 1,
    CleanupStopped => "cleanup_stopped": 1,
} upcast lifted);

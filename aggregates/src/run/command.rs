//! What may be asked of a run. Everything the decision needs from outside comes along: the instant, the registry's and
//! the switchboard's facts, who holds which target.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use leasehold_module::{Lease, Then};
use uuid::Uuid;

use super::event::{Reported, Scheduled, Undone, WithdrawnCause};
use super::gate::Signals;
use super::reconcile::Look;
use crate::allowance::DayMeter;
use crate::authorise::{ActionFacts, Asker, Meter};
use crate::deployment::Barred;
use crate::note::NoteRef;
use crate::target::Target;

/// The numbers that govern steps and undos; settings of the deployment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Attempts at one step, and at one step's undo in one round.
    pub attempts: u32,
    pub undo_attempts: u32,
    /// Seconds between two attempts.
    pub retry_seconds: u64,
    /// Seconds beyond an action's budget before its claim expires.
    pub claim_margin_seconds: u64,
    /// Seconds for which the game remembers a key; past them nothing is sent again.
    pub key_memory_seconds: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { attempts: 3, undo_attempts: 3, retry_seconds: 60, claim_margin_seconds: 60, key_memory_seconds: 3_600 }
    }
}

/// What was read for this decision.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// By action id; an action that nobody registers now is missing.
    pub actions: BTreeMap<String, ActionFacts>,
    /// By id, of those that the plan borrows; one that no module declares now is missing.
    pub leases: BTreeMap<String, Lease>,
    /// Ids of the triggers that installed modules declare.
    pub triggers: BTreeSet<String>,
    /// Targets that other runs hold, with the run's id.
    pub held: BTreeMap<Target, String>,
    pub limits: Limits,
    /// The stop under which no run goes on with another step.
    pub stopped: Option<Uuid>,
    /// What the day of the decision may still bring, by dimension; what is not named is not bounded by the day.
    pub day: BTreeMap<String, DayMeter>,
}

/// Where the definition of a run stands when the run is to begin by its schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Standing {
    /// The run's version is the current one, and a dry run of it has passed; or a person started the run.
    #[default]
    Current,
    /// Another version is current.
    Superseded,
    /// The run's version is the current one, and nobody has verified it.
    Unverified,
    Archived,
    /// Nothing starts now.
    Barred(Barred),
}

/// How an attempt ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    Done {
        resources: Vec<Target>,
        /// After so many milliseconds the game takes the resources away by itself.
        lasts_ms: Option<u64>,
        /// Baseline and applied value, as apply's own answer told them.
        borrowed: Option<(String, String)>,
        then: Then,
        replayed: bool,
        /// Who took part, as far as the answer tells.
        participants: Vec<Reported>,
    },
    Failed {
        code: String,
        retry: bool,
        unknown: bool,
    },
}

/// A person has a step dispatched once more that failed or was refused.
#[derive(Debug, Clone)]
pub struct Retry {
    pub at: DateTime<Utc>,
    pub step: String,
    pub note: Option<NoteRef>,
    pub facts: Facts,
    /// What the switches would give the run now. Only an admin has the caps read again.
    pub caps: Option<Vec<Meter>>,
}

#[derive(Debug, Clone)]
pub enum RunCommand {
    Schedule {
        at: DateTime<Utc>,
        run: Box<Scheduled>,
    },
    Repin {
        at: DateTime<Utc>,
        run: Box<Scheduled>,
    },
    /// A person brings back what was cancelled before it began.
    Reopen {
        at: DateTime<Utc>,
        run: Box<Scheduled>,
    },
    Withdraw {
        at: DateTime<Utc>,
        cause: WithdrawnCause,
    },
    /// The instant has come (or a slot was released). `slot_holder`: the run that holds the concurrency key.
    Start {
        at: DateTime<Utc>,
        standing: Standing,
        slot_holder: Option<String>,
        budget: Vec<Meter>,
        facts: Facts,
    },
    /// The grace is over.
    Miss {
        at: DateTime<Utc>,
        slot_holder: Option<String>,
        barred: Option<Barred>,
    },
    /// A gate, a hold or a retry has come due.
    Advance {
        at: DateTime<Utc>,
        facts: Facts,
    },
    /// Signals were recorded that a gate may be waiting for.
    Count {
        at: DateTime<Utc>,
        signals: Signals,
        facts: Facts,
    },
    /// The phase that was entered by the event of this sequence has waited long for its signals.
    Stall {
        at: DateTime<Utc>,
        entered: u64,
    },
    Settle {
        at: DateTime<Utc>,
        step: String,
        claim: u64,
        answer: Answer,
        words: Option<NoteRef>,
        facts: Facts,
    },
    ExpireClaim {
        at: DateTime<Utc>,
        step: String,
        claim: u64,
        facts: Facts,
    },
    Confirm {
        at: DateTime<Utc>,
        step: String,
        note: Option<NoteRef>,
        facts: Facts,
    },
    Pause {
        at: DateTime<Utc>,
        /// The stop of everything that asks for it; none where a person does.
        stop: Option<Uuid>,
        note: Option<NoteRef>,
    },
    Resume {
        at: DateTime<Utc>,
        note: Option<NoteRef>,
        facts: Facts,
    },
    /// A person opens the gate that the phase waits at.
    OpenGate {
        at: DateTime<Utc>,
        note: Option<NoteRef>,
    },
    Skip {
        at: DateTime<Utc>,
        step: String,
        note: Option<NoteRef>,
        facts: Facts,
    },
    Retry(Retry),
    Cancel {
        at: DateTime<Utc>,
        by: Asker,
        cleanup: bool,
        /// As with a pause.
        stop: Option<Uuid>,
        note: Option<NoteRef>,
    },
    /// A person asks for another round of the teardown.
    Cleanup {
        at: DateTime<Utc>,
    },
    /// A person publishes the result as it was told so far.
    PublishResults {
        at: DateTime<Utc>,
    },
    /// The game of this module has started anew.
    NoteRestart {
        at: DateTime<Utc>,
        module: String,
        boot: String,
    },
    /// The game of this module was asked what of the run is there.
    Reconcile {
        at: DateTime<Utc>,
        module: String,
        looks: Vec<Look>,
        facts: Facts,
    },
    Sweep {
        at: DateTime<Utc>,
        limits: Limits,
    },
    SettleUndo {
        at: DateTime<Utc>,
        claim: u64,
        undone: Vec<Undone>,
        words: Option<NoteRef>,
        limits: Limits,
    },
    ExpireUndo {
        at: DateTime<Utc>,
        claim: u64,
        limits: Limits,
    },
}

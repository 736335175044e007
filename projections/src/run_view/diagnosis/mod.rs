//! Why a run stands where it stands: everything that keeps it there, or why it never happened, in words and for programs.
//! Told from the run alone and from what lies around it, as of the instant that the log had reached.

mod before;
mod over;
mod text;
mod under_way;

use chrono::{DateTime, Utc};
use leasehold_aggregates::run::{Run, RunStatus};
use schemars::JsonSchema;
use serde::Serialize;

use super::Surroundings;
use super::gates::{GateView, LastSignal};

/// Why a run stands where it stands, as an answer spells it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Diagnosis {
    /// In one sentence.
    pub headline: String,
    /// Everything that keeps it where it is, what it waits for first; of a run that did not happen, why. Empty where nothing
    /// is left to be done.
    pub causes: Vec<Cause>,
    /// When it goes on by itself as things stand; absent where only a person, a signal or an answer moves it.
    pub next_at: Option<DateTime<Utc>>,
    /// What it has spent of what it may, a text for each dimension.
    pub caps: Vec<String>,
}

/// One thing that keeps a run where it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Cause {
    pub code: CauseCode,
    pub sentence: String,
    pub since: Option<DateTime<Utc>>,
    /// When it ends by itself.
    pub until: Option<DateTime<Utc>>,
    pub phase: Option<String>,
    pub step: Option<String>,
    /// Another run that is in the way.
    pub run: Option<String>,
    /// Signals counted so far; absent where it waits for none.
    pub tally: Option<u64>,
    pub needed: Option<u64>,
    /// The last signal that had to do with it, whether or not it counted.
    pub last_signal: Option<LastSignal>,
    /// What a person can do about it.
    pub remedy: Option<String>,
}

/// What a cause is: a closed set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CauseCode {
    /// Its instant has not come.
    NotDue,
    /// Its instant has come, and no engine has taken it up yet.
    Due,
    /// Another run has its concurrency key.
    SlotHeld,
    /// Its instant lies in a window in which nothing starts.
    Frozen,
    /// Everything is stopped.
    Stopped,
    /// No dry run of its version has passed.
    NeverVerified,
    /// Another version is current.
    Superseded,
    /// Its definition is archived.
    Archived,
    /// No engine was there before its grace was over.
    GracePassed,
    /// A newer version, or newer zone data, does not have its slot.
    Rescheduled,
    /// A person has decided that this occurrence does not happen.
    Skipped,
    /// A person has ended it.
    Cancelled,
    /// A person has paused it.
    Paused,
    /// A step failed or was refused, and the run waits for a person to decide.
    StoppedAtStep,
    /// A step is being carried out.
    StepUnderWay,
    /// A step waits for a person to say that it is done.
    WaitsForPerson,
    /// A step is tried again.
    Retry,
    /// A step that is done holds what follows.
    Hold,
    /// The phase waits at its gate.
    Gate,
    /// What comes next would not be permitted, or could not be sent, as things stand.
    NextRefused,
    /// The run went on without a step that failed or was refused.
    PassedOver,
    /// Ended by a step that failed or was refused.
    FailedAtStep,
    /// What it held is being given back.
    CleanupUnderWay,
    /// Something that it held was not given back.
    CleanupIncomplete,
}

impl Cause {
    fn new(code: CauseCode, sentence: impl Into<String>) -> Self {
        Self {
            code,
            sentence: sentence.into(),
            since: None,
            until: None,
            phase: None,
            step: None,
            run: None,
            tally: None,
            needed: None,
            last_signal: None,
            remedy: None,
        }
    }

    fn since(self, since: Option<DateTime<Utc>>) -> Self {
        Self { since, ..self }
    }

    fn until(self, until: Option<DateTime<Utc>>) -> Self {
        Self { until, ..self }
    }

    fn at_step(self, step: &str) -> Self {
        Self { step: Some(step.to_owned()), ..self }
    }

    fn by_run(self, run: &str) -> Self {
        Self { run: Some(run.to_owned()), ..self }
    }

    fn remedy(self, remedy: &str) -> Self {
        Self { remedy: Some(remedy.to_owned()), ..self }
    }
}

/// Of this run, whose gates are told already.
pub(super) fn diagnosis(run: &Run, gates: &[GateView], around: Surroundings<'_>) -> Diagnosis {
    let (headline, causes) = match run.status {
        RunStatus::Scheduled => before::waiting(run, around),
        RunStatus::Running | RunStatus::Paused => under_way::causes(run, gates, around),
        RunStatus::Missed => before::missed(run),
        RunStatus::Cancelled if run.started_at.is_none() => before::withdrawn(run),
        RunStatus::Completed | RunStatus::Cancelled | RunStatus::Failed => over::causes(run, around),
    };
    let next_at = causes.iter().filter_map(|cause| cause.until).min();
    Diagnosis { headline, causes, next_at, caps: run.budget.iter().map(text::spent).collect() }
}

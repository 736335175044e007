//! One line of a story.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a line is about: a closed set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum StoryKind {
    /// The run came into another status.
    #[serde(rename = "run.status")]
    RunStatus,
    /// Something went wrong, or everything that had gone wrong has gone right after all.
    #[serde(rename = "run.health")]
    RunHealth,
    /// What the run may spend, at its start; then each draw.
    #[serde(rename = "run.budget")]
    RunBudget,
    #[serde(rename = "phase.entered")]
    PhaseEntered,
    /// A phase that was entered has a gate.
    #[serde(rename = "phase.gate")]
    PhaseGate,
    /// Signals came that have to do with a gate, and counted or not.
    #[serde(rename = "condition.evaluated")]
    ConditionEvaluated,
    /// A gate opened.
    #[serde(rename = "phase.advanced")]
    PhaseAdvanced,
    #[serde(rename = "step.status")]
    StepStatus,
    /// The deployment does not permit the step: nothing broke.
    #[serde(rename = "step.refused")]
    StepRefused,
    /// An answer told of something that the run holds from now on.
    #[serde(rename = "resource.recorded")]
    ResourceRecorded,
    /// Somebody else had moved it; it was left alone.
    #[serde(rename = "resource.drifted")]
    ResourceDrifted,
    /// An answer told who took part.
    #[serde(rename = "participants.recorded")]
    ParticipantsRecorded,
    #[serde(rename = "results.published")]
    ResultsPublished,
    /// It vanished while nobody was looking, as its game has told.
    #[serde(rename = "resource.orphaned")]
    ResourceOrphaned,
    /// It had been let go, and is there again.
    #[serde(rename = "resource.returned")]
    ResourceReturned,
    /// A game has started anew, or has told what is left.
    #[serde(rename = "game.reconciled")]
    GameReconciled,
    /// An undo was sent.
    #[serde(rename = "cleanup.begun")]
    CleanupBegun,
    #[serde(rename = "cleanup.reverted")]
    CleanupReverted,
    #[serde(rename = "cleanup.failed")]
    CleanupFailed,
    /// A person asked for another round.
    #[serde(rename = "cleanup.retry")]
    CleanupRetry,
    /// The teardown came to an end.
    #[serde(rename = "cleanup.swept")]
    CleanupSwept,
}

impl StoryKind {
    /// The kind as it is spelled everywhere.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::RunStatus => "run.status",
            Self::RunHealth => "run.health",
            Self::RunBudget => "run.budget",
            Self::PhaseEntered => "phase.entered",
            Self::PhaseGate => "phase.gate",
            Self::ConditionEvaluated => "condition.evaluated",
            Self::PhaseAdvanced => "phase.advanced",
            Self::StepStatus => "step.status",
            Self::StepRefused => "step.refused",
            Self::ResourceRecorded => "resource.recorded",
            Self::ResourceDrifted => "resource.drifted",
            Self::ParticipantsRecorded => "participants.recorded",
            Self::ResultsPublished => "results.published",
            Self::ResourceOrphaned => "resource.orphaned",
            Self::ResourceReturned => "resource.returned",
            Self::GameReconciled => "game.reconciled",
            Self::CleanupBegun => "cleanup.begun",
            Self::CleanupReverted => "cleanup.reverted",
            Self::CleanupFailed => "cleanup.failed",
            Self::CleanupRetry => "cleanup.retry",
            Self::CleanupSwept => "cleanup.swept",
        }
    }
}

/// One line: who, what, when. An event may make several.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StoryLine {
    /// Of the event, in the log.
    pub position: u64,
    /// The command's instant, by the engine's clock.
    pub at: DateTime<Utc>,
    /// An account's id, `runner`, `module:ID` and the like.
    pub actor: String,
    pub kind: StoryKind,
    /// Key of the phase that it is about.
    pub phase: Option<String>,
    /// Key of the step that it is about.
    pub step: Option<String>,
    /// For people.
    pub text: String,
    /// For programs: an object whose fields depend on the kind alone.
    pub detail: Value,
}

//! A run's statuses, spelled as clients read them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where a run is in its life.
///
/// | status | who moves it on |
/// | --- | --- |
/// | `scheduled` | the start (to `running`), the end of grace (`missed`), a person (`cancelled`), a new version (withdrawn: `cancelled`) |
/// | `running` | the runner (`completed`, `paused`, `failed`), a person (`paused`, `cancelled`) |
/// | `paused` | a person (`running`, `cancelled`); a step under way that ends with `abort` (`failed`) |
/// | `completed` `cancelled` `failed` `missed` | nobody |
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Default,
    Serialize,
    Deserialize,
    JsonSchema,
    strum::Display,
    strum::IntoStaticStr,
    strum::EnumString,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum RunStatus {
    #[default]
    Scheduled,
    Running,
    Paused,
    Completed,
    Cancelled,
    Failed,
    Missed,
}

impl RunStatus {
    pub fn terminal(self) -> bool {
        matches!(self, Self::Completed | Self::Cancelled | Self::Failed | Self::Missed)
    }
}

/// How well it went so far. A high-water mark: nothing clears it.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Default,
    Serialize,
    Deserialize,
    JsonSchema,
    strum::Display,
    strum::IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Health {
    #[default]
    Ok,
    Degraded,
    Stalled,
}

/// Whether the world is as it was before.
///
/// | status | who moves it on |
/// | --- | --- |
/// | `not_required` | the first target that the run takes (to `pending`) |
/// | `pending` | the teardown, once the run has ended |
/// | `complete` | nobody, but for a late answer that brings a resource along |
/// | `incomplete` | a person |
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema, strum::Display, strum::IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum CleanupStatus {
    #[default]
    NotRequired,
    Pending,
    Complete,
    Incomplete,
}

/// | status | who moves it on |
/// | --- | --- |
/// | `pending` | the runner, by claiming or refusing it; the run's end |
/// | `running` | the claim's owner, by its answer; the claim's expiry; a person, where it is parked |
/// | the others | nobody (a person may retry some of them) |
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema, strum::Display, strum::IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum StepStatus {
    #[default]
    Pending,
    Running,
    Done,
    Failed,
    Skipped,
    Refused,
    Cancelled,
}

impl StepStatus {
    pub fn terminal(self) -> bool {
        !matches!(self, Self::Pending | Self::Running)
    }
}

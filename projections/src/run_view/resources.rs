//! What a run holds and held.

use chrono::{DateTime, Utc};
use leasehold_aggregates::ledger::EntryStatus;
use leasehold_aggregates::run::{Holding, Run};
use schemars::JsonSchema;
use serde::Serialize;

/// One target, as an answer spells it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResourceView {
    pub module: String,
    pub scope: String,
    pub kind: String,
    #[serde(rename = "ref")]
    pub reference: String,
    /// The step that took it.
    pub step: String,
    pub status: EntryStatus,
    pub baseline: Option<String>,
    pub applied: Option<String>,
    pub found: Option<String>,
    pub lease_until: Option<DateTime<Utc>>,
    pub revert_attempts: u32,
    /// Code of the last undo that failed.
    pub last_error: Option<String>,
    /// How it was let go: by an undo, by the game itself, or because it vanished. Null while it is held.
    pub reason: Option<String>,
}

impl ResourceView {
    fn of(held: &Holding) -> Self {
        Self {
            module: held.target.module.clone(),
            scope: held.target.scope.clone(),
            kind: held.target.kind.clone(),
            reference: held.target.reference.clone(),
            step: held.step.clone(),
            status: held.status,
            baseline: held.baseline.clone(),
            applied: held.applied.clone(),
            found: held.found.clone(),
            lease_until: held.until,
            revert_attempts: held.undo_attempts,
            last_error: held.last_error.clone(),
            reason: held.vanished.clone().or_else(|| held.reason.map(|reason| reason.to_string())),
        }
    }
}

pub(crate) fn resources(run: &Run) -> Vec<ResourceView> {
    run.holdings.iter().filter(|held| !held.target.is_placeholder()).map(ResourceView::of).collect()
}

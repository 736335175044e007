//! What a run may spend and has spent.

use std::collections::BTreeMap;

use leasehold_aggregates::run::Run;
use schemars::JsonSchema;
use serde::Serialize;

/// What a dimension is called, by the manifest that declares it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DimensionWords {
    pub label: String,
    pub unit: String,
}

/// One dimension, as an answer spells it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BudgetView {
    pub dimension: String,
    /// The dimension's id where no module declares it any more.
    pub label: String,
    pub unit: Option<String>,
    pub consumed: u64,
    /// Absent: nothing bounds it, and it is counted all the same.
    pub cap: Option<u64>,
    /// The action whose switch set the cap.
    pub cap_from: Option<String>,
}

pub(super) fn budget(run: &Run, words: &BTreeMap<String, DimensionWords>) -> Vec<BudgetView> {
    let meters = run.budget.iter().map(|meter| {
        let words = words.get(&meter.dimension);
        BudgetView {
            dimension: meter.dimension.clone(),
            label: words.map_or_else(|| meter.dimension.clone(), |words| words.label.clone()),
            unit: words.map(|words| words.unit.clone()),
            consumed: meter.consumed,
            cap: meter.cap,
            cap_from: meter.cap_from.clone(),
        }
    });
    meters.collect()
}

use leasehold_aggregates::definition::DefinitionState;
use leasehold_aggregates::run::RunStatus;
use leasehold_projections::runs::RunFilter;

use crate::api::query::Query;
use crate::engine::calendar::Asked;

/// What everybody may narrow a list by: `category`, `scope`, `series` (its id).
pub fn narrowed(query: &mut Query) -> Asked {
    let scope = query.text("scope", 64);
    Asked {
        // What a schedule forecasts is of no scope that somebody chose.
        forecasts: scope.is_none(),
        verified: true,
        runs: RunFilter { scope, public: true, ..RunFilter::default() },
        definition: None,
        states: Vec::new(),
        category: query.text("category", 60),
        series: query.text("series", 64),
    }
}

/// What is under way and what is to come.
pub fn ahead(asked: Asked) -> Asked {
    let statuses = vec![RunStatus::Scheduled, RunStatus::Running, RunStatus::Paused];
    Asked { runs: RunFilter { statuses, ..asked.runs }, states: vec![DefinitionState::Ready, DefinitionState::Archived], ..asked }
}

//! `GET /admin/events/runs`: runs in pages, the latest due first unless `sort` says otherwise. 200; 422; 503 where `minPosition` is not reached.

use axum::Json;
use axum::extract::State;
use leasehold_projections::runs::{self, RunFilter, RunRow};
use leasehold_projections::{Page, definitions};

use crate::api::paging::Paging;
use crate::api::query::Query;
use crate::api::{Api, Problem};

pub async fn handle(State(api): State<Api>, mut query: Query) -> Result<Json<Page<RunRow>>, Problem> {
    let paging = Paging::of(&mut query);
    let filter = RunFilter {
        definitions: query.text("definitionId", 64).map(|id| vec![id]),
        statuses: query.choices("status"),
        health: query.choices("health"),
        cleanup: query.choices("cleanupStatus"),
        scope: query.text("scope", 64),
        from: query.instant("from"),
        to: query.instant("to"),
        public: false,
    };
    let sort = query.choice("sort").unwrap_or_default();
    query.finish()?;
    paging.reached(&api, &[runs::NAME, definitions::NAME]).await?;
    Ok(Json(runs::list(api.engine.log.pool(), &filter, sort, &paging.page).await?))
}

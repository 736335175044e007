//! `GET /admin/events`: definitions in the order of their slugs, in pages. 200; 422; 503 where `minPosition` is not reached.

use axum::Json;
use axum::extract::State;
use leasehold_aggregates::definition::DefinitionState;
use leasehold_projections::definitions::{self, DefinitionFilter, DefinitionRow};
use leasehold_projections::{Page, runs};

use crate::api::paging::Paging;
use crate::api::query::Query;
use crate::api::{Api, Problem};

pub async fn handle(State(api): State<Api>, mut query: Query) -> Result<Json<Page<DefinitionRow>>, Problem> {
    let paging = Paging::of(&mut query);
    let states: Vec<DefinitionState> = query.choices("state");
    let (category, series_id) = (query.text("category", 60), query.text("seriesId", 64));
    let search = query.text("q", 200);
    query.finish()?;
    paging.reached(&api, &[definitions::NAME, runs::NAME]).await?;
    let filter = DefinitionFilter { states, category, series_id, search };
    Ok(Json(definitions::list(api.engine.log.pool(), &filter, &paging.page).await?))
}

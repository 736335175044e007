//! `GET /admin/events/series`: the arcs by their places, in pages. 200; 422; 503 where `minPosition` is not reached.

use axum::Json;
use axum::extract::State;
use leasehold_projections::Page;
use leasehold_projections::series::{self, SeriesRow};

use crate::api::paging::Paging;
use crate::api::query::Query;
use crate::api::{Api, Problem};

pub async fn handle(State(api): State<Api>, mut query: Query) -> Result<Json<Page<SeriesRow>>, Problem> {
    let paging = Paging::of(&mut query);
    query.finish()?;
    paging.reached(&api, &[series::NAME]).await?;
    Ok(Json(series::list(api.engine.log.pool(), &paging.page).await?))
}

//! `GET /admin/events/runs/{id}`: one run in full, from its stream as it stands. 200; 404; 503 where `minPosition` is not reached.

use axum::Json;
use axum::extract::State;
use leasehold_projections::run_view::RunView;

use crate::api::posted::Id;
use crate::api::query::Query;
use crate::api::{Api, Problem};

pub async fn handle(State(api): State<Api>, Id(id): Id, mut query: Query) -> Result<Json<RunView>, Problem> {
    let position = query.min_position();
    query.finish()?;
    position.reached(&api).await?;
    Ok(Json(api.engine.run_view(&id).await?))
}

//! `GET /admin/events/series/{seriesId}`: one arc. 200 with its revision as entity tag; 404.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};

use super::document;
use crate::api::posted::Id;
use crate::api::query::Query;
use crate::api::{Api, Problem, etag};

pub async fn handle(State(api): State<Api>, Id(id): Id, mut query: Query) -> Result<Response, Problem> {
    let position = query.min_position();
    query.finish()?;
    position.reached(&api).await?;
    let standing = api.engine.series(&id).await?;
    Ok((etag::header(standing.revision), Json(document(&standing))).into_response())
}

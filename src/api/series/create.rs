//! `POST /admin/events/series`: a new arc. 201 with its address; 409 `slug_taken`; 422 with every fault.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::response::{IntoResponse, Response};

use super::{arc, left, slug};
use crate::api::posted::{Posted, read};
use crate::api::{Api, Caller, Problem, etag};

pub async fn handle(State(api): State<Api>, caller: Caller, Posted(body): Posted) -> Result<Response, Problem> {
    let (slug, arc) = read(&body, |object| (slug(object, None), arc(object)))?;
    let act = api.act(&caller).await?;
    let made = api.engine.create_series(&act, &slug, &arc).await?;
    let location = [(LOCATION, format!("/api/v1/admin/events/series/{}", made.id))];
    Ok((StatusCode::CREATED, location, etag::header(made.revision), Json(left(&made))).into_response())
}

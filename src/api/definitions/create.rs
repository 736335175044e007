//! `POST /admin/events`: a new definition, as a draft. 201 with its address; 409 `slug_taken`; 422 with every fault.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::document;
use crate::api::posted::PostedDefinition;
use crate::api::{Api, Caller, Problem, etag};
use crate::engine::definitions::Saved;

pub async fn handle(
    State(api): State<Api>,
    caller: Caller,
    PostedDefinition(body): PostedDefinition,
) -> Result<Response, Problem> {
    let act = api.act(&caller).await?;
    let saved = api.engine.create_definition(&act, caller.role, &body).await?;
    made(&api, &saved).await
}

/// The answer about a definition that was made.
pub(super) async fn made(api: &Api, saved: &Saved) -> Result<Response, Problem> {
    let mut document = document(&api.engine.definition(&saved.id).await?);
    document["position"] = json!(saved.position);
    let location = [(LOCATION, format!("/api/v1/admin/events/{}", saved.id))];
    Ok((StatusCode::CREATED, location, etag::header(saved.revision), Json(document)).into_response())
}

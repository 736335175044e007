//! `PUT /admin/events/{id}`: replaces the draft. 200 with the next revision; 404; 409 archived; 412 stale; 422; 428.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::document;
use crate::api::etag::{self, IfMatch};
use crate::api::posted::{Id, PostedDefinition};
use crate::api::{Api, Caller, Problem};

pub async fn handle(
    State(api): State<Api>,
    caller: Caller,
    Id(id): Id,
    IfMatch(wanted): IfMatch,
    PostedDefinition(body): PostedDefinition,
) -> Result<Response, Problem> {
    let act = api.act(&caller).await?;
    let saved = api.engine.save_draft(&act, caller.role, &id, &wanted, &body).await?;
    let mut document = document(&api.engine.definition(&id).await?);
    document["position"] = json!(saved.position);
    Ok((etag::header(saved.revision), Json(document)).into_response())
}

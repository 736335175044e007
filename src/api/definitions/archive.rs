//! `DELETE /admin/events/{id}`: archives; nothing is ever deleted. 200; 404; 412 stale; 428.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::api::etag::{self, IfMatch};
use crate::api::posted::Id;
use crate::api::{Api, Caller, Problem};

pub async fn handle(State(api): State<Api>, caller: Caller, Id(id): Id, IfMatch(wanted): IfMatch) -> Result<Response, Problem> {
    let act = api.act(&caller).await?;
    let saved = api.engine.archive(&act, &id, &wanted).await?;
    let answer = json!({"id": saved.id, "state": "archived", "revision": saved.revision, "position": saved.position});
    Ok((etag::header(saved.revision), Json(answer)).into_response())
}

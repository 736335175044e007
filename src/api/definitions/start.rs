//! `POST /admin/events/{id}/runs`: starts a run of the published version now. 201 with the run's address; 404; 409 not
//! published, or the concurrency key is held; 422.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::response::{IntoResponse, Response};
use leasehold_aggregates::body::Text;
use serde_json::json;

use crate::api::posted::{Id, PostedOrNothing, read};
use crate::api::{Api, Caller, Problem};
use crate::engine::runs::StartRequest;

pub async fn handle(
    State(api): State<Api>,
    caller: Caller,
    Id(id): Id,
    PostedOrNothing(body): PostedOrNothing,
) -> Result<Response, Problem> {
    let request = read(&body, |object| StartRequest {
        scope: object.nullable_text("scope", Text::key()),
        params: object.map("params"),
        rehearsal: object.flag_or("rehearsal", false),
        hops: 0,
    })?;
    let act = api.act(&caller).await?;
    let committed = api.engine.start_by_hand(&act, &id, &request).await?;
    let location = [(LOCATION, format!("/api/v1/admin/events/runs/{}", committed.run_id))];
    let answer = json!({"id": committed.run_id, "definitionId": id, "position": committed.position});
    Ok((StatusCode::CREATED, location, Json(answer)).into_response())
}

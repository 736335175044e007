//! `/admin/events/stop`: one stop for everything. `GET` tells whether it is in force, `POST` stops (201; 409 `already_stopped`;
//! 422), `DELETE` lifts it (200; 409 `not_stopped`).

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use leasehold_aggregates::body::Object;
use leasehold_aggregates::deployment::StopRuns;
use serde_json::{Value, json};

use super::alter::reason;
use super::posted::{Posted, read};
use super::query::Query;
use super::{Api, Caller, Problem};
use crate::engine::stop::Stopped;

pub async fn look(State(api): State<Api>, mut query: Query) -> Result<Json<Value>, Problem> {
    let position = query.min_position();
    query.finish()?;
    position.reached(&api).await?;
    let Some(stopped) = api.engine.stopped().await? else { return Ok(Json(json!({"stopped": false, "stop": null}))) };
    let ids: Vec<_> = stopped.note.as_ref().map(|note| note.id).into_iter().collect();
    let words = api.engine.log.notes(&ids).await?.into_iter().find_map(|note| note.body);
    Ok(Json(json!({"stopped": true, "stop": document(&stopped, words.as_deref())})))
}

pub async fn declare(State(api): State<Api>, caller: Caller, Posted(body): Posted) -> Result<Response, Problem> {
    let (runs, reason) = read(&body, |object| (runs(object), reason(object)))?;
    let act = api.act(&caller).await?;
    let (id, position) = api.engine.stop_everything(&act, runs, &reason).await?;
    Ok((StatusCode::CREATED, Json(json!({"id": id, "runs": runs, "position": position}))).into_response())
}

pub async fn lift(State(api): State<Api>, caller: Caller) -> Result<Json<Value>, Problem> {
    let act = api.act(&caller).await?;
    let position = api.engine.lift_stop(&act).await?;
    Ok(Json(json!({"stopped": false, "position": position})))
}

/// What becomes of the runs under way; they are paused unless somebody says otherwise.
fn runs(object: &Object<'_>) -> StopRuns {
    object.nullable_choice("runs").unwrap_or(StopRuns::Pause)
}

fn document(stopped: &Stopped, words: Option<&str>) -> Value {
    let declared = &stopped.declared;
    json!({
        "id": stopped.id,
        "runs": stopped.runs,
        "reason": words,
        "declaredAt": declared.at,
        "declaredBy": declared.by,
        "position": declared.position,
    })
}

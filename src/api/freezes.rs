//! `/admin/events/freezes`: windows in which nothing starts. `GET` lists them, `POST` declares one (201; 409
//! `too_many_freezes`; 422), `DELETE …/{id}` lifts one (200, also where it is lifted already; 404; 409 `freeze_over`).

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, SubsecRound, Utc};
use serde_json::{Value, json};
use uuid::Uuid;

use super::alter::reason;
use super::occurrences::instant;
use super::posted::{Id, Posted, read};
use super::query::Query;
use super::{Api, Caller, Problem};
use crate::engine::freezes::Declared;

pub async fn list(State(api): State<Api>, mut query: Query) -> Result<Json<Value>, Problem> {
    let position = query.min_position();
    query.finish()?;
    position.reached(&api).await?;
    let (now, freezes) = (api.now().await?, api.engine.freezes().await?);
    let ids: Vec<Uuid> = freezes.iter().filter_map(|freeze| freeze.note.as_ref()).map(|note| note.id).collect();
    let notes = api.engine.log.notes(&ids).await?;
    let words: BTreeMap<Uuid, String> = notes.into_iter().filter_map(|note| Some((note.id, note.body?))).collect();
    let items: Vec<Value> = freezes.iter().map(|freeze| document(freeze, now, &words)).collect();
    Ok(Json(json!({"items": items, "nextPageToken": null})))
}

pub async fn declare(State(api): State<Api>, caller: Caller, Posted(body): Posted) -> Result<Response, Problem> {
    let (from, to, reason) = read(&body, |object| (instant(object, "from"), instant(object, "to"), reason(object)))?;
    let (Some(from), Some(to)) = (from, to) else { return Err(Problem::not_found()) };
    let [from, to] = [from, to].map(|at| at.trunc_subsecs(6));
    let act = api.act(&caller).await?;
    let (id, position) = api.engine.declare_freeze(&act, [from, to], &reason).await?;
    let location = [(LOCATION, format!("/api/v1/admin/events/freezes/{id}"))];
    let answer = json!({"id": id, "from": from, "to": to, "scope": "all", "position": position});
    Ok((StatusCode::CREATED, location, Json(answer)).into_response())
}

pub async fn lift(State(api): State<Api>, caller: Caller, Id(id): Id) -> Result<Json<Value>, Problem> {
    let freeze = id.parse().map_err(|_| Problem::not_found())?;
    let act = api.act(&caller).await?;
    let position = api.engine.lift_freeze(&act, freeze).await?;
    Ok(Json(json!({"id": id, "state": "lifted", "position": position})))
}

fn document(freeze: &Declared, now: DateTime<Utc>, words: &BTreeMap<Uuid, String>) -> Value {
    let state = match (&freeze.lifted, freeze.from <= now, freeze.to <= now) {
        (Some(_), ..) => "lifted",
        (None, _, true) => "over",
        (None, true, false) => "in_force",
        (None, false, false) => "ahead",
    };
    json!({
        "id": freeze.id,
        "from": freeze.from,
        "to": freeze.to,
        "scope": "all",
        "state": state,
        "reason": freeze.note.as_ref().and_then(|note| words.get(&note.id)),
        "declaredAt": freeze.declared.at,
        "declaredBy": freeze.declared.by,
        "liftedAt": freeze.lifted.as_ref().map(|lifted| lifted.at),
        "liftedBy": freeze.lifted.as_ref().map(|lifted| &lifted.by),
        "position": freeze.lifted.as_ref().unwrap_or(&freeze.declared).position,
    })
}

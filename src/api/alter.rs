//! `POST /admin/events/{id}/occurrences/{slot}/skip`, `…/move`, `…/restore`: one occurrence changed by a person, who says
//! why. 200; 404 no such definition or occurrence; 409 over, begun, skipped, archived, never published; 422.

use axum::Json;
use axum::extract::{FromRequestParts, Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use leasehold_aggregates::body::{Object, Text};
use leasehold_aggregates::definition::Alter;
use leasehold_aggregates::schedule::LocalDateTime;
use serde_json::{Value, json};
use uuid::Uuid;

use super::posted::{Posted, read};
use super::{Api, Caller, Problem};

pub(super) const REASON: Text = Text::lines(2_000);

/// The occurrence in the path: its definition, and the wall clock that the schedule gives it.
pub struct Slot {
    definition: String,
    slot: LocalDateTime,
}

impl FromRequestParts<Api> for Slot {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, api: &Api) -> Result<Self, Problem> {
        let Path((id, slot)) =
            Path::<(String, String)>::from_request_parts(parts, api).await.map_err(|_| Problem::not_found())?;
        if id.parse::<Uuid>().ok().is_none_or(|uuid| uuid.to_string() != id) {
            return Err(Problem::not_found());
        }
        let slot = slot.parse().map_err(|fault| {
            let detail = format!("an occurrence is named by its wall clock in the zone of its definition: {fault}");
            Problem::new(StatusCode::NOT_FOUND, "occurrence_not_found", detail)
        })?;
        Ok(Self { definition: id, slot })
    }
}

pub async fn skip(State(api): State<Api>, caller: Caller, slot: Slot, Posted(body): Posted) -> Result<Json<Value>, Problem> {
    let reason = read(&body, reason)?;
    alter(&api, &caller, slot, Alter::Skip, &reason).await
}

pub async fn shift(State(api): State<Api>, caller: Caller, slot: Slot, Posted(body): Posted) -> Result<Json<Value>, Problem> {
    let (reason, to) = read(&body, |object| (reason(object), to(object)))?;
    let Some(to) = to else { return Err(Problem::not_found()) };
    alter(&api, &caller, slot, Alter::Move { to }, &reason).await
}

pub async fn restore(State(api): State<Api>, caller: Caller, slot: Slot, Posted(body): Posted) -> Result<Json<Value>, Problem> {
    let reason = read(&body, reason)?;
    alter(&api, &caller, slot, Alter::Restore, &reason).await
}

async fn alter(api: &Api, caller: &Caller, slot: Slot, alter: Alter, reason: &str) -> Result<Json<Value>, Problem> {
    let act = api.act(caller).await?;
    let altered = api.engine.alter_occurrence(&act, &slot.definition, slot.slot, alter, reason).await?;
    let stands = altered.stands.as_ref();
    let state = match stands.map(|stands| stands.moved_from) {
        None => "skipped",
        Some(Some(_)) => "moved",
        Some(None) => "scheduled",
    };
    Ok(Json(json!({
        "definitionId": slot.definition,
        "slot": altered.slot,
        "state": state,
        "at": stands.map(|stands| stands.at),
        "local": stands.map(|stands| match alter {
            Alter::Move { to } => to,
            Alter::Skip | Alter::Restore => stands.local,
        }),
        "dstAdjusted": stands.and_then(|stands| stands.dst_adjusted),
        "movedFrom": stands.and_then(|stands| stands.moved_from),
        "runId": altered.run_id,
        "position": altered.position,
    })))
}

/// Why; at least one character.
pub(super) fn reason(object: &Object<'_>) -> String {
    let reason = object.text("reason", REASON);
    if object.optional("reason").is_some_and(|value| value.as_str() == Some("")) {
        object.fault("reason", "wrong_length", "say why in 1 to 2000 characters");
    }
    reason
}

/// A wall clock in the definition's zone.
fn to(object: &Object<'_>) -> Option<LocalDateTime> {
    let text = object.text("to", Text::line(1, 32));
    match text.parse() {
        Ok(to) => Some(to),
        Err(fault) => {
            if !text.is_empty() {
                object.fault("to", "wrong_value", fault.to_string());
            }
            None
        }
    }
}

//! The live controls of a run and of its steps, all of one shape: `POST /admin/events/runs/{id}/pause`, `…/resume`, `…/advance`,
//! `…/cancel` and `…/steps/{stepId}/skip`, `…/retry`, `…/confirm`. 200; 403 `role_required`; 404; 409 where the state does
//! not allow it, naming the state.

use axum::Json;
use axum::extract::State;
use leasehold_aggregates::body::Text;
use serde_json::Value;

use super::outcome;
use crate::api::posted::{Id, PostedOrNothing, StepKey, read};
use crate::api::{Api, Caller, Problem};
use crate::engine::runs::people::Control;

const WORDS: Text = Text::lines(2_000);

pub async fn pause(api: State<Api>, caller: Caller, id: Id, body: PostedOrNothing) -> Result<Json<Value>, Problem> {
    with_reason(&api, &caller, &id, &body, Control::Pause).await
}

pub async fn resume(api: State<Api>, caller: Caller, id: Id, body: PostedOrNothing) -> Result<Json<Value>, Problem> {
    with_reason(&api, &caller, &id, &body, Control::Resume).await
}

pub async fn advance(api: State<Api>, caller: Caller, id: Id, body: PostedOrNothing) -> Result<Json<Value>, Problem> {
    with_reason(&api, &caller, &id, &body, Control::Advance).await
}

/// Its teardown follows by itself, unless an admin asks for none.
pub async fn cancel(
    State(api): State<Api>,
    caller: Caller,
    Id(id): Id,
    PostedOrNothing(body): PostedOrNothing,
) -> Result<Json<Value>, Problem> {
    let (reason, cleanup) = read(&body, |object| (object.nullable_text("reason", WORDS), object.flag_or("cleanup", true)))?;
    carry_out(&api, &caller, &id, Control::Cancel { cleanup }, reason).await
}

pub async fn skip(
    api: State<Api>,
    caller: Caller,
    id: Id,
    StepKey(step): StepKey,
    body: PostedOrNothing,
) -> Result<Json<Value>, Problem> {
    with_reason(&api, &caller, &id, &body, Control::Skip { step }).await
}

pub async fn retry(
    api: State<Api>,
    caller: Caller,
    id: Id,
    StepKey(step): StepKey,
    body: PostedOrNothing,
) -> Result<Json<Value>, Problem> {
    with_reason(&api, &caller, &id, &body, Control::Retry { step }).await
}

/// Says that what a parked step asked for is done.
pub async fn confirm(
    State(api): State<Api>,
    caller: Caller,
    Id(id): Id,
    StepKey(step): StepKey,
    PostedOrNothing(body): PostedOrNothing,
) -> Result<Json<Value>, Problem> {
    let note = read(&body, |object| object.nullable_text("note", WORDS))?;
    carry_out(&api, &caller, &id, Control::Confirm { step }, note).await
}

async fn with_reason(
    api: &Api,
    caller: &Caller,
    Id(id): &Id,
    PostedOrNothing(body): &PostedOrNothing,
    control: Control,
) -> Result<Json<Value>, Problem> {
    let reason = read(body, |object| object.nullable_text("reason", WORDS))?;
    carry_out(api, caller, id, control, reason).await
}

async fn carry_out(
    api: &Api,
    caller: &Caller,
    id: &str,
    control: Control,
    words: Option<String>,
) -> Result<Json<Value>, Problem> {
    let words = words.filter(|words| !words.is_empty());
    let act = api.act(caller).await?;
    Ok(outcome(&api.engine.control_run(&act, caller.role, id, &control, words.as_deref()).await?))
}

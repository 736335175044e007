//! `POST /admin/events/runs/{id}/steps/{stepId}/confirm`: says that what a parked step asked for is done. 200; 404; 409
//! where the step does not wait for a person.

use axum::Json;
use axum::extract::State;
use leasehold_aggregates::body::Text;
use serde_json::Value;

use super::outcome;
use crate::api::posted::{Id, PostedOrNothing, StepKey, read};
use crate::api::{Api, Caller, Problem};

const NOTE: Text = Text::lines(2_000);

pub async fn handle(
    State(api): State<Api>,
    caller: Caller,
    Id(id): Id,
    StepKey(step): StepKey,
    PostedOrNothing(body): PostedOrNothing,
) -> Result<Json<Value>, Problem> {
    let note = read(&body, |object| object.nullable_text("note", NOTE))?.filter(|note| !note.is_empty());
    let act = api.act(&caller).await?;
    Ok(outcome(&api.engine.confirm_step(&act, &id, &step, note.as_deref()).await?))
}

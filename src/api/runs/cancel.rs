//! `POST /admin/events/runs/{id}/cancel`: ends a run; its teardown follows by itself. 200; 403 `role_required` where a
//! moderator asks for no cleanup; 404; 409 where it has ended.

use axum::Json;
use axum::extract::State;
use leasehold_aggregates::account::Role;
use leasehold_aggregates::body::Text;
use serde_json::Value;

use super::outcome;
use crate::api::posted::{Id, PostedOrNothing, read};
use crate::api::{Api, Caller, Problem};

const REASON: Text = Text::lines(2_000);

pub async fn handle(
    State(api): State<Api>,
    caller: Caller,
    Id(id): Id,
    PostedOrNothing(body): PostedOrNothing,
) -> Result<Json<Value>, Problem> {
    let (reason, cleanup) = read(&body, |object| (object.nullable_text("reason", REASON), object.flag_or("cleanup", true)))?;
    if !cleanup && caller.role != Role::Admin {
        let detail = format!("cancelling without cleanup takes the role admin, and yours is {}", caller.role);
        return Err(Problem::forbidden("role_required", detail).with("roles", vec!["admin"]));
    }
    let act = api.act(&caller).await?;
    let reason = reason.filter(|reason| !reason.is_empty());
    Ok(outcome(&api.engine.cancel_run(&act, &id, cleanup, reason.as_deref()).await?))
}

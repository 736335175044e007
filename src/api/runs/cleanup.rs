//! `POST /admin/events/runs/{id}/cleanup`: another round of the teardown of a run that has ended, under new keys. 200,
//! also where there is nothing to do; 404; 409 where the run goes on.

use axum::Json;
use axum::extract::State;
use serde_json::Value;

use super::outcome;
use crate::api::posted::{Id, PostedOrNothing, read};
use crate::api::{Api, Caller, Problem};

pub async fn handle(
    State(api): State<Api>,
    caller: Caller,
    Id(id): Id,
    PostedOrNothing(body): PostedOrNothing,
) -> Result<Json<Value>, Problem> {
    read(&body, |_| ())?;
    let act = api.act(&caller).await?;
    Ok(outcome(&api.engine.clean_up_run(&act, &id).await?))
}

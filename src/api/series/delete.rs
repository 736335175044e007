//! `DELETE /admin/events/series/{seriesId}`: the arc goes, its definitions stay without one. 200 with how many; 404; 412
//! stale; 428.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use crate::api::etag::IfMatch;
use crate::api::posted::Id;
use crate::api::{Api, Caller, Problem};

pub async fn handle(
    State(api): State<Api>,
    caller: Caller,
    Id(id): Id,
    IfMatch(wanted): IfMatch,
) -> Result<Json<Value>, Problem> {
    let act = api.act(&caller).await?;
    let deleted = api.engine.delete_series(&act, &id, &wanted).await?;
    Ok(Json(json!({"id": id, "detached": deleted.detached, "position": deleted.position})))
}

//! `GET /admin/events/actions`: every registered action with what this deployment permits of it. 200.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::document;
use crate::api::query::Query;
use crate::api::{Api, Problem};

pub async fn handle(State(api): State<Api>, mut query: Query) -> Result<Json<Value>, Problem> {
    let position = query.min_position();
    query.finish()?;
    position.reached(&api).await?;
    let rows: Vec<Value> = api.engine.switchboard().await?.iter().map(document).collect();
    Ok(Json(json!({"items": rows, "nextPageToken": null})))
}

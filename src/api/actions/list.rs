//! `GET /admin/events/actions`: every registered action with what this deployment permits of it. 200.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::document;
use crate::api::query::Query;
use crate::api::{Api, Problem};

pub async fn handle(State(api): State<Api>, mut query: Query) -> Result<Json<Value>, Problem> {
    query.min_position_of_streams();
    query.finish()?;
    let rows: Vec<Value> = api.engine.switchboard().await?.iter().map(document).collect();
    Ok(Json(json!({"items": rows, "nextPageToken": null})))
}

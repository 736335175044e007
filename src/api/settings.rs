//! `GET /admin/settings`: the deployment's numbers. 200.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::query::Query;
use super::{Api, Problem};

pub async fn handle(State(api): State<Api>, query: Query) -> Result<Json<Value>, Problem> {
    query.finish()?;
    Ok(Json(json!(api.engine.settings)))
}

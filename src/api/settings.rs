//! `GET /admin/settings`: the deployment's numbers. 200.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::query::Query;
use super::{Api, Problem};

pub async fn handle(State(api): State<Api>, mut query: Query) -> Result<Json<Value>, Problem> {
    let position = query.min_position();
    query.finish()?;
    position.reached(&api).await?;
    let mut settings = json!(api.engine.settings);
    settings["stop"] = json!(api.engine.stop_in_force().await?);
    Ok(Json(settings))
}

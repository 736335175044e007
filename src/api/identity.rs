//! `GET /me`: who the token speaks for. 200; 401.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::query::Query;
use super::{Api, Caller, Problem};

pub async fn handle(State(api): State<Api>, caller: Caller, mut query: Query) -> Result<Json<Value>, Problem> {
    let position = query.min_position();
    query.finish()?;
    position.reached(&api).await?;
    Ok(Json(json!({"id": caller.account_id, "name": caller.name, "role": caller.role})))
}

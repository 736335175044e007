//! `GET /me`: who the token speaks for. 200; 401.

use axum::Json;
use serde_json::{Value, json};

use super::query::Query;
use super::{Caller, Problem};

pub async fn handle(caller: Caller, query: Query) -> Result<Json<Value>, Problem> {
    query.finish()?;
    Ok(Json(json!({"id": caller.account_id, "name": caller.name, "role": caller.role})))
}

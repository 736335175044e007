//! `GET /admin/log`: recorded events in order of positions. 200 with those past `after` and the head's position.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::query::Query;
use super::{Api, Problem};
use crate::log::Recorded;

const PAGE: u64 = 100;

pub async fn handle(State(api): State<Api>, mut query: Query) -> Result<Json<Value>, Problem> {
    let after = query.number("after", 0..=i64::MAX.unsigned_abs());
    let limit = query.number("limit", 1..=500).unwrap_or(PAGE);
    let position = query.min_position();
    query.finish()?;
    position.reached(&api).await?;
    let events = api.engine.log.read_after(after, u32::try_from(limit).unwrap_or(u32::MAX)).await?;
    let head = api.engine.log.head().await?.map(|head| head.position);
    let items: Vec<Value> = events.iter().map(item).collect();
    Ok(Json(json!({"items": items, "head": head})))
}

fn item(event: &Recorded) -> Value {
    json!({
        "position": event.position,
        "recordedAt": event.recorded_at,
        "stream": event.stream.to_string(),
        "sequence": event.sequence,
        "type": event.event_type,
        "version": event.event_version,
        "payload": event.payload,
        "metadata": event.metadata,
    })
}

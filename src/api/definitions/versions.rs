//! `GET /admin/events/{id}/versions`: every version, the newest first, in pages. 200; 404; 503 where `minPosition` is not reached.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use crate::api::posted::Id;
use crate::api::query::Query;
use crate::api::{Api, Problem};
use crate::engine::definitions::Version;

const PAGE: u64 = 20;

pub async fn handle(State(api): State<Api>, Id(id): Id, mut query: Query) -> Result<Json<Value>, Problem> {
    let limit = query.number("limit", 1..=100).unwrap_or(PAGE);
    let below = query.number("pageToken", 1..=u64::MAX).unwrap_or(u64::MAX);
    let position = query.min_position();
    query.finish()?;
    position.reached(&api).await?;
    let versions = api.engine.versions(&id).await?;
    let current = versions.first().map(|version| version.version);
    let mut page: Vec<&Version> = versions.iter().filter(|version| version.version < below).collect();
    let more = page.len() as u64 > limit;
    page.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    let next = page.last().filter(|_| more).map(|last| last.version.to_string());
    let items: Vec<Value> = page.into_iter().map(|version| item(version, current)).collect();
    Ok(Json(json!({"items": items, "nextPageToken": next})))
}

fn item(version: &Version, current: Option<u64>) -> Value {
    json!({
        "version": version.version,
        "current": current == Some(version.version),
        "publishedAt": version.published.at,
        "publishedBy": version.published.by,
        "verifiedAt": version.verified.as_ref().map(|deed| deed.at),
        "verifiedBy": version.verified.as_ref().map(|deed| &deed.by),
        "position": version.published.position,
        "content": version.content,
    })
}

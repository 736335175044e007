//! `GET /admin/events/{id}/versions`: every version, the newest first, in pages. 200; 404; 503 where `minPosition` is not reached.

use axum::Json;
use axum::extract::State;
use leasehold_projections::difference::content_changes;
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
    let newest = versions.first().map(|version| version.version);
    let mut page: Vec<&Version> = versions.iter().filter(|version| version.version < below).collect();
    let more = page.len() as u64 > limit;
    page.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    let next = page.last().filter(|_| more).map(|last| last.version.to_string());
    let before = |version: &Version| versions.iter().find(|before| before.version + 1 == version.version);
    let told = |version: &Version| item(version, before(version), newest == Some(version.version));
    let items: Vec<Value> = page.into_iter().map(told).collect();
    Ok(Json(json!({"items": items, "nextPageToken": next})))
}

/// A version, with what changed since the one before it in words; the first has nothing before it.
pub(super) fn item(version: &Version, before: Option<&Version>, current: bool) -> Value {
    let changes = before.map(|before| content_changes(&before.content, &version.content));
    let changes = changes.map(|changes| changes.into_iter().map(|change| change.text).collect::<Vec<_>>());
    json!({
        "version": version.version,
        "current": current,
        "publishedAt": version.published.at,
        "publishedBy": version.published.by,
        "verifiedAt": version.verified.as_ref().map(|deed| deed.at),
        "verifiedBy": version.verified.as_ref().map(|deed| &deed.by),
        "position": version.published.position,
        "schedule": version.content.plan.schedule.sentence(),
        "changes": changes,
        "content": version.content,
    })
}

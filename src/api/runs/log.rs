//! `GET /admin/events/runs/{id}/log`: what happened in a run, line by line, in pages. 200; 404; 503 where `minPosition` is not reached.

use axum::Json;
use axum::extract::State;
use leasehold_projections::story::StoryLine;
use serde_json::{Value, json};

use crate::api::posted::Id;
use crate::api::query::Query;
use crate::api::{Api, Problem};
use crate::engine::stories::Until;

const PAGE: u64 = 200;

pub async fn handle(State(api): State<Api>, Id(id): Id, mut query: Query) -> Result<Json<Value>, Problem> {
    let limit = query.number("limit", 1..=1_000).unwrap_or(PAGE);
    let after = query.number("pageToken", 0..=i64::MAX.unsigned_abs());
    let position = query.min_position();
    query.finish()?;
    position.reached(&api).await?;
    let lines = api.engine.stories().await?.story(&id, Until::Now).await?.lines;
    let rest: Vec<StoryLine> = lines.into_iter().filter(|line| after.is_none_or(|after| line.position > after)).collect();
    let end = end_of_page(&rest, usize::try_from(limit).unwrap_or(usize::MAX));
    let next = (end < rest.len()).then(|| rest[..end].last().map(|line| line.position.to_string())).flatten();
    Ok(Json(json!({"items": rest[..end], "nextPageToken": next})))
}

/// Where the page ends: all lines of one event come together.
fn end_of_page(lines: &[StoryLine], limit: usize) -> usize {
    let Some(last) = lines.get(limit.saturating_sub(1)) else { return lines.len() };
    lines.iter().position(|line| line.position > last.position).unwrap_or(lines.len())
}

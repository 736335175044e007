//! `GET /admin/events/runs/{id}/log`: what happened in a run, line by line, in pages; of some kinds, one phase or one step alone,
//! where that is asked for. 200; 404; 422 for a parameter that means nothing; 503 where `minPosition` is not reached.

use axum::Json;
use axum::extract::State;
use leasehold_projections::story::{StoryKind, StoryLine};
use serde_json::{Value, json};

use crate::api::posted::Id;
use crate::api::query::Query;
use crate::api::{Api, Problem};
use crate::engine::stories::Until;

const PAGE: u64 = 200;

pub async fn handle(State(api): State<Api>, Id(id): Id, mut query: Query) -> Result<Json<Value>, Problem> {
    let limit = query.number("limit", 1..=1_000).unwrap_or(PAGE);
    let after = query.number("pageToken", 0..=i64::MAX.unsigned_abs());
    let wanted = Wanted { kinds: query.choices("kind"), phase: query.text("phase", 64), step: query.text("step", 64) };
    let position = query.min_position();
    query.finish()?;
    position.reached(&api).await?;
    let lines = api.engine.stories().await?.story(&id, Until::Now).await?.lines;
    let behind = |line: &StoryLine| after.is_none_or(|after| line.position > after);
    let rest: Vec<StoryLine> = lines.into_iter().filter(|line| behind(line) && wanted.has(line)).collect();
    let end = end_of_page(&rest, usize::try_from(limit).unwrap_or(usize::MAX));
    let next = (end < rest.len()).then(|| rest[..end].last().map(|line| line.position.to_string())).flatten();
    Ok(Json(json!({"items": rest[..end], "nextPageToken": next})))
}

/// Which lines are asked for; all where nothing is said.
struct Wanted {
    kinds: Vec<StoryKind>,
    phase: Option<String>,
    step: Option<String>,
}

impl Wanted {
    fn has(&self, line: &StoryLine) -> bool {
        (self.kinds.is_empty() || self.kinds.contains(&line.kind))
            && (self.phase.is_none() || self.phase == line.phase)
            && (self.step.is_none() || self.step == line.step)
    }
}

/// Where the page ends: all lines of one event come together.
fn end_of_page(lines: &[StoryLine], limit: usize) -> usize {
    let Some(last) = lines.get(limit.saturating_sub(1)) else { return lines.len() };
    lines.iter().position(|line| line.position > last.position).unwrap_or(lines.len())
}

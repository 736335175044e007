//! The list of runs.

use sqlx::PgPool;

use super::read::read;
use super::sorted::{After, RunFilter, RunSort, Shape, paged, sorted};
use super::{NAME, RunRow};
use crate::{Page, PageRequest, ReadFault};

const SHAPE: Shape<RunRow> = Shape {
    columns: "r.position, r.definition_id, r.version, r.title, r.scope, r.status, r.health, r.cleanup_status, r.current_phase,
              r.concurrency_key, r.slot, r.scheduled_for, r.moved_from, r.timezone, r.dst_adjusted, r.started_at, r.ended_at, r.rehearsal, r.params,
              r.waiting_steps, r.results_published_at, d.slug",
    read,
};

/// The runs that fit, in pages.
pub async fn list(pool: &PgPool, filter: &RunFilter, sort: RunSort, request: &PageRequest) -> Result<Page<RunRow>, ReadFault> {
    let list = format!("{NAME} {}", sort.name());
    let (limit, after) = (request.rows()?, After::of(request, &list)?);
    let (rows, stands) = sorted(pool, &SHAPE, filter, sort, &after, limit + 1).await?;
    Ok(paged(&list, rows, stands, limit))
}

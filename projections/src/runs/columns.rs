//! The columns of a run's row.

use chrono::{DateTime, Utc};
use leasehold_aggregates::run::RunStatus;
use serde::Serialize;
use serde_json::Value;

use super::Standing;
use crate::cells::Json;
use crate::fault::EventFault;
use crate::run_view::RunSummary;

pub(super) fn of(id: &str, standing: &Standing) -> Result<impl Serialize, EventFault> {
    let run = &standing.run;
    let never_begun = EventFault::NeverBegun("run_scheduled");
    let (Some(summary), Some(scheduled)) = (RunSummary::of(id, run, 0), run.scheduled.as_ref()) else {
        return Err(never_begun);
    };
    let phase = run.current_phase().and_then(|phase| scheduled.plan.phases.iter().find(|planned| planned.key == phase.key));
    Ok(Columns {
        definition_id: summary.definition_id,
        version: summary.version,
        title: summary.title,
        scope: summary.scope,
        status: summary.status,
        health: summary.health,
        cleanup_status: summary.cleanup_status,
        current_phase: summary.current_phase,
        concurrency_key: summary.concurrency_key,
        scheduled_for: summary.scheduled_for,
        timezone: summary.timezone,
        dst_adjusted: summary.dst_adjusted,
        started_at: summary.started_at,
        ended_at: summary.ended_at,
        rehearsal: summary.rehearsal,
        params: Json(summary.params),
        waiting_steps: summary.waiting_steps,
        results_published_at: summary.results_published_at,
        slot: scheduled.slot.as_deref(),
        slot_at: scheduled.slot.as_ref().map(|_| scheduled.moved_from.unwrap_or(scheduled.scheduled_for)),
        moved_from: scheduled.moved_from,
        not_run: standing.not_run.as_ref().map(serde_json::to_value).transpose()?.map(Json),
        phase_label: phase.map(|phase| phase.label.as_str()),
        withdrawn: run.withdrawn,
        revision: standing.revision,
        revised_at: standing.revised_at,
        placed: Json(&standing.placed),
    })
}

#[derive(Serialize)]
struct Columns<'a, H, C, D, P, W> {
    definition_id: String,
    version: u64,
    title: String,
    scope: String,
    status: RunStatus,
    health: H,
    cleanup_status: C,
    current_phase: Option<String>,
    concurrency_key: Option<String>,
    scheduled_for: DateTime<Utc>,
    timezone: String,
    dst_adjusted: D,
    started_at: Option<DateTime<Utc>>,
    ended_at: Option<DateTime<Utc>>,
    rehearsal: bool,
    params: Json<P>,
    waiting_steps: u64,
    results_published_at: Option<DateTime<Utc>>,
    slot: Option<&'a str>,
    slot_at: Option<DateTime<Utc>>,
    moved_from: Option<DateTime<Utc>>,
    not_run: Option<Json<Value>>,
    phase_label: Option<&'a str>,
    withdrawn: W,
    revision: u64,
    revised_at: Option<DateTime<Utc>>,
    placed: Json<&'a Vec<(u64, RunStatus, i64)>>,
}

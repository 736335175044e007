//! What a list tells of a run.

use chrono::{DateTime, Utc};
use leasehold_aggregates::run::{CleanupStatus, Health, Run, RunStatus};
use leasehold_aggregates::zones::DstAdjusted;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

/// A run in one line, as an answer spells it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunSummary {
    pub id: String,
    pub definition_id: String,
    /// The definition's version that it carries out.
    pub version: u64,
    pub title: String,
    pub scope: String,
    pub status: RunStatus,
    pub health: Health,
    pub cleanup_status: CleanupStatus,
    /// Absent before its start and after its end.
    pub current_phase: Option<String>,
    pub concurrency_key: Option<String>,
    /// The wall clock that the schedule names it by; absent where somebody started it by hand.
    pub slot: Option<String>,
    pub scheduled_for: DateTime<Utc>,
    /// The instant that the schedule gives its slot, where people have moved it to another.
    pub moved_from: Option<DateTime<Utc>>,
    pub timezone: String,
    pub dst_adjusted: Option<DstAdjusted>,
    pub started_at: Option<DateTime<Utc>>,
    pub ended_at: Option<DateTime<Utc>>,
    pub rehearsal: bool,
    pub params: Map<String, Value>,
    /// Steps that wait for a person.
    pub waiting_steps: u64,
    pub results_published_at: Option<DateTime<Utc>>,
    /// Of the newest event that is told of here.
    pub position: u64,
}

impl RunSummary {
    /// The summary of a folded run; none of an empty stream.
    pub fn of(id: &str, run: &Run, position: u64) -> Option<Self> {
        let scheduled = run.scheduled.as_ref()?;
        Some(Self {
            id: id.to_owned(),
            definition_id: scheduled.definition_id.clone(),
            version: scheduled.definition_version,
            title: scheduled.title.clone(),
            scope: scheduled.scope.clone(),
            status: run.status,
            health: run.health,
            cleanup_status: run.cleanup,
            current_phase: run.current_phase().map(|phase| phase.key.clone()),
            concurrency_key: scheduled.concurrency_key.clone(),
            slot: scheduled.slot.clone(),
            scheduled_for: scheduled.scheduled_for,
            moved_from: scheduled.moved_from,
            timezone: scheduled.timezone.clone(),
            dst_adjusted: scheduled.dst_adjusted,
            started_at: run.started_at,
            ended_at: run.ended_at,
            rehearsal: scheduled.rehearsal,
            params: scheduled.params.clone(),
            waiting_steps: run.states().filter(|step| step.parked).count() as u64,
            results_published_at: run.results_published_at,
            position,
        })
    }
}

//! `runs`: one row a run, for lists. A run's detail is told from its stream (see [`crate::run_view`]).

mod open;
mod read;

pub use open::{OpenRuns, open};
pub(crate) use read::word;
pub use read::{Part, RunFilter, RunRow, find, list, part};

use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::run::{Run, RunEvent};
use serde_json::{Value, json};

use crate::fault::EventFault;
use crate::projection::{Folding, Memory};
use crate::rows::Rows;
use crate::run_view::RunSummary;
use crate::stream_rows::{StreamFolding, StreamRow};
use crate::{LoggedEvent, Projection, Table};

pub const NAME: &str = "runs";
pub const VERSION: u32 = 1;

pub const RUNS: Table = Table {
    name: "runs_v1",
    key: &["id"],
    columns: &[
        "id",
        "sequence",
        "position",
        "folded",
        "definition_id",
        "version",
        "title",
        "scope",
        "status",
        "health",
        "cleanup_status",
        "current_phase",
        "concurrency_key",
        "scheduled_for",
        "timezone",
        "dst_adjusted",
        "started_at",
        "ended_at",
        "rehearsal",
        "params",
        "waiting_steps",
        "results_published_at",
    ],
    ddl: include_str!("v1.sql"),
    indexes: include_str!("v1_indexes.sql"),
};

/// The projection.
#[derive(Debug, Clone, Copy, Default)]
pub struct Runs;

impl Projection for Runs {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> u32 {
        VERSION
    }

    fn tables(&self) -> &'static [Table] {
        &[RUNS]
    }

    fn streams(&self) -> &'static [&'static str] {
        &[Run::TYPE]
    }

    fn folder(&self, memory: Memory) -> Box<dyn Folding> {
        StreamFolding::<Self>::boxed(memory)
    }
}

impl StreamRow for Runs {
    const TABLE: Table = RUNS;
    type State = Run;

    fn fold(run: &mut Run, event: &LoggedEvent, _: &mut Rows) -> Result<(), EventFault> {
        run.apply(event.decode::<RunEvent>()?);
        Ok(())
    }

    fn columns(id: &str, run: &Run) -> Result<Value, EventFault> {
        let summary = RunSummary::of(id, run, 0).ok_or(EventFault::NeverBegun("run_scheduled"))?;
        Ok(json!({
            "definition_id": summary.definition_id,
            "version": summary.version,
            "title": summary.title,
            "scope": summary.scope,
            "status": summary.status,
            "health": summary.health,
            "cleanup_status": summary.cleanup_status,
            "current_phase": summary.current_phase,
            "concurrency_key": summary.concurrency_key,
            "scheduled_for": summary.scheduled_for,
            "timezone": summary.timezone,
            "dst_adjusted": summary.dst_adjusted,
            "started_at": summary.started_at,
            "ended_at": summary.ended_at,
            "rehearsal": summary.rehearsal,
            "params": summary.params,
            "waiting_steps": summary.waiting_steps,
            "results_published_at": summary.results_published_at,
        }))
    }
}

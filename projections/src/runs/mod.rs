//! `runs`: one row a run, for lists. A run's detail is told from its stream (see [`crate::run_view`]).

mod entry;
mod list;
mod not_run;
mod open;
mod read;
mod slots;
mod sorted;
mod standing;
mod wanted;

pub use entry::{ENTRY, RunEntry, occupied};
pub use list::list;
pub use not_run::NotRun;
pub use open::{OpenRuns, open};
pub(crate) use read::word;
pub use read::{Part, RunRow, find, part};
pub use slots::{SlotRun, in_slots};
pub use sorted::{After, Placed, RunFilter, RunPlace, RunSort, Shape, paged, sorted};
pub use standing::Standing;
pub use wanted::{RunWant, WantedBy, wanted, wants_of};

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
pub const VERSION: u32 = 2;

pub const RUNS: Table = Table {
    name: "runs_v2",
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
        "slot",
        "slot_at",
        "moved_from",
        "not_run",
        "phase_label",
        "withdrawn",
        "revision",
        "revised_at",
        "placed",
    ],
    ddl: include_str!("v2.sql"),
    indexes: include_str!("v2_indexes.sql"),
};

pub const WANTS: Table = Table {
    name: "run_wants_v2",
    key: &["run_id", "nth"],
    columns: &["run_id", "nth", "want", "begins", "ends", "started"],
    ddl: include_str!("wants_v2.sql"),
    indexes: include_str!("wants_v2_indexes.sql"),
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
        &[RUNS, WANTS]
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
    type State = Standing;

    fn fold(standing: &mut Standing, event: &LoggedEvent, _: &mut Rows) -> Result<(), EventFault> {
        let (decoded, deed) = (event.decode::<RunEvent>()?, event.deed()?);
        standing.follow(decoded, event.position, &deed);
        Ok(())
    }

    fn beside(id: &str, standing: &Standing, there: bool, rows: &mut Rows) {
        if there {
            rows.remove(&WANTS, id);
        }
        standing.wants(id, rows);
    }

    fn columns(id: &str, standing: &Standing) -> Result<Value, EventFault> {
        let run = &standing.run;
        let never_begun = EventFault::NeverBegun("run_scheduled");
        let (Some(summary), Some(scheduled)) = (RunSummary::of(id, run, 0), run.scheduled.as_ref()) else {
            return Err(never_begun);
        };
        let phase = run.current_phase().and_then(|phase| scheduled.plan.phases.iter().find(|planned| planned.key == phase.key));
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
            "slot": scheduled.slot,
            "slot_at": scheduled.slot.as_ref().map(|_| scheduled.moved_from.unwrap_or(scheduled.scheduled_for)),
            "moved_from": scheduled.moved_from,
            "not_run": standing.not_run,
            "phase_label": phase.map(|phase| &phase.label),
            "withdrawn": run.withdrawn,
            "revision": standing.revision,
            "revised_at": standing.revised_at,
            "placed": standing.placed,
        }))
    }
}

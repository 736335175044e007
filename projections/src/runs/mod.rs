//! `runs`: one row a run, for lists. A run's detail is told from its stream (see [`crate::run_view`]).

mod columns;
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
use serde::Serialize;

use crate::fault::EventFault;
use crate::projection::{Folding, Memory};
use crate::rows::Rows;
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
        let (decoded, deed) = event.decode_with_deed::<RunEvent>()?;
        standing.follow(decoded, event.position, &deed);
        Ok(())
    }

    fn beside(id: &str, standing: &Standing, there: bool, rows: &mut Rows) -> Result<(), EventFault> {
        if there {
            rows.remove(&WANTS, id);
        }
        standing.wants(id, rows)
    }

    fn columns(id: &str, standing: &Standing) -> Result<impl Serialize, EventFault> {
        columns::of(id, standing)
    }
}

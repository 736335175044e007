//! `ledger`: one row a target, for whoever asks what is held now and what is still to be looked at.

mod read;
mod standing;
mod to_reconcile;
mod unresolved;

pub use read::{LedgerFilter, LedgerRow, list};
pub use standing::Standing;
pub use to_reconcile::runs_to_reconcile;
pub use unresolved::unresolved;

use chrono::{DateTime, Utc};
use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::ledger::{Entry, EntryStatus, LedgerEvent};
use leasehold_aggregates::target::Target;
use serde::Serialize;

use crate::fault::EventFault;
use crate::projection::{Folding, Memory};
use crate::rows::Rows;
use crate::stream_rows::{StreamFolding, StreamRow};
use crate::{LoggedEvent, Projection, Table};

pub const NAME: &str = "ledger";
pub const VERSION: u32 = 1;

pub const LEDGER: Table = Table {
    name: "ledger_v1",
    key: &["id"],
    columns: &[
        "id",
        "sequence",
        "position",
        "folded",
        "module",
        "scope",
        "kind",
        "ref",
        "status",
        "run_id",
        "step",
        "baseline",
        "applied",
        "found",
        "reason",
        "lease_until",
        "attempts",
        "last_error",
        "holds",
        "held_from",
        "first_position",
    ],
    ddl: include_str!("v1.sql"),
    indexes: include_str!("v1_indexes.sql"),
};

/// The projection.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ledger;

impl Projection for Ledger {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> u32 {
        VERSION
    }

    fn tables(&self) -> &'static [Table] {
        &[LEDGER]
    }

    fn streams(&self) -> &'static [&'static str] {
        &[Entry::TYPE]
    }

    fn folder(&self, memory: Memory) -> Box<dyn Folding> {
        StreamFolding::<Self>::boxed(memory)
    }
}

impl StreamRow for Ledger {
    const TABLE: Table = LEDGER;
    type State = Standing;

    fn fold(standing: &mut Standing, event: &LoggedEvent, _: &mut Rows) -> Result<(), EventFault> {
        standing.follow(event.decode::<LedgerEvent>()?, event.position);
        Ok(())
    }

    fn columns(id: &str, standing: &Standing) -> Result<impl Serialize, EventFault> {
        let Target { module, scope, kind, reference } = Target::from_stream_id(id)?;
        let hold = standing.entry.hold.as_ref().ok_or(EventFault::NeverBegun("target_reserved or target_confirmed"))?;
        Ok(Columns {
            module,
            scope,
            kind,
            reference,
            status: hold.status,
            run_id: &hold.run_id,
            step: &hold.step,
            baseline: hold.baseline.as_deref(),
            applied: hold.applied.as_deref(),
            found: hold.found.as_deref(),
            reason: standing.reason.as_deref(),
            lease_until: hold.until,
            attempts: hold.undo_attempts,
            last_error: standing.last_error.as_deref(),
            holds: standing.entry.holds,
            held_from: standing.held_from,
            first_position: standing.first_position,
        })
    }
}

#[derive(Serialize)]
struct Columns<'a> {
    module: String,
    scope: String,
    kind: String,
    #[serde(rename = "ref")]
    reference: String,
    status: EntryStatus,
    run_id: &'a str,
    step: &'a str,
    baseline: Option<&'a str>,
    applied: Option<&'a str>,
    found: Option<&'a str>,
    reason: Option<&'a str>,
    lease_until: Option<DateTime<Utc>>,
    attempts: u32,
    last_error: Option<&'a str>,
    holds: u64,
    held_from: u64,
    first_position: u64,
}

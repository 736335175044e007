//! `series`: one row an arc.

mod read;

pub use read::{SeriesRow, by_slug, list};

use chrono::{DateTime, Utc};
use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::series::{Series as Aggregate, SeriesEvent};
use serde::{Deserialize, Serialize};

use crate::fault::EventFault;
use crate::projection::{Folding, Memory};
use crate::rows::Rows;
use crate::stream_rows::{StreamFolding, StreamRow};
use crate::{LoggedEvent, Projection, Table};

pub const NAME: &str = "series";
pub const VERSION: u32 = 1;

pub const SERIES: Table = Table {
    name: "series_v1",
    key: &["id"],
    columns: &["id", "sequence", "position", "folded", "slug", "name", "description", "ordering", "created_at", "deleted_at"],
    ddl: include_str!("v1.sql"),
    indexes: include_str!("v1_indexes.sql"),
};

/// The projection.
#[derive(Debug, Clone, Copy, Default)]
pub struct Series;

/// A series as its stream stands, with the instants that its events were told with.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Standing {
    pub series: Aggregate,
    pub created_at: Option<DateTime<Utc>>,
    pub deleted_at: Option<DateTime<Utc>>,
}

impl Projection for Series {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> u32 {
        VERSION
    }

    fn tables(&self) -> &'static [Table] {
        &[SERIES]
    }

    fn streams(&self) -> &'static [&'static str] {
        &[Aggregate::TYPE]
    }

    fn folder(&self, memory: Memory) -> Box<dyn Folding> {
        StreamFolding::<Self>::boxed(memory)
    }
}

impl StreamRow for Series {
    const TABLE: Table = SERIES;
    type State = Standing;

    fn fold(standing: &mut Standing, event: &LoggedEvent, _rows: &mut Rows) -> Result<(), EventFault> {
        let (decoded, deed) = event.decode_with_deed::<SeriesEvent>()?;
        match &decoded {
            SeriesEvent::SeriesCreated { .. } => standing.created_at = Some(deed.at),
            SeriesEvent::SeriesDeleted { .. } => standing.deleted_at = Some(deed.at),
            SeriesEvent::SeriesRenamed { .. } | SeriesEvent::SeriesDescribed { .. } | SeriesEvent::SeriesReordered { .. } => {}
        }
        standing.series.apply(decoded);
        Ok(())
    }

    fn columns(_id: &str, standing: &Standing) -> Result<impl Serialize, EventFault> {
        let arc = standing.series.arc();
        Ok(Columns {
            slug: standing.series.slug().ok_or(EventFault::NeverBegun("series_created"))?,
            name: &arc.name,
            description: &arc.description,
            ordering: arc.order,
            created_at: standing.created_at,
            deleted_at: standing.deleted_at,
        })
    }
}

#[derive(Serialize)]
struct Columns<'a, D, O> {
    slug: &'a str,
    name: &'a str,
    description: &'a D,
    ordering: O,
    created_at: Option<DateTime<Utc>>,
    deleted_at: Option<DateTime<Utc>>,
}

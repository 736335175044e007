//! `definitions`: one row a definition and one a version.

mod read;
mod schedules;
mod slots;
mod standing;
mod versions;

pub use read::{
    DefinitionFilter, DefinitionRow, VersionRow, changed_since, content, find, in_series, list, list_versions, series_of,
};
pub use schedules::{InForceSchedule, schedules};
pub use slots::{SlotChanges, SlotFact, SlotFactKind, changes, facts};
pub use standing::Standing;

use chrono::{DateTime, Utc};
use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::definition::{Definition, DefinitionEvent};
use serde::Serialize;
use serde_json::json;

use crate::fault::EventFault;
use crate::projection::{Folding, Memory};
use crate::rows::Rows;
use crate::stream_rows::{StreamFolding, StreamRow};
use crate::{LoggedEvent, Projection, Table};

pub const NAME: &str = "definitions";
pub const VERSION: u32 = 2;

pub const DEFINITIONS: Table = Table {
    name: "definitions_v2",
    key: &["id"],
    columns: &[
        "id",
        "sequence",
        "position",
        "folded",
        "slug",
        "state",
        "version",
        "title",
        "summary",
        "category",
        "timezone",
        "owner_module",
        "schedule",
        "verified",
        "created_at",
        "published_at",
        "archived_at",
        "archived_by",
        "withheld",
    ],
    ddl: include_str!("v2.sql"),
    indexes: include_str!("v2_indexes.sql"),
};

pub const VERSIONS: Table = Table {
    name: "definition_versions_v2",
    key: &["definition_id", "version"],
    columns: &[
        "definition_id",
        "version",
        "position",
        "title",
        "content",
        "published_at",
        "published_by",
        "verified_at",
        "verified_by",
    ],
    ddl: include_str!("versions_v2.sql"),
    indexes: "",
};

pub const SLOTS: Table = Table {
    name: "definition_slots_v2",
    key: &["definition_id", "position"],
    columns: &["definition_id", "position", "slot", "fact", "cause", "version", "moved_to", "at", "by", "note"],
    ddl: include_str!("slots_v2.sql"),
    indexes: include_str!("slots_v2_indexes.sql"),
};

/// The projection.
#[derive(Debug, Clone, Copy, Default)]
pub struct Definitions;

impl Projection for Definitions {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> u32 {
        VERSION
    }

    fn tables(&self) -> &'static [Table] {
        &[DEFINITIONS, VERSIONS, SLOTS]
    }

    fn streams(&self) -> &'static [&'static str] {
        &[Definition::TYPE]
    }

    fn folder(&self, memory: Memory) -> Box<dyn Folding> {
        StreamFolding::<Self>::boxed(memory)
    }
}

impl StreamRow for Definitions {
    const TABLE: Table = DEFINITIONS;
    type State = Standing;

    fn fold(standing: &mut Standing, event: &LoggedEvent, rows: &mut Rows) -> Result<(), EventFault> {
        let (decoded, deed) = event.decode_with_deed::<DefinitionEvent>()?;
        versions::follow(event, &decoded, &deed, rows)?;
        slots::follow(event, &decoded, &deed, rows)?;
        standing.follow(decoded, &deed);
        Ok(())
    }

    fn columns(_id: &str, standing: &Standing) -> Result<impl Serialize, EventFault> {
        let definition = &standing.definition;
        let slug = definition.slug().ok_or(EventFault::NeverBegun("definition_created"))?;
        let current = definition.current();
        let content = current.map(|(_, content)| content);
        Ok(Columns {
            slug,
            state: definition.state(),
            version: current.map(|(version, _)| version),
            title: content.map(|content| &content.title),
            summary: content.map(|content| &content.summary),
            category: content.map(|content| &content.category),
            timezone: content.map(|content| &content.timezone),
            owner_module: content.and_then(|content| content.owner_module.as_ref()),
            schedule: content.map(|content| json!(content.plan.schedule)["kind"].clone()),
            verified: current.is_some_and(|(version, _)| definition.is_verified(version)),
            created_at: standing.created_at,
            published_at: standing.published_at,
            archived_at: standing.archived_at,
            archived_by: standing.archived_by.as_deref(),
            withheld: standing.withheld,
        })
    }
}

#[derive(Serialize)]
struct Columns<'a, S, T, U, C, Z, O, K> {
    slug: &'a str,
    state: S,
    version: Option<u64>,
    title: Option<T>,
    summary: Option<U>,
    category: Option<C>,
    timezone: Option<Z>,
    owner_module: Option<O>,
    schedule: Option<K>,
    verified: bool,
    created_at: Option<DateTime<Utc>>,
    published_at: Option<DateTime<Utc>>,
    archived_at: Option<DateTime<Utc>>,
    archived_by: Option<&'a str>,
    withheld: u64,
}

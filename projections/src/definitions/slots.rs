//! The third table: what was decided of single slots.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use leasehold_aggregates::definition::DefinitionEvent;
use leasehold_aggregates::note::NoteRef;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::{PgPool, Row};

use super::SLOTS;
use crate::cells::Json;
use crate::fault::EventFault;
use crate::logged::Deed;
use crate::rows::Rows;
use crate::runs::word;
use crate::{LoggedEvent, ReadFault};

/// What was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SlotFactKind {
    Withheld,
    Skipped,
    Moved,
    Restored,
}

/// One decision about one slot.
#[derive(Debug, Clone, PartialEq)]
pub struct SlotFact {
    pub definition_id: String,
    pub position: u64,
    pub slot: String,
    pub kind: SlotFactKind,
    pub cause: Option<String>,
    pub moved_to: Option<String>,
    pub at: DateTime<Utc>,
    pub by: String,
    pub note: Option<NoteRef>,
}

pub(super) fn follow(event: &LoggedEvent, decoded: &DefinitionEvent, deed: &Deed, rows: &mut Rows) -> Result<(), EventFault> {
    let (kind, slot, cause, version, moved_to, note) = match decoded {
        DefinitionEvent::OccurrenceWithheld { slot, version, cause, .. } => {
            (SlotFactKind::Withheld, slot, Some(cause), Some(version), None, None)
        }
        DefinitionEvent::OccurrenceSkipped { slot, note, .. } => (SlotFactKind::Skipped, slot, None, None, None, note.as_ref()),
        DefinitionEvent::OccurrenceMoved { slot, to, note, .. } => {
            (SlotFactKind::Moved, slot, None, None, Some(to), note.as_ref())
        }
        DefinitionEvent::OccurrenceRestored { slot, note, .. } => (SlotFactKind::Restored, slot, None, None, None, note.as_ref()),
        DefinitionEvent::DefinitionCreated { .. }
        | DefinitionEvent::DefinitionPublished { .. }
        | DefinitionEvent::DefinitionVerified { .. }
        | DefinitionEvent::DefinitionArchived {} => return Ok(()),
    };
    let row = Told {
        definition_id: &event.aggregate_id,
        position: event.position,
        slot,
        fact: kind,
        cause,
        version,
        moved_to,
        at: deed.at,
        by: &deed.actor,
        note: note.map(serde_json::to_value).transpose()?.map(Json),
    };
    rows.put(&SLOTS, &row)
}

/// A row of [`SLOTS`].
#[derive(Serialize)]
struct Told<'a, S, C, V, T> {
    definition_id: &'a str,
    position: u64,
    slot: S,
    fact: SlotFactKind,
    cause: Option<C>,
    version: Option<V>,
    moved_to: Option<T>,
    at: DateTime<Utc>,
    by: &'a str,
    note: Option<Json<Value>>,
}

/// How often people have changed slots, by definition and slot.
pub type SlotChanges = BTreeMap<(String, String), u64>;

/// How often each of these slots, told as definition and wall clock, was skipped, moved or brought back.
pub async fn changes(pool: &PgPool, slots: &[(&str, String)]) -> Result<SlotChanges, ReadFault> {
    let (definitions, clocks): (Vec<&str>, Vec<&str>) =
        slots.iter().map(|(definition, slot)| (*definition, slot.as_str())).unzip();
    let rows = sqlx::query_as::<_, (String, String, i64)>(
        "select s.definition_id, s.slot, count(*) from projections.definition_slots_v2 s
         join unnest($1::text[], $2::text[]) as asked (definition_id, slot) using (definition_id, slot)
         where s.fact in ('skipped', 'moved', 'restored') group by s.definition_id, s.slot",
    );
    let rows = rows.bind(definitions).bind(clocks).fetch_all(pool).await?;
    Ok(rows.into_iter().map(|(definition, slot, count)| ((definition, slot), count.unsigned_abs())).collect())
}

/// The decisions about slots from the wall clock `first` to `last`, both included, of one definition or of all, in the
/// order of the log.
pub async fn facts(pool: &PgPool, definition_id: Option<&str>, first: &str, last: &str) -> Result<Vec<SlotFact>, ReadFault> {
    let rows = sqlx::query(
        "select definition_id, position, slot, fact, cause, moved_to, at, by, note from projections.definition_slots_v2
         where slot between $1 and $2 and ($3::text is null or definition_id = $3) order by position",
    );
    let rows = rows.bind(first).bind(last).bind(definition_id).fetch_all(pool).await?;
    let read = |row: &sqlx::postgres::PgRow| -> Result<SlotFact, sqlx::Error> {
        let note: Option<Value> = row.try_get("note")?;
        let note = note.map(serde_json::from_value).transpose();
        Ok(SlotFact {
            definition_id: row.try_get("definition_id")?,
            position: row.try_get::<i64, _>("position")?.unsigned_abs(),
            slot: row.try_get("slot")?,
            kind: word(row, "fact")?,
            cause: row.try_get("cause")?,
            moved_to: row.try_get("moved_to")?,
            at: row.try_get("at")?,
            by: row.try_get("by")?,
            note: note.map_err(|source| sqlx::Error::ColumnDecode { index: "note".into(), source: source.into() })?,
        })
    };
    Ok(rows.iter().map(read).collect::<Result<_, _>>()?)
}

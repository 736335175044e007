//! The second table: every version, as it was published.

use chrono::{DateTime, Utc};
use leasehold_aggregates::definition::DefinitionEvent;
use serde::Serialize;
use serde_json::{Value, json};

use super::VERSIONS;
use crate::LoggedEvent;
use crate::cells::Json;
use crate::fault::EventFault;
use crate::logged::Deed;
use crate::rows::Rows;

/// What the event means for the rows of versions. Of several passes of a version the first counts.
pub(super) fn follow(event: &LoggedEvent, decoded: &DefinitionEvent, deed: &Deed, rows: &mut Rows) -> Result<(), EventFault> {
    match decoded {
        DefinitionEvent::DefinitionPublished { version, content } => {
            let row = Told {
                definition_id: &event.aggregate_id,
                version: *version,
                position: event.position,
                title: &content.title,
                content: Json(serde_json::to_value(content)?),
                published_at: deed.at,
                published_by: &deed.actor,
                verified_at: None,
                verified_by: None,
            };
            rows.put(&VERSIONS, &row)?;
        }
        DefinitionEvent::DefinitionVerified { version } => {
            let record = json!({
                "definition_id": event.aggregate_id,
                "version": version,
                "verified_at": deed.at,
                "verified_by": deed.actor,
            });
            rows.patch(VERSIONS, &["verified_at", "verified_by"], record);
        }
        DefinitionEvent::DefinitionCreated { .. }
        | DefinitionEvent::DefinitionArchived {}
        | DefinitionEvent::OccurrenceWithheld { .. }
        | DefinitionEvent::OccurrenceSkipped { .. }
        | DefinitionEvent::OccurrenceMoved { .. }
        | DefinitionEvent::OccurrenceRestored { .. } => {}
    }
    Ok(())
}

/// A row of [`VERSIONS`].
#[derive(Serialize)]
struct Told<'a> {
    definition_id: &'a str,
    version: u64,
    position: u64,
    title: &'a str,
    content: Json<Value>,
    published_at: DateTime<Utc>,
    published_by: &'a str,
    verified_at: Option<DateTime<Utc>>,
    verified_by: Option<&'a str>,
}

//! The second table: every version, as it was published.

use leasehold_aggregates::definition::DefinitionEvent;
use serde_json::{Map, Value, json};

use super::VERSIONS;
use crate::LoggedEvent;
use crate::logged::Deed;
use crate::rows::Rows;

/// What the event means for the rows of versions. Of several passes of a version the first counts.
pub(super) fn follow(event: &LoggedEvent, decoded: &DefinitionEvent, deed: &Deed, rows: &mut Rows) {
    match decoded {
        DefinitionEvent::DefinitionPublished { version, content } => {
            let row = Map::from_iter([
                ("definition_id".to_owned(), json!(event.aggregate_id)),
                ("version".to_owned(), json!(version)),
                ("position".to_owned(), json!(event.position)),
                ("title".to_owned(), json!(content.title)),
                ("content".to_owned(), json!(content)),
                ("published_at".to_owned(), json!(deed.at)),
                ("published_by".to_owned(), json!(deed.actor)),
                ("verified_at".to_owned(), Value::Null),
                ("verified_by".to_owned(), Value::Null),
            ]);
            rows.put(&VERSIONS, &row, None);
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
}

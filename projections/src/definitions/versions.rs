//! The second table: every version, as it was published.

use leasehold_aggregates::definition::DefinitionEvent;
use serde_json::json;
use sqlx::PgConnection;

use super::VERSIONS;
use crate::fault::EventFault;
use crate::{ProjectionFault, SeenEvent};

pub(super) async fn apply(connection: &mut PgConnection, events: &[SeenEvent]) -> Result<(), ProjectionFault> {
    for event in events {
        let of_event = |source: EventFault| ProjectionFault::Event { position: event.position, source };
        match event.decode::<DefinitionEvent>().map_err(|fault| of_event(fault.into()))? {
            DefinitionEvent::DefinitionPublished { version, content } => {
                let row = json!({
                    "definition_id": event.aggregate_id,
                    "version": version,
                    "position": event.position,
                    "title": content.title,
                    "content": content,
                    "published_at": event.at(),
                    "published_by": event.actor(),
                    "verified_at": null,
                    "verified_by": null,
                });
                VERSIONS.put(connection, &[row]).await?;
            }
            DefinitionEvent::DefinitionVerified { version } => verified(connection, event, version).await?,
            DefinitionEvent::DefinitionCreated { .. }
            | DefinitionEvent::DefinitionArchived {}
            | DefinitionEvent::OccurrenceWithheld { .. } => {}
        }
    }
    Ok(())
}

async fn verified(connection: &mut PgConnection, event: &SeenEvent, version: u64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "update projections.definition_versions_v1 set verified_at = $3, verified_by = $4
         where definition_id = $1 and version = $2 and verified_at is null",
    )
    .bind(&event.aggregate_id)
    .bind(i64::try_from(version).unwrap_or(i64::MAX))
    .bind(event.at())
    .bind(event.actor())
    .execute(connection)
    .await?;
    Ok(())
}

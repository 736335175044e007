//! What a definition's row is told from.

use chrono::{DateTime, Utc};
use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::definition::{Definition, DefinitionEvent};
use serde::{Deserialize, Serialize};

use crate::logged::Deed;

/// A definition as its stream stands, with the instants that its events were told with.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Standing {
    pub definition: Definition,
    pub created_at: Option<DateTime<Utc>>,
    pub published_at: Option<DateTime<Utc>>,
    pub archived_at: Option<DateTime<Utc>>,
    pub archived_by: Option<String>,
    pub withheld: u64,
}

impl Standing {
    pub fn follow(&mut self, event: DefinitionEvent, deed: &Deed) {
        let at = deed.at;
        match &event {
            DefinitionEvent::DefinitionCreated { .. } => self.created_at = Some(at),
            DefinitionEvent::DefinitionPublished { .. } => self.published_at = Some(at),
            DefinitionEvent::DefinitionVerified { .. }
            | DefinitionEvent::OccurrenceSkipped { .. }
            | DefinitionEvent::OccurrenceMoved { .. }
            | DefinitionEvent::OccurrenceRestored { .. } => {}
            DefinitionEvent::DefinitionArchived {} => {
                self.archived_at = Some(at);
                self.archived_by = Some(deed.actor.clone());
            }
            DefinitionEvent::OccurrenceWithheld { .. } => self.withheld += 1,
        }
        self.definition.apply(event);
    }
}

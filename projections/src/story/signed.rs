//! Who answers for the version that a run is of: it was published by somebody, and perhaps verified.

use chrono::{DateTime, Utc};
use leasehold_aggregates::definition::DefinitionEvent;
use serde::Serialize;

use super::{RunStory, StoryFault};
use crate::SeenEvent;

/// Somebody's act upon a version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Signature {
    pub position: u64,
    pub at: DateTime<Utc>,
    /// As the log names who it was.
    pub by: String,
}

impl RunStory {
    /// The same with who published and first verified its version, from the events of its definition's stream up to the
    /// end of the story.
    pub fn signed(mut self, definition: &[SeenEvent]) -> Result<Self, StoryFault> {
        for seen in definition {
            let event = seen.decode().map_err(|source| StoryFault::Undecodable { position: seen.position, source })?;
            let (version, signed) = match event {
                DefinitionEvent::DefinitionPublished { version, .. } => (version, &mut self.published),
                DefinitionEvent::DefinitionVerified { version } => (version, &mut self.verified),
                DefinitionEvent::DefinitionCreated { .. }
                | DefinitionEvent::DefinitionArchived {}
                | DefinitionEvent::OccurrenceWithheld { .. } => continue,
            };
            if version == self.run.version {
                signed.get_or_insert_with(|| Signature { position: seen.position, at: seen.at(), by: seen.actor().to_owned() });
            }
        }
        Ok(self)
    }
}

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

impl Signature {
    /// Of the one who brought this event about.
    pub(crate) fn of(seen: &SeenEvent) -> Self {
        Self { position: seen.position, at: seen.at(), by: seen.actor().to_owned() }
    }
}

/// Who answers for a version.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answering {
    pub published: Option<Signature>,
    /// The first pass of a dry run.
    pub verified: Option<Signature>,
}

/// Types of the events of a definition that [`answering`] looks at.
pub const ANSWERING: [&str; 2] = ["definition_published", "definition_verified"];

/// Who published and first verified a version, by its definition's events in order; all of them, or those of the types
/// [`ANSWERING`].
pub fn answering(version: u64, definition: &[SeenEvent]) -> Result<Answering, StoryFault> {
    let mut answering = Answering::default();
    for seen in definition {
        let event = seen.decode().map_err(|source| StoryFault::Undecodable { position: seen.position, source })?;
        let (of, signed) = match event {
            DefinitionEvent::DefinitionPublished { version, .. } => (version, &mut answering.published),
            DefinitionEvent::DefinitionVerified { version } => (version, &mut answering.verified),
            DefinitionEvent::DefinitionCreated { .. }
            | DefinitionEvent::DefinitionArchived {}
            | DefinitionEvent::OccurrenceWithheld { .. }
            | DefinitionEvent::OccurrenceSkipped { .. }
            | DefinitionEvent::OccurrenceMoved { .. }
            | DefinitionEvent::OccurrenceRestored { .. } => continue,
        };
        if of == version {
            signed.get_or_insert_with(|| Signature::of(seen));
        }
    }
    Ok(answering)
}

impl RunStory {
    /// The same with who published and first verified its version, from the events of its definition's stream up to the
    /// end of the story.
    pub fn signed(mut self, definition: &[SeenEvent]) -> Result<Self, StoryFault> {
        let Answering { published, verified } = answering(self.run.version, definition)?;
        (self.published, self.verified) = (published, verified);
        Ok(self)
    }
}

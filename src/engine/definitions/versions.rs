use chrono::{DateTime, Utc};
use leasehold_aggregates::definition::{Content, Definition, DefinitionEvent, DefinitionRefusal};

use crate::engine::streams::{event, stream};
use crate::engine::{Engine, Fault};
use crate::log::Recorded;

/// One published version, and who stands behind it.
#[derive(Debug, Clone)]
pub struct Version {
    pub version: u64,
    pub content: Content,
    pub published: Deed,
    /// The dry run that found nothing wrong with it.
    pub verified: Option<Deed>,
}

/// Who did it, when it was asked and where it is recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deed {
    pub by: String,
    pub at: DateTime<Utc>,
    pub position: u64,
}

impl Deed {
    pub(in crate::engine) fn of(recorded: &Recorded) -> Self {
        let at = recorded.metadata.get("at").and_then(|at| at.parse().ok());
        Self {
            by: recorded.metadata.get("actor").cloned().unwrap_or_default(),
            at: at.unwrap_or(recorded.recorded_at),
            position: recorded.position,
        }
    }
}

impl Engine {
    /// Every published version, the newest first.
    pub async fn versions(&self, id: &str) -> Result<Vec<Version>, Fault> {
        let recorded = self.log.load(&stream::<Definition>(id)).await?;
        if recorded.is_empty() {
            return Err(Fault::refused(DefinitionRefusal::Missing));
        }
        let mut versions: Vec<Version> = Vec::new();
        for recorded in recorded {
            let deed = Deed::of(&recorded);
            match event::<Definition>(recorded)? {
                DefinitionEvent::DefinitionPublished { version, content } => {
                    versions.push(Version { version, content: *content, published: deed, verified: None });
                }
                DefinitionEvent::DefinitionVerified { version } => {
                    if let Some(found) = versions.iter_mut().find(|known| known.version == version) {
                        found.verified.get_or_insert(deed);
                    }
                }
                DefinitionEvent::DefinitionCreated { .. }
                | DefinitionEvent::DefinitionArchived {}
                | DefinitionEvent::OccurrenceWithheld { .. }
                | DefinitionEvent::OccurrenceSkipped { .. }
                | DefinitionEvent::OccurrenceMoved { .. }
                | DefinitionEvent::OccurrenceRestored { .. } => {}
            }
        }
        versions.reverse();
        Ok(versions)
    }
}

use chrono::{DateTime, Utc};
use leasehold_aggregates::definition::{Content, DefinitionState};
use leasehold_aggregates::run::{Want, wants_by_default};
use leasehold_aggregates::schedule::Altered;
use leasehold_aggregates::zones::{Zone, Zones};
use leasehold_projections::definitions::Standing;

use crate::engine::runs::controls::MAIN;

/// What a calendar has to know of one published definition.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing {
    pub id: String,
    pub slug: String,
    pub state: DefinitionState,
    /// The current version.
    pub version: u64,
    /// Whether a dry run of the current version has passed.
    pub verified: bool,
    /// Of the current version, without its storyline and its phases.
    pub content: Content,
    /// What people have changed of single occurrences.
    pub altered: Altered,
    /// Absent where this release of the zone rules does not know it.
    pub zone: Option<Zone>,
    /// What its runs want for themselves alone, in seconds from their start.
    pub wants: Vec<Want>,
    pub published_at: Option<DateTime<Utc>>,
}

impl Listing {
    pub fn is_archived(&self) -> bool {
        self.state == DefinitionState::Archived
    }

    /// Nothing of a definition that was never published.
    pub fn of(id: &str, standing: &Standing, zones: &Zones) -> Option<Self> {
        let definition = &standing.definition;
        let (version, content) = definition.current()?;
        let mut content = content.clone();
        let wants = wants_by_default(&content, MAIN);
        content.storyline.clear();
        content.plan.phases.clear();
        Some(Self {
            id: id.to_owned(),
            slug: definition.slug()?.to_owned(),
            state: definition.state(),
            version,
            verified: definition.is_verified(version),
            altered: definition.altered().clone(),
            zone: zones.find(&content.timezone).ok(),
            wants,
            published_at: standing.published_at,
            content,
        })
    }
}

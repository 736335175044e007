//! How a projector stands, for whoever asks whether the engine is ready.

use leasehold_projections::Projection;
use serde::Serialize;
use tokio::time::Instant;

/// One projector, as far as this process knows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProjectorStatus {
    pub name: &'static str,
    pub version: u32,
    /// The generation that answers reads; none before the first one of this version is built.
    pub generation: Option<u32>,
    /// The last position that its rows contain.
    pub position: u64,
    /// Whether this process leads it; another may.
    pub leads: bool,
    /// Position of the event in front of which it stopped for good; a program that can use the event goes on.
    pub stopped_at: Option<u64>,
    /// Why it stopped.
    pub why: Option<String>,
    /// The generation that is being built beside it.
    pub building: Option<BuildStatus>,
    /// When it last looked whether there is anything to do.
    #[serde(skip)]
    pub(super) looked: Instant,
}

/// A generation that is being built, by this process or another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BuildStatus {
    pub generation: u32,
    /// The last position that its rows contain.
    pub position: u64,
    /// Events a second, of late.
    pub rate: Option<u64>,
    /// Until it has caught up, at this rate.
    pub seconds_left: Option<u64>,
    /// Position of the event in front of which it stopped. It does not come to serve then.
    pub stopped_at: Option<u64>,
    pub why: Option<String>,
}

impl ProjectorStatus {
    pub(super) fn new(projection: &dyn Projection) -> Self {
        Self {
            name: projection.name(),
            version: projection.version(),
            generation: None,
            position: 0,
            leads: false,
            stopped_at: None,
            why: None,
            building: None,
            looked: Instant::now(),
        }
    }

    /// Another generation serves, or none: nothing that was said of the last one holds.
    pub(super) fn serves(&mut self, generation: Option<u32>) {
        if self.generation != generation {
            (self.generation, self.position, self.leads) = (generation, 0, false);
            (self.stopped_at, self.why) = (None, None);
        }
    }
}

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
    /// The last position that its rows contain.
    pub position: u64,
    /// Whether this process leads it; another may.
    pub leads: bool,
    /// Position of the event in front of which it stopped for good; a program that can use the event goes on.
    pub stopped_at: Option<u64>,
    /// Why it stopped.
    pub why: Option<String>,
    /// When it last looked whether there is anything to do.
    #[serde(skip)]
    pub(super) looked: Instant,
}

impl ProjectorStatus {
    pub(super) fn new(projection: &dyn Projection) -> Self {
        Self {
            name: projection.name(),
            version: projection.version(),
            position: 0,
            leads: false,
            stopped_at: None,
            why: None,
            looked: Instant::now(),
        }
    }
}

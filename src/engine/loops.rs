//! The loops of this engine, and which of them stand still.

use std::time::Duration;

use super::Engine;
use crate::telling::Beat;

/// The parts of a loop's patience after which a loop that has nothing to do looks again.
const LOOKS: u32 = 6;

/// How long a reader of the log rests behind a batch that was not full, so that under load whatever follows the log takes a
/// part of the machine and not all of it: what comes in a crowd is read in a crowd, and what comes alone at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rest {
    pub least: Duration,
    /// Times as long as the batch took.
    pub times: u32,
    pub longest: Duration,
}

impl Rest {
    pub fn behind(self, took: Duration) -> Duration {
        (took * self.times).clamp(self.least, self.longest.max(self.least))
    }
}

/// How long loops may stand still, and how often they look by themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience(Duration);

impl Patience {
    pub fn of_seconds(seconds: u64) -> Self {
        Self(Duration::from_secs(seconds))
    }

    /// A loop whose last beat is older than this stands still.
    pub fn limit(self) -> Duration {
        self.0
    }

    /// The longest that a loop sleeps between two looks.
    pub fn glance(self) -> Duration {
        (self.0 / LOOKS).min(Duration::from_secs(10))
    }
}

impl Engine {
    /// How long this engine's loops may stand still.
    pub fn patience(&self) -> Patience {
        Patience::of_seconds(self.settings.loop_patience_seconds)
    }

    /// Every loop that runs in this process, with the age of its last look; none before the engine runs.
    pub fn beats(&self) -> Vec<Beat> {
        let mut beats = self.pulse.beats();
        beats.extend(self.projectors().into_iter().flat_map(super::projector::Projectors::beats));
        beats
    }

    /// Those that stand still.
    pub fn stalled(&self) -> Vec<Beat> {
        let limit = self.patience().limit();
        self.beats().into_iter().filter(|beat| beat.age > limit).collect()
    }
}

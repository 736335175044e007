//! Whether the loops of this process are still at their work.
//!
//! A loop beats when it has really looked at what it is there for, and at no other time: nothing beats on its behalf, so a
//! loop that hangs grows old. Ages are of this process's own monotonic clock; no clock that is set changes them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// The loops of one engine. Cheap to clone.
#[derive(Clone)]
pub struct Pulse {
    since: Instant,
    /// Milliseconds from `since` to each loop's last beat.
    hearts: Arc<Mutex<BTreeMap<String, Arc<AtomicU64>>>>,
}

/// What a loop beats with.
#[derive(Clone)]
pub struct Heart {
    since: Instant,
    last: Arc<AtomicU64>,
}

/// One loop, as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beat {
    pub name: String,
    /// Since it last beat.
    pub age: Duration,
}

impl Default for Pulse {
    fn default() -> Self {
        Self { since: Instant::now(), hearts: Arc::default() }
    }
}

impl Pulse {
    /// A new loop of that name, which beats for the first time now.
    pub fn heart(&self, name: &str) -> Heart {
        let heart = Heart { since: self.since, last: Arc::default() };
        heart.beat();
        self.hearts.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), Arc::clone(&heart.last));
        heart
    }

    /// There is no such loop any more: it has nothing to look at.
    pub fn end(&self, name: &str) {
        self.hearts.lock().unwrap_or_else(PoisonError::into_inner).remove(name);
    }

    /// Every loop, by name.
    pub fn beats(&self) -> Vec<Beat> {
        self.beats_at(self.since.elapsed())
    }

    fn beats_at(&self, now: Duration) -> Vec<Beat> {
        let age = |last: &AtomicU64| now.saturating_sub(Duration::from_millis(last.load(Ordering::Relaxed)));
        let hearts = self.hearts.lock().unwrap_or_else(PoisonError::into_inner);
        hearts.iter().map(|(name, last)| Beat { name: name.clone(), age: age(last) }).collect()
    }
}

impl Heart {
    /// The loop has looked.
    pub fn beat(&self) {
        self.beat_at(self.since.elapsed());
    }

    fn beat_at(&self, now: Duration) {
        self.last.fetch_max(u64::try_from(now.as_millis()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_that_does_not_beat_grows_old_and_no_other_keeps_it_young() {
        let (pulse, hour) = (Pulse::default(), 3_600);
        let (looks, hangs) = (pulse.heart("looks"), pulse.heart("hangs"));
        let ages = |at: u64| {
            let beats = pulse.beats_at(Duration::from_secs(at)).into_iter();
            beats.map(|beat| (beat.name, beat.age.as_secs())).collect::<Vec<_>>()
        };
        for heart in [&looks, &hangs] {
            heart.beat_at(Duration::from_secs(hour));
        }
        looks.beat_at(Duration::from_secs(hour + 40));
        assert_eq!(ages(hour + 70), [("hangs".to_owned(), 70), ("looks".to_owned(), 30)]);
        hangs.clone().beat_at(Duration::from_secs(hour + 70));
        looks.beat_at(Duration::from_secs(hour));
        assert_eq!(ages(hour + 70), [("hangs".to_owned(), 0), ("looks".to_owned(), 30)]);
        pulse.end("hangs");
        assert_eq!(ages(hour + 90), [("looks".to_owned(), 50)], "what has ended grows no older");
    }
}

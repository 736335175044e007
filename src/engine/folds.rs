//! Aggregates that were folded before, kept for the next command.
//!
//! A fold is used for as long as the log's append task knows the stream to end where the fold does; it is fed by what this
//! engine reads and commits. Another engine may have written since, so a decision on remembered folds is a guess: an append
//! that rests on a wrong one is refused, and a refusal or a no-op is decided again on a fresh reading before anybody is told. A fold
//! that an append has shown to be wrong is dropped. What cannot be decoded is an error each time, and never kept.

use std::any::Any;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use leasehold_aggregates::decide::Decide;
use lru::LruCache;

use super::streams::{Loaded, StreamFault, load, stream};
use crate::log::{Log, StreamEnd, StreamId};

/// Aggregates that are kept.
const KEPT: NonZeroUsize = NonZeroUsize::new(1_024).unwrap();
/// Events of a stream whose fold is kept at most: a giant is read anew rather than kept beside a thousand others.
const LONGEST: u64 = 20_000;

/// Whether a reading may be answered from memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// What is remembered will do.
    Remembered,
    /// Everything is read from the log.
    Fresh,
}

/// The folds of one engine.
pub struct Folds(Mutex<LruCache<StreamId, Fold>>);

/// An aggregate as of an end of its stream.
pub struct Fold {
    stream: StreamId,
    end: StreamEnd,
    state: Arc<dyn Any + Send + Sync>,
}

impl Default for Folds {
    fn default() -> Self {
        Self(Mutex::new(LruCache::new(KEPT)))
    }
}

impl Folds {
    /// The aggregate as its stream stands, or as it is remembered; and whether it was.
    pub async fn load<A>(&self, log: &Log, id: &str, look: Look) -> Result<(Loaded<A>, bool), StreamFault>
    where
        A: Decide + Clone + Send + Sync + 'static,
    {
        if look == Look::Remembered
            && let Some(loaded) = self.remembered(log, id)
        {
            return Ok((loaded, true));
        }
        let era = log.era();
        let loaded: Loaded<A> = load(log, id).await?;
        self.keep([Fold::of(&loaded, era)]);
        Ok((loaded, false))
    }

    fn remembered<A>(&self, log: &Log, id: &str) -> Option<Loaded<A>>
    where
        A: Decide + Clone + Send + Sync + 'static,
    {
        let stream = stream::<A>(id);
        let end = log.stream_end(&stream)?;
        let state = {
            let mut folds = self.folds();
            let fold = folds.get(&stream).filter(|fold| fold.end == end)?;
            Arc::clone(&fold.state)
        };
        let state = state.downcast_ref::<A>()?.clone();
        Some(Loaded { id: id.to_owned(), state, sequence: end.sequence })
    }

    /// Keeps what was read or committed.
    pub fn keep(&self, folds: impl IntoIterator<Item = Fold>) {
        let mut kept = self.folds();
        for fold in folds {
            if fold.end.sequence <= LONGEST {
                kept.put(fold.stream.clone(), fold);
            } else {
                kept.pop(&fold.stream);
            }
        }
    }

    /// Forgets a stream of which an append has shown that it is not as it was remembered.
    pub fn drop(&self, stream: &StreamId) {
        self.folds().pop(stream);
    }

    fn folds(&self) -> MutexGuard<'_, LruCache<StreamId, Fold>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Fold {
    /// What was loaded while the log's memory was of this era.
    pub fn of<A>(loaded: &Loaded<A>, era: u64) -> Self
    where
        A: Decide + Clone + Send + Sync + 'static,
    {
        let end = StreamEnd { era, sequence: loaded.sequence };
        Self { stream: loaded.stream(), end, state: Arc::new(loaded.state.clone()) }
    }
}

//! One at a time on a stream, in the order of arrival: who decides and appends on a stream that others of this process write as
//! well need not lose to them again and again. The log needs no lane to be right; the lanes are for those who would wait for ever.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::OwnedMutexGuard;

use crate::log::StreamId;

/// Lanes known before those that nobody is in are swept out.
const SWEEP: usize = 1_024;

type Lane = tokio::sync::Mutex<()>;

/// The lanes of one engine.
#[derive(Default)]
pub struct Lanes(Mutex<HashMap<StreamId, Weak<Lane>>>);

/// Holds the lanes of some streams until it is dropped.
pub struct InLanes {
    _guards: Vec<OwnedMutexGuard<()>>,
}

impl Lanes {
    /// Waits for its turn in each of the lanes. They are taken in the order of their names, so that two who want the same wait
    /// for each other and not both for ever; who is in one lane already leaves it before asking for more.
    pub async fn enter(&self, streams: &BTreeSet<StreamId>) -> InLanes {
        let mut guards = Vec::with_capacity(streams.len());
        for stream in streams {
            let lane = self.lane(stream);
            guards.push(lane.lock_owned().await);
        }
        InLanes { _guards: guards }
    }

    fn lane(&self, stream: &StreamId) -> Arc<Lane> {
        let mut lanes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lane) = lanes.get(stream).and_then(Weak::upgrade) {
            return lane;
        }
        if lanes.len() >= SWEEP {
            lanes.retain(|_, lane| lane.strong_count() > 0);
        }
        let lane = Arc::new(Lane::default());
        lanes.insert(stream.clone(), Arc::downgrade(&lane));
        lane
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(ids: &[&str]) -> BTreeSet<StreamId> {
        ids.iter().map(|id| StreamId::new("lamp", *id)).collect()
    }

    #[tokio::test]
    async fn who_comes_first_goes_first_and_other_streams_go_beside() {
        let lanes = Arc::new(Lanes::default());
        let order = Arc::new(Mutex::new(Vec::new()));
        let first = lanes.enter(&named(&["a", "b"])).await;
        let waiting: Vec<_> = (0..5)
            .map(|turn| {
                let (lanes, order) = (Arc::clone(&lanes), Arc::clone(&order));
                tokio::spawn(async move {
                    let _in = lanes.enter(&named(if turn % 2 == 0 { &["a"] } else { &["a", "b"] })).await;
                    order.lock().unwrap().push(turn);
                })
            })
            .collect();
        tokio::task::yield_now().await;
        lanes.enter(&named(&["c"])).await;
        assert!(order.lock().unwrap().is_empty(), "nobody is in before the first has left");
        drop(first);
        futures::future::join_all(waiting).await.into_iter().for_each(Result::unwrap);
        assert_eq!(*order.lock().unwrap(), [0, 1, 2, 3, 4]);
    }

    #[tokio::test]
    async fn lanes_that_nobody_is_in_are_swept_out() {
        let lanes = Lanes::default();
        let held = lanes.enter(&named(&["held"])).await;
        for number in 0..3 * SWEEP {
            drop(lanes.enter(&named(&[&number.to_string()])).await);
        }
        assert!(lanes.0.lock().unwrap().len() <= SWEEP);
        assert!(lanes.lane(&StreamId::new("lamp", "held")).try_lock().is_err(), "but not the one that somebody is in");
        drop(held);
    }
}

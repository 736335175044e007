//! Which consumers this process leads.
//!
//! What the database decides: who holds each leadership row, by the expiry stored in it and its own clock. What this
//! process may conclude: that it *was* leader when the answer was sent. It may have slept since, so nothing rests on it:
//! the epoch fences every move of a cursor, and every command that a consumer gives can be found in the log by its id.
//! One statement renews all of them, twice in a term; a leader that dies is followed within three seconds.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use super::fault::told;
use crate::log::{Log, LogError};
use crate::telling::Heart;

/// The epochs of what this process leads, by consumer.
pub type Epochs = BTreeMap<String, u64>;

/// How long a term is, and how often it is renewed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Term {
    /// When a leader dies, the next follows within this.
    pub length: Duration,
    pub renewal: Duration,
}

impl Term {
    /// A term that is renewed after half of it.
    pub fn of(length: Duration) -> Self {
        Self { length, renewal: length / 2 }
    }
}

impl Default for Term {
    fn default() -> Self {
        Self::of(Duration::from_secs(3))
    }
}

/// This process as a candidate. Cheap to clone.
#[derive(Clone)]
pub struct Leaders(Arc<Candidate>);

struct Candidate {
    log: Log,
    holder: Uuid,
    term: Term,
    /// What it runs for, and for how many of its parts: who builds a generation and who follows it run for one consumer, and
    /// the one may come before the other has gone.
    wanted: Mutex<BTreeMap<String, u32>>,
    changed: Notify,
    won: watch::Sender<Epochs>,
}

impl Leaders {
    /// Runs for nothing yet; until `stop` is cancelled, when everything is given up.
    pub fn start(log: &Log, holder: Uuid, term: Term, heart: Heart, tasks: &TaskTracker, stop: &CancellationToken) -> Self {
        let (won, _) = watch::channel(Epochs::new());
        let (wanted, changed) = (Mutex::default(), Notify::new());
        let leaders = Self(Arc::new(Candidate { log: log.clone(), holder, term, wanted, changed, won }));
        tasks.spawn(leaders.clone().keep(heart, stop.clone()));
        leaders
    }

    /// Runs for this consumer, too, until whoever asks for it resigns.
    pub fn run_for(&self, consumer: &str) {
        let parts = self.wanted(|wanted| {
            let parts = wanted.entry(consumer.to_owned()).or_default();
            *parts += 1;
            *parts
        });
        if parts == 1 {
            self.0.changed.notify_one();
        }
    }

    /// Runs for it no longer, unless another part of this process does, and gives it up where it leads: another process need
    /// not wait for the expiry.
    pub async fn resign(&self, consumer: &str) {
        let others = self.wanted(|wanted| match wanted.get_mut(consumer) {
            Some(parts) if *parts > 1 => {
                *parts -= 1;
                true
            }
            _ => {
                wanted.remove(consumer);
                false
            }
        });
        if others {
            return;
        }
        let led = self.0.won.borrow().get(consumer).copied();
        self.publish(|won| won.remove(consumer).is_some());
        let Some(epoch) = led else { return };
        if let Err(error) = self.0.log.release(consumer, self.0.holder, epoch).await {
            tell(&error);
        }
    }

    /// What was won, as of late.
    pub fn epochs(&self) -> watch::Receiver<Epochs> {
        self.0.won.subscribe()
    }

    async fn keep(self, heart: Heart, stop: CancellationToken) {
        while !stop.is_cancelled() {
            let wanted: Vec<String> = self.wanted(|wanted| wanted.keys().cloned().collect());
            if !wanted.is_empty() {
                let epochs = self.0.log.acquire_all(&wanted, self.0.holder, self.0.term.length).await;
                match epochs {
                    Ok(epochs) => {
                        heart.beat();
                        self.settle(epochs).await;
                    }
                    Err(error) => {
                        tell(&error);
                        self.settle(Epochs::new()).await;
                    }
                }
            }
            tokio::select! {
                () = stop.cancelled() => {}
                () = self.0.changed.notified() => {}
                () = tokio::time::sleep(self.0.term.renewal) => {}
            }
        }
        if let Err(error) = self.0.log.release_all(self.0.holder).await {
            tell(&error);
        }
    }

    /// Publishes what was won, but for what was resigned while the answer was on its way: that is given back.
    async fn settle(&self, mut epochs: Epochs) {
        let mut resigned = Epochs::new();
        self.wanted(|wanted| {
            let kept = |consumer: &String| wanted.contains_key(consumer);
            resigned.extend(
                epochs.iter().filter(|(consumer, _)| !kept(consumer)).map(|(consumer, epoch)| (consumer.clone(), *epoch)),
            );
            epochs.retain(|consumer, _| kept(consumer));
            self.publish(|won| std::mem::replace(won, epochs.clone()) != epochs);
        });
        for (consumer, epoch) in resigned {
            if let Err(error) = self.0.log.release(&consumer, self.0.holder, epoch).await {
                tell(&error);
            }
        }
    }

    fn publish(&self, change: impl FnOnce(&mut Epochs) -> bool) {
        self.0.won.send_if_modified(change);
    }

    fn wanted<T>(&self, look: impl FnOnce(&mut BTreeMap<String, u32>) -> T) -> T {
        // Names and counts are whole whatever happened to whoever held it.
        look(&mut self.0.wanted.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn tell(error: &LogError) {
    tracing::warn!(error = %told(error), "leadership could not be renewed; another engine may take over");
}

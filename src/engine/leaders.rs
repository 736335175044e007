//! Which consumers this process leads.
//!
//! What the database decides: who holds each leadership row, by the expiry stored in it and its own clock. What this
//! process may conclude: that it *was* leader when the answer was sent. It may have slept since, so nothing rests on it:
//! the epoch fences every move of a cursor, and every command that a consumer gives can be found in the log by its id.
//! One statement a second renews all of them; a leader that dies is followed within three seconds.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::sync::watch;

use super::Engine;
use super::fault::told;
use crate::log::LogError;

const TTL: Duration = Duration::from_secs(3);
const RENEWAL: Duration = Duration::from_secs(1);

/// The epochs of what this process leads, by consumer.
pub type Epochs = BTreeMap<String, u64>;

/// Runs for leadership of all `consumers` until the engine stops, and says what was won.
pub fn run(engine: &Engine, consumers: Vec<String>) -> watch::Receiver<Epochs> {
    let (won, receiver) = watch::channel(Epochs::new());
    let engine = engine.clone();
    let heart = engine.pulse.heart("leadership");
    engine.clone().tasks.spawn(async move {
        while !engine.stop.is_cancelled() {
            match engine.log.acquire_all(&consumers, engine.holder, TTL).await {
                Ok(epochs) => {
                    heart.beat();
                    publish(&won, epochs);
                }
                Err(error) => {
                    tell(&error);
                    publish(&won, Epochs::new());
                }
            }
            tokio::select! {
                () = engine.stop.cancelled() => {}
                () = tokio::time::sleep(RENEWAL) => {}
            }
        }
        if let Err(error) = engine.log.release_all(engine.holder).await {
            tell(&error);
        }
    });
    receiver
}

fn publish(won: &watch::Sender<Epochs>, epochs: Epochs) {
    won.send_if_modified(|known| {
        let changed = *known != epochs;
        *known = epochs;
        changed
    });
}

fn tell(error: &LogError) {
    tracing::warn!(error = %told(error), "leadership could not be renewed; another engine may take over");
}

//! `triggers`: follows the log for the trigger files. What was recorded while nobody ran is caught up on; what the recording
//! engine has fired at once is found claimed. Firings that were left behind are looked for now and then.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use leasehold_aggregates::event::DecodeFault;

use super::STALE_AFTER;
use crate::engine::consumers::Consumer;
use crate::engine::fault::told;
use crate::engine::signals::Heard;
use crate::engine::signals::heard::known_here;
use crate::engine::{Engine, Fault};
use crate::log::Recorded;
use crate::telling::Heart;

/// How often claims that were left behind are looked for.
const LOOK: Duration = Duration::from_secs(10);
/// Claims taken over at one look.
const LIMIT: u32 = 50;

pub struct Dispatcher;

impl Consumer for Dispatcher {
    const NAME: &'static str = "triggers";

    fn known(kind: &str, event_type: &str, version: &str) -> Result<(), DecodeFault> {
        known_here(kind, event_type, version)
    }

    async fn handle(&self, engine: &Engine, event: &Arc<Recorded>) -> Result<(), Fault> {
        self.handle_all(engine, std::slice::from_ref(event), None).await
    }

    async fn handle_all(&self, engine: &Engine, events: &[Arc<Recorded>], pulse: Option<&Heart>) -> Result<(), Fault> {
        if engine.has_yet_to_hear_of(events).await? {
            return Err(Fault::Busy);
        }
        let awaited: BTreeSet<String> = engine.trigger_files().iter().map(|file| file.on.clone()).collect();
        for heard in engine.hear(events, &awaited).await? {
            engine.fire_all(&heard).await?;
            if let Some(heart) = pulse {
                heart.beat();
            }
        }
        Ok(())
    }
}

impl Engine {
    /// Fires every file that is on this signal.
    async fn fire_all(&self, heard: &Heard) -> Result<(), Fault> {
        for file in self.trigger_files().iter().filter(|file| file.is_on(heard)) {
            self.fire(file, heard).await?;
        }
        Ok(())
    }

    /// Fires on signals that this engine has just recorded, without waiting for the consumer to come by. Neither delays the
    /// recording nor can undo it.
    pub(in crate::engine) fn fire_at_once(&self, signals: Vec<Heard>) {
        let files = self.trigger_files();
        let signals: Vec<Heard> = signals.into_iter().filter(|heard| files.iter().any(|file| file.is_on(heard))).collect();
        if signals.is_empty() {
            return;
        }
        let engine = self.clone();
        self.tasks.spawn(async move {
            for heard in signals {
                if let Err(fault) = engine.fire_all(&heard).await {
                    tracing::warn!(position = heard.position, error = %told(&fault), "a firing is left to the consumer");
                }
            }
        });
    }

    /// Takes over what was left behind, until the engine stops.
    pub(in crate::engine) async fn take_over_firings(self) {
        while !self.stop.is_cancelled() {
            if let Err(fault) = self.take_over_once().await {
                tracing::warn!(error = %told(&fault), "firings that were left behind could not be looked for");
            }
            tokio::select! {
                () = self.stop.cancelled() => return,
                () = tokio::time::sleep(LOOK) => {}
            }
        }
    }

    /// One look; how many firings were taken up.
    pub async fn take_over_once(&self) -> Result<usize, Fault> {
        let mut taken = 0;
        for (consumer, position) in self.log.claimable_firings(STALE_AFTER, LIMIT).await? {
            let files = self.trigger_files();
            let Some(file) = files.iter().find(|file| file.consumer() == consumer) else { continue };
            let events = self.log.read_after(Some(position.saturating_sub(1)), 1).await?;
            for heard in self.hear(&events, &BTreeSet::from([file.on.clone()])).await? {
                self.fire(file, &heard).await?;
                taken += 1;
            }
        }
        Ok(taken)
    }
}

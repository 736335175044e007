//! A projector's life: run for leadership of the generation that serves, apply batch after batch, wait for word, hand over.

use std::time::Duration;

use leasehold_projections::{Generation, generations};
use tokio::sync::watch;
use tokio::time::Instant;

use super::Post;
use super::batch::{Batch, BatchFault, Stand};
use super::lookout::Looked;
use super::standing::{State, find};
use crate::engine::crash;
use crate::engine::fault::told;
use crate::engine::leaders::Epochs;
use crate::log::LogError;

/// What follows a batch.
enum Next {
    At(u64),
    AtHead,
    Ended(Ended),
}

/// Why somebody does not lead any more.
#[derive(PartialEq, Eq)]
enum Ended {
    /// Another leads, the generation is gone, or the process stops.
    Over,
    /// An event cannot be used: nobody is to try again here.
    Stopped,
}

impl Post {
    /// Keeps whichever generation serves, one after the other, until the process stops.
    pub async fn follow(self, mut looked: watch::Receiver<Looked>) {
        while let Some(generation) = self.next(&mut looked, State::Serving).await {
            let consumer = generation.consumer();
            self.leaders.run_for(&consumer);
            self.serve(generation, &mut looked).await;
            if !self.stop.is_cancelled() {
                self.leaders.resign(&consumer).await;
            }
        }
    }

    /// Waits for a generation of ours in that state; none when the process stops.
    pub(super) async fn next(&self, looked: &mut watch::Receiver<Looked>, state: State) -> Option<Generation> {
        loop {
            if self.stop.is_cancelled() {
                return None;
            }
            if state == State::Serving {
                self.looked();
            }
            let found = find(&looked.borrow_and_update(), self.projection.as_ref(), state);
            if found.is_some() {
                return found;
            }
            if !self.word(looked).await {
                return None;
            }
        }
    }

    /// Waits for another look, or a while; false when there will be none.
    async fn word(&self, looked: &mut watch::Receiver<Looked>) -> bool {
        tokio::select! {
            () = self.stop.cancelled() => false,
            changed = looked.changed() => changed.is_ok(),
            () = tokio::time::sleep(self.pace.pause) => true,
        }
    }

    pub(super) fn is_still(&self, looked: &watch::Receiver<Looked>, state: State, generation: Generation) -> bool {
        find(&looked.borrow(), self.projection.as_ref(), state) == Some(generation)
    }

    /// Leads whenever it is elected, for as long as this generation serves.
    async fn serve(&self, generation: Generation, looked: &mut watch::Receiver<Looked>) {
        let (consumer, mut epochs) = (generation.consumer(), self.leaders.epochs());
        while !self.stop.is_cancelled() && self.is_still(looked, State::Serving, generation) {
            looked.borrow_and_update();
            self.looked();
            let elected = epochs.borrow_and_update().get(&consumer).copied();
            if let Some(epoch) = elected {
                self.tell_lead(generation, true);
                let led = self.lead(generation, epoch, looked, &mut epochs).await;
                self.tell_lead(generation, false);
                match led {
                    Ok(Ended::Over) => {}
                    Ok(Ended::Stopped) => {
                        self.leaders.resign(&consumer).await;
                        while self.is_still(looked, State::Serving, generation) && self.word(looked).await {}
                        return;
                    }
                    Err(error) => {
                        tracing::warn!(consumer, error = %told(&error), "a projection is tried again");
                        self.pause(self.pace.pause).await;
                        continue;
                    }
                }
            }
            tokio::select! {
                () = self.stop.cancelled() => {}
                _ = epochs.changed() => {}
                _ = looked.changed() => {}
                () = tokio::time::sleep(self.pace.pause) => {}
            }
        }
    }

    /// Leads until something ends it.
    async fn lead(
        &self,
        generation: Generation,
        epoch: u64,
        looked: &mut watch::Receiver<Looked>,
        epochs: &mut watch::Receiver<Epochs>,
    ) -> Result<Ended, LogError> {
        let (mut nudge, consumer) = (self.log.subscribe(), generation.consumer());
        let mut position = self.position(generation).await?;
        let leads = |epochs: &watch::Receiver<Epochs>| epochs.borrow().get(&consumer) == Some(&epoch);
        while !self.stop.is_cancelled() && leads(epochs) && self.is_still(looked, State::Serving, generation) {
            nudge.borrow_and_update();
            looked.borrow_and_update();
            let begun = Instant::now();
            let next = self.batch(generation, epoch, position).await?;
            self.looked();
            match next {
                Next::Ended(ended) => return Ok(ended),
                Next::At(to) if self.is_full(position, to) => {
                    position = to;
                    continue;
                }
                Next::At(to) => {
                    position = to;
                    self.rest(begun.elapsed()).await;
                    if nudge.borrow_and_update().is_some_and(|reached| reached > to) {
                        continue;
                    }
                }
                Next::AtHead => {}
            }
            self.wait_for_word(looked, epochs, &mut nudge).await;
        }
        Ok(Ended::Over)
    }

    /// At the head of the log, until it has grown or the generations or leaders may be others. Nobody is asked meanwhile.
    async fn wait_for_word(
        &self,
        looked: &mut watch::Receiver<Looked>,
        epochs: &mut watch::Receiver<Epochs>,
        nudge: &mut watch::Receiver<Option<u64>>,
    ) {
        self.drop_what_nobody_needs(looked).await;
        loop {
            self.looked();
            tokio::select! {
                () = self.stop.cancelled() => return,
                _ = nudge.changed() => return,
                _ = epochs.changed() => return,
                _ = looked.changed() => return,
                () = tokio::time::sleep(self.pace.pause) => {}
            }
        }
    }

    /// Whether there may be more behind a batch.
    fn is_full(&self, from: u64, to: u64) -> bool {
        to <= from || to - from >= u64::from(self.pace.batch)
    }

    async fn batch(&self, generation: Generation, epoch: u64, position: u64) -> Result<Next, LogError> {
        let stand = Stand { log: &self.log, projection: self.projection.as_ref(), generation, epoch, position };
        match stand.batch(self.pace.batch).await {
            Ok(Batch::Moved(to)) => {
                self.tell(generation, |status| status.position = to);
                Ok(Next::At(to))
            }
            Ok(Batch::AtHead) => Ok(Next::AtHead),
            Ok(Batch::Lost) => {
                self.look.notify_one();
                Ok(Next::Ended(Ended::Over))
            }
            Err(BatchFault::Poison { position: at, source }) => {
                self.stopped(stand, at, told(source.as_ref())).await?;
                Ok(Next::Ended(Ended::Stopped))
            }
            Err(trouble @ BatchFault::Trouble(_)) => {
                tracing::warn!(consumer = generation.consumer(), error = %told(&trouble), "a batch is tried again");
                self.pause(self.pace.pause).await;
                // The answer to a commit may be what was lost.
                Ok(Next::At(self.position(generation).await?))
            }
        }
    }

    async fn stopped(&self, stand: Stand<'_>, at: u64, why: String) -> Result<(), LogError> {
        tracing::error!(
            consumer = stand.generation.consumer(),
            position = at,
            why,
            "a projection has stopped in front of an event that it cannot use; its rows stay as they are"
        );
        stand.mark_stopped(at, &why).await?;
        self.tell(stand.generation, |status| (status.stopped_at, status.why) = (Some(at), Some(why)));
        Ok(())
    }

    /// Drops what was retired, and what only engines of older versions needed, when none has been seen for long.
    async fn drop_what_nobody_needs(&self, looked: &watch::Receiver<Looked>) {
        let (name, version) = (self.projection.name(), self.projection.version());
        let keep = self.pace.keep.as_secs();
        let useless = looked.borrow().iter().any(|standing| {
            standing.name == name
                && (standing.version == version && standing.state == State::Retired
                    || standing.version < version && standing.unled_seconds >= keep)
        });
        if !useless {
            return;
        }
        let dropped = async {
            let mut connection = self.log.pool().acquire().await?;
            let keep = self.pace.keep.as_secs_f64();
            generations::drop_one(&mut connection, self.projection.as_ref(), keep, || crash::point("rebuild.drop")).await
        };
        match dropped.await {
            Ok(Some((version, generation))) => {
                tracing::info!(projection = name, version, generation, "tables that nobody needs any more were dropped");
                self.look.notify_one();
            }
            Ok(None) => {}
            Err(error) => tracing::warn!(projection = name, error = %told(&error), "old tables could not be dropped yet"),
        }
    }

    /// Where the rows stand, by the cursor itself.
    async fn position(&self, generation: Generation) -> Result<u64, LogError> {
        let position = self.log.cursor(&generation.consumer()).await?.map_or(0, |cursor| cursor.position);
        self.tell(generation, |status| status.position = position);
        Ok(position)
    }

    /// Wakes nobody who waits for a position.
    fn looked(&self) {
        self.told.send_if_modified(|status| {
            status.looked = Instant::now();
            false
        });
    }

    fn tell_lead(&self, generation: Generation, leads: bool) {
        self.tell(generation, |status| status.leads = leads);
    }

    fn tell(&self, generation: Generation, change: impl FnOnce(&mut super::ProjectorStatus)) {
        self.told.send_if_modified(|status| {
            let meant = status.generation == Some(generation.number);
            if meant {
                change(status);
            }
            meant
        });
    }

    /// Behind a batch that took so long, unless somebody waits for rows.
    async fn rest(&self, took: Duration) {
        tokio::select! {
            () = self.pause(self.pace.rest.behind(took)) => {}
            () = self.hurry.notified() => {}
        }
    }

    pub(super) async fn pause(&self, pause: Duration) {
        tokio::select! {
            () = self.stop.cancelled() => {}
            () = tokio::time::sleep(pause) => {}
        }
    }
}

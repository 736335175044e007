//! Following what games report. One engine leads each feed, by a row; its place in the feed is that consumer's cursor, and
//! moves in the append that records what was read. An engine that dies in between has recorded nothing, and the next one
//! reads the same again; what was recorded before is found under its own name.

use std::time::Duration;

use leasehold_module::{FeedAnswer, FeedAsk, FeedPlace, FeedRead};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::ingest::{FEED, Way};
use crate::engine::Engine;
use crate::engine::fault::told;
use crate::engine::leaders::{Epochs, Leaders};
use crate::log::{Cursor, LogError};
use crate::telling::{Heart, catalogue as c};

/// Reports read at once.
const LIMIT: u32 = 200;
/// How long an ask may wait at the other end, in milliseconds.
const WAIT_MS: u64 = 2_000;
/// Pause after an empty answer that came at once, and after trouble.
const PAUSE: Duration = Duration::from_millis(250);
const LONG_PAUSE: Duration = Duration::from_secs(1);

impl Engine {
    /// Follows the feed of every module that declares triggers, in every scope.
    pub(in crate::engine) fn follow_feeds(&self, leaders: &Leaders) {
        let registry = self.registry();
        let modules = registry.modules().iter().filter(|module| !module.manifest().triggers.is_empty());
        for module in modules.filter(|module| module.manifest().id != super::own::EVENT) {
            for scope in &self.scopes {
                self.follow_feed(&module.manifest().id, scope, leaders);
            }
        }
    }

    /// Follows one feed, until it turns out that there is none.
    pub(in crate::engine) fn follow_feed(&self, module: &str, scope: &str, leaders: &Leaders) -> JoinHandle<()> {
        let way = Way { module: module.to_owned(), scope: scope.to_owned() };
        self.tasks.spawn(follow(self.clone(), way, leaders.clone()))
    }
}

/// One feed, as this engine follows it.
struct Follower {
    engine: Engine,
    way: Way,
    leaders: Leaders,
    epochs: watch::Receiver<Epochs>,
    /// The feed that is there, once it has answered.
    feed: Option<String>,
    /// Where its cursor is, while this engine leads it: nobody else moves it, and the append refuses us where that is wrong.
    cursor: Option<Cursor>,
    heart: Heart,
    /// What went wrong last, if it did: the same again is not told again.
    trouble: Option<String>,
}

/// Follows one feed until the engine stops, or it turns out that there is none.
async fn follow(engine: Engine, way: Way, leaders: Leaders) {
    let epochs = leaders.epochs();
    let name = way.name();
    let heart = engine.pulse.heart(&name);
    let mut follower = Follower { engine, way, leaders, epochs, feed: None, cursor: None, heart, trouble: None };
    let stop = follower.engine.stop.clone();
    while !stop.is_cancelled() && !follower.engine.is_read_only() {
        let pause = match follower.step().await {
            Step::NoFeed => {
                follower.engine.pulse.end(&name);
                return;
            }
            Step::Read => {
                follower.heart.beat();
                continue;
            }
            Step::Nothing => {
                follower.heart.beat();
                follower.trouble = None;
                PAUSE
            }
            Step::Trouble(error) => {
                follower.tell(error);
                LONG_PAUSE
            }
        };
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
    }
}

enum Step {
    NoFeed,
    Read,
    Nothing,
    Trouble(String),
}

impl Follower {
    fn tell(&mut self, error: String) {
        self.cursor = None;
        if self.trouble.as_ref() != Some(&error) {
            let (module, scope) = (&self.way.module, &self.way.scope);
            tracing::warn!(kind = FEED, module, scope, error, "a feed cannot be followed; it is asked again every second");
            self.trouble = Some(error);
        }
    }

    async fn step(&mut self) -> Step {
        let cursor = match self.led().await {
            Ok(cursor) => cursor,
            Err(error) => return Step::Trouble(told(&error)),
        };
        if self.feed.is_some() && cursor.is_none() {
            return Step::Nothing;
        }
        let after = self.feed.clone().zip(cursor).map(|(feed, cursor)| FeedPlace { feed, number: cursor.position });
        let ask = FeedAsk { scope: self.way.scope.clone(), after, limit: LIMIT, wait_ms: WAIT_MS };
        let registry = self.engine.registry();
        let Some(module) = registry.module(&self.way.module) else { return Step::NoFeed };
        let stop = self.engine.stop.clone();
        let answer = tokio::select! {
            () = stop.cancelled() => return Step::Nothing,
            answer = module.feed(ask) => answer,
        };
        match answer {
            FeedAnswer::NoFeed => Step::NoFeed,
            FeedAnswer::Failed(failure) => {
                // That a game is away is told of its link; this loop has looked.
                self.heart.beat();
                Step::Trouble(failure.to_string())
            }
            FeedAnswer::Read(read) => self.take(cursor, &read).await,
        }
    }

    /// The cursor, if this engine leads the feed.
    async fn led(&mut self) -> Result<Option<Cursor>, LogError> {
        let Some(feed) = &self.feed else { return Ok(None) };
        let consumer = self.way.consumer(feed);
        let epoch = self.epochs.borrow_and_update().get(&consumer).copied();
        if self.cursor.is_none_or(|cursor| Some(cursor.epoch) != epoch) {
            self.cursor = match epoch {
                Some(epoch) => self.engine.log.cursor(&consumer).await?.filter(|cursor| cursor.epoch == epoch),
                None => None,
            };
        }
        Ok(self.cursor)
    }

    async fn take(&mut self, cursor: Option<Cursor>, read: &FeedRead) -> Step {
        if self.feed.as_deref() != Some(&read.feed) {
            self.change(read).await;
            return Step::Nothing;
        }
        let Some(cursor) = cursor.filter(|cursor| read.through > cursor.position) else { return Step::Nothing };
        let consumer = self.way.consumer(&read.feed);
        if read.lost > 0 {
            let lost = read.lost;
            c::FEED_LOST.add(&[&self.way.module, &self.way.scope], lost);
            tracing::error!(feed = consumer, lost, "reports of a game are not kept any more; gates may wait for them in vain");
        }
        match self.engine.take_in(&self.way, &consumer, cursor, read).await {
            Ok(()) => {
                self.cursor = Some(Cursor { position: read.through, ..cursor });
                Step::Read
            }
            Err(fault) => Step::Trouble(told(&fault)),
        }
    }

    /// Another feed is there than before: its reports are read from its beginning.
    async fn change(&mut self, read: &FeedRead) {
        if let Some(before) = self.feed.take() {
            tracing::warn!(module = self.way.module, scope = self.way.scope, "a game's reports begin anew");
            self.leaders.resign(&self.way.consumer(&before)).await;
        }
        self.leaders.run_for(&self.way.consumer(&read.feed));
        (self.feed, self.cursor) = (Some(read.feed.clone()), None);
    }
}

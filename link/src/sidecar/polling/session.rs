//! A game that comes by HTTP: it says hello once, then polls. One session is what one connection is to a game that dials in
//! by TCP, with the same frames and the same promises.
//!
//! Frames down are numbered from 1 in their session and given again until the game names them as taken, so that an answer
//! that is lost on the way loses nothing.

use crate::sidecar::{
    exchange::{Exchange, Installed},
    feed::{Fault, FeedStore, Incoming},
    order::Order,
};
use leasehold_link::wire::Hello;
use serde_json::{Map, Value};
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::{
    sync::{Mutex as Turn, mpsc},
    time::Instant,
};
use tokio_util::sync::CancellationToken;

/// Commands that are out at once, given and not yet taken.
const OUT: usize = 256;

/// One game's time on its line.
pub struct Session {
    exchange: Arc<Exchange>,
    number: u64,
    scope: Arc<str>,
    boot_id: Arc<str>,
    replaced: CancellationToken,
    /// Held by the poll that waits. A newer poll ends its wait.
    turn: Turn<Orders>,
    pace: Mutex<Pace>,
}

/// What goes down.
struct Orders {
    waiting: mpsc::Receiver<Arc<Order>>,
    /// Given, and not yet named as taken, with their numbers.
    out: VecDeque<(u64, Arc<Order>)>,
    numbered: u64,
}

struct Pace {
    /// Ends the wait of the poll that has the turn.
    hurry: CancellationToken,
    polls: u32,
    /// When the last poll ended, while none is under way.
    quiet_since: Instant,
}

/// What a poll brings.
pub struct Poll {
    /// Frames up, in order.
    pub frames: Vec<Map<String, Value>>,
    /// The number of the last frame down that the game has taken.
    pub after: u64,
    /// How long an empty answer may wait for a command.
    pub wait: Duration,
}

/// What a poll is answered.
pub struct Answer {
    /// Up to which `seq` reports are kept; none where this poll brought none.
    pub kept: Option<u64>,
    pub commands: Vec<(u64, String)>,
}

/// Why a poll is not answered.
pub enum PollFailure {
    /// Another connection has the line.
    Over,
    /// The disk does not take the reports; nothing else of the poll is undone by that.
    Disk(Fault),
}

impl Session {
    /// A game that was accepted takes the line of its scope.
    pub fn install(exchange: Arc<Exchange>, hello: Hello) -> Self {
        let (scope, boot_id) = (hello.scope.as_str().into(), hello.boot_id.as_str().into());
        let Installed { number, orders, replaced } = exchange.install(hello);
        let turn = Turn::new(Orders { waiting: orders, out: VecDeque::new(), numbered: 0 });
        let pace = Mutex::new(Pace { hurry: CancellationToken::new(), polls: 0, quiet_since: Instant::now() });
        Self { exchange, number, scope, boot_id, replaced, turn, pace }
    }

    fn pace(&self) -> MutexGuard<'_, Pace> {
        self.pace.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes what the game says and gives what is to be done, waiting for it where nothing is.
    pub async fn poll(&self, poll: Poll, feed: &FeedStore) -> Result<Answer, PollFailure> {
        if self.replaced.is_cancelled() {
            return Err(PollFailure::Over);
        }
        let (hurry, _under_way) = self.begin();
        let kept = self.hear(poll.frames, feed).await.map_err(PollFailure::Disk)?;
        // What was kept is told at once.
        let wait = if kept.is_some() { Duration::ZERO } else { poll.wait };
        let mut orders = self.turn.lock().await;
        orders.taken(poll.after);
        let patience = Instant::now() + wait;
        loop {
            let commands = orders.lines(&self.exchange);
            if !commands.is_empty() {
                return Ok(Answer { kept, commands });
            }
            let order = tokio::select! {
                biased;
                () = self.replaced.cancelled() => return Err(PollFailure::Over),
                order = orders.waiting.recv() => order.ok_or(PollFailure::Over)?,
                () = hurry.cancelled() => return Ok(Answer { kept, commands }),
                () = tokio::time::sleep_until(patience) => return Ok(Answer { kept, commands }),
            };
            orders.give(order);
        }
    }

    /// This poll is the newest: the one before it waits no longer.
    fn begin(&self) -> (CancellationToken, UnderWay<'_>) {
        let mut pace = self.pace();
        pace.polls += 1;
        let hurry = CancellationToken::new();
        std::mem::replace(&mut pace.hurry, hurry.clone()).cancel();
        (hurry, UnderWay(self))
    }

    /// Answers go to who waits for them, reports to the disk.
    async fn hear(&self, frames: Vec<Map<String, Value>>, feed: &FeedStore) -> Result<Option<u64>, Fault> {
        let (done, mut told) = mpsc::unbounded_channel();
        let (mut handed, mut kept) = (0_usize, None);
        for frame in frames {
            if let Some(report) = self.exchange.hear(frame) {
                let (scope, boot_id, done) = (Arc::clone(&self.scope), Arc::clone(&self.boot_id), done.clone());
                feed.accept(Incoming { scope, boot_id, frame: report, done }).await?;
                handed += 1;
            }
        }
        for _ in 0..handed {
            kept = kept.max(told.recv().await.unwrap_or_else(|| Err(Fault::stopped()))?);
        }
        Ok(kept)
    }

    /// Whether the game is gone: replaced, or silent for that long.
    pub fn is_over(&self, silence: Duration) -> bool {
        let pace = self.pace();
        self.replaced.is_cancelled() || (pace.polls == 0 && pace.quiet_since.elapsed() > silence)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.exchange.remove(self.number);
    }
}

/// A poll that is under way; it ends however its request does.
struct UnderWay<'a>(&'a Session);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        let mut pace = self.0.pace();
        pace.polls -= 1;
        pace.quiet_since = Instant::now();
    }
}

impl Orders {
    /// The game has these: they are not given again.
    fn taken(&mut self, after: u64) {
        while self.out.front().is_some_and(|(number, _)| *number <= after) {
            self.out.pop_front();
        }
    }

    fn give(&mut self, order: Arc<Order>) {
        self.numbered += 1;
        self.out.push_back((self.numbered, order));
    }

    /// The lines of all that is out, as they are now, and of whatever waits, as far as there is room. What nobody waits for
    /// any more before it was ever given is left out, and so is what has run out of time.
    fn lines(&mut self, exchange: &Exchange) -> Vec<(u64, String)> {
        while self.out.len() < OUT {
            let Ok(order) = self.waiting.try_recv() else { break };
            self.give(order);
        }
        let now = std::time::Instant::now();
        let line = |order: &Order| if order.is_sent() { order.line(now).ok() } else { exchange.line_of(order) };
        let mut lines = Vec::new();
        self.out.retain(|(number, order)| line(order).map(|line| lines.push((*number, line))).is_some());
        lines
    }
}

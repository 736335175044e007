//! The one thread that owns the game. Everything comes to it as an [`Ask`], in order. Commands that wait together are begun together
//! and answered together, each pair of flushes for all of them; they run one after the other.

mod answer;
mod begin;
mod commit;
mod console;
mod deadlines;
mod execute;
mod falls;
mod gate;
mod inbound;
mod lives;
mod objects;
mod reports;
mod start;
mod walk;
mod worlds;

use reports::Reports;
pub use start::{StartFailure, Started, start};

use crate::{
    audit::Audit, call::Call, clock::GameClock, console::Command, faults::Faults, game::Game, journal::Journal, keys::KeyStore,
    outbox::Outbox,
};
use leasehold_link::{disk, wire::Line};
use serde_json::Value;
use std::{collections::VecDeque, io, path::PathBuf, sync::Arc, time::Instant};
use tokio::{
    runtime::Handle,
    sync::{mpsc, oneshot},
};

/// How many asks are looked at before what they decided is flushed.
const AT_ONCE: usize = 64;
/// How many serials are reserved on disk at a time.
const SERIAL_BLOCK: u32 = 4096;

/// Something for the game to do.
#[derive(Debug)]
pub enum Ask {
    /// The link welcomed the game.
    Connected {
        number: u64,
        outbox: Outbox,
    },
    Disconnected {
        number: u64,
    },
    /// A line came over the link.
    Line {
        line: Line,
        received_ms: i64,
        outbox: Outbox,
    },
    /// A person at the console.
    Console {
        command: Command,
        answer: oneshot::Sender<Value>,
    },
    Tick,
    Stop,
}

/// The game and all that it writes to.
pub struct Core {
    game: Game,
    clock: Arc<GameClock>,
    boot_id: String,
    directory: PathBuf,
    keys: KeyStore,
    journal: Journal,
    audit: Audit,
    faults: Faults,
    /// Fresh commands whose keys are reserved, but not yet on the disk.
    begun: Vec<Call>,
    /// What is said once it is on the disk, in order.
    unsaid: Vec<commit::Unsaid>,
    /// Commands whose handlers defer.
    deferred: Vec<Call>,
    link: Option<(u64, Outbox)>,
    reports: Reports,
    presence: lives::Presence,
    /// Snapshots under way, the first in front.
    walks: VecDeque<walk::Walk>,
    walked: walk::Walked,
    /// The longest that one piece of work has taken since it was last told, in microseconds.
    longest_ask_us: u128,
    timers: Handle,
    stopping: bool,
}

impl Core {
    /// Does what is asked until told to stop. An error means that the audit cannot be written: the game stops rather than act unseen.
    pub fn run(mut self, mut asks: mpsc::Receiver<Ask>) -> io::Result<()> {
        while !self.stopping
            && let Some(ask) = asks.blocking_recv()
        {
            self.timed(|core| core.take(ask))?;
            for _ in 1..AT_ONCE {
                let Ok(ask) = asks.try_recv() else { break };
                self.timed(|core| core.take(ask))?;
            }
            let ran = !self.begun.is_empty();
            self.timed(Self::run_begun)?;
            // Where more commands wait, their keys and these answers are flushed together.
            if !ran || asks.is_empty() {
                self.timed(Self::commit)?;
            }
        }
        self.say_goodbye();
        self.commit()
    }

    /// Does one ask. Commands that may wait for others to begin with are begun; anything else finds them done and answered.
    fn take(&mut self, ask: Ask) -> io::Result<()> {
        if !matches!(ask, Ask::Line { .. }) {
            self.settle_up()?;
        }
        self.game.now_ms = self.clock.now_ms();
        self.expire()?;
        match ask {
            Ask::Connected { number, outbox } => {
                self.link = Some((number, outbox));
                self.tell_unkept();
                self.check_what_works();
            }
            Ask::Disconnected { number } => self.link = self.link.take().filter(|(current, _)| *current != number),
            Ask::Line { line, received_ms, outbox } => self.receive(&line, received_ms, &outbox)?,
            Ask::Console { command, answer } => {
                let told = self.obey(command)?;
                self.commit()?;
                drop(answer.send(told));
            }
            Ask::Tick => self.tick()?,
            Ask::Stop => self.stopping = true,
        }
        Ok(())
    }

    /// Does a piece of work, and remembers how long it took if none took longer.
    fn timed(&mut self, work: impl FnOnce(&mut Self) -> io::Result<()>) -> io::Result<()> {
        let begun = Instant::now();
        let done = work(self);
        self.longest_ask_us = self.longest_ask_us.max(begun.elapsed().as_micros());
        done
    }

    /// Makes sure that at least that many serials may be given out, by reserving more on disk first.
    fn ensure_serials(&mut self, wanted: u32) -> io::Result<()> {
        if self.game.world.serials_left() >= wanted {
            return Ok(());
        }
        let end = self.game.world.reserved_to().saturating_add(wanted.max(SERIAL_BLOCK));
        disk::replace(&self.directory.join("serials"), end.to_string().as_bytes())?;
        self.game.world.reserve_serials(0, end);
        Ok(())
    }
}

#[cfg(test)]
mod tests;

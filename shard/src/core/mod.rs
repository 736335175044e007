//! The one thread that owns the game. Everything comes to it as an [`Ask`], in order, and is done before the next is looked at.

mod answer;
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
    audit::{Audit, Row},
    call::Call,
    clock::GameClock,
    console::Command,
    disk,
    faults::Faults,
    game::Game,
    journal::Journal,
    keys::KeyStore,
    outbox::Outbox,
};
use leasehold_link::wire::Line;
use serde_json::Value;
use std::{collections::VecDeque, io, path::PathBuf, sync::Arc, time::Instant};
use tokio::{
    runtime::Handle,
    sync::{mpsc, oneshot},
};

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
    /// Commands whose handlers defer.
    deferred: Vec<Call>,
    link: Option<(u64, Outbox)>,
    reports: Reports,
    presence: lives::Presence,
    /// Snapshots under way, the first in front.
    walks: VecDeque<walk::Walk>,
    /// The longest that one ask has taken since it was last told, in microseconds.
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
            let begun = Instant::now();
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
                    drop(answer.send(told));
                }
                Ask::Tick => self.tick()?,
                Ask::Stop => self.stopping = true,
            }
            self.longest_ask_us = self.longest_ask_us.max(begun.elapsed().as_micros());
        }
        self.say_goodbye();
        Ok(())
    }

    fn record(&mut self, row: &Row) -> io::Result<()> {
        self.audit.record(self.game.now_ms, row)
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

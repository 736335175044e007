//! A small game that declares itself: lanterns that are hung up, and values that are lent. It speaks the wire over a real
//! connection, keeps every promise of a game's half, and breaks the one that it is told to break.

#![allow(dead_code, reason = "each test binary uses a part of it")]

mod acts;
mod game;
mod line;
mod manifest;
mod values;

use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::{Value, json};
use tokio::task::JoinHandle;

pub use game::{Fault, Game};
pub use manifest::manifest;

/// The game, dialling a link for as long as this lives.
pub struct Lanterns {
    game: Arc<Mutex<Game>>,
    dialling: JoinHandle<()>,
}

impl Lanterns {
    /// Dials that address as the game of that scope.
    pub fn dial(address: &str, scope: &str, manifest: Option<Value>) -> Self {
        let game = Arc::new(Mutex::new(Game::new(scope, manifest)));
        let dialling = tokio::spawn(line::dial(address.to_owned(), Arc::clone(&game)));
        Self { game, dialling }
    }

    /// The whole world, to be compared: what hangs where and whose it is, and every value as it is in use.
    pub fn world(&self) -> Value {
        self.game().world()
    }

    /// Somebody of the staff sets a value, past every lease.
    pub fn set(&self, lease: &str, value: &str) {
        self.game().set(lease, value);
    }

    /// What a value does, seen by another reader than the lease's own.
    pub fn shines(&self, lease: &str) -> String {
        self.game().in_use(lease)
    }

    /// The next command of that kind meets this.
    pub fn fault(&self, kind: &str, fault: Fault) {
        self.game().faults.insert(kind.to_owned(), fault);
    }

    /// The next command of that kind is not looked at, and answered so.
    pub fn say_next(&self, kind: &str, answer: Value) {
        self.game().prepared.insert(kind.to_owned(), answer);
    }

    /// That value reads back as it is set, and does nothing any more.
    pub fn make_inert(&self, lease: &str) {
        self.game().inert = Some(lease.to_owned());
    }

    pub fn boot_id(&self) -> String {
        self.game().boot_id.clone()
    }

    pub fn mend(&self) {
        self.game().mend();
    }

    /// Dies and starts again: keys and what hangs are on disk, values and holds are not. `None` sends no manifest.
    pub fn restart(&self, manifest: Option<Value>) {
        let mut game = self.game();
        game.manifest = manifest;
        game.restart();
    }

    /// Loses every connection and makes no new one until told.
    pub fn hide(&self, hidden: bool) {
        let mut game = self.game();
        game.hidden = hidden;
        if hidden {
            game.line += 1;
        }
    }

    /// Takes away, by hand, whatever hangs.
    pub fn wipe(&self) {
        self.game().wipe();
    }

    /// Something happens by itself.
    pub fn report(&self, kind: &str, vars: &Value) {
        let mut game = self.game();
        game.reported += 1;
        let frame = json!({"kind": kind, "t": 1_788_550_000_000_i64, "eventId": format!("{}-{}", game.boot_id, game.reported),
            "vars": vars});
        game.reports.push(frame);
    }

    /// How often a command of that kind has taken effect under that key.
    pub fn applied(&self, key: &str) -> usize {
        self.game().applied.iter().filter(|applied| *applied == key).count()
    }

    fn game(&self) -> MutexGuard<'_, Game> {
        self.game.lock().unwrap()
    }
}

impl Drop for Lanterns {
    fn drop(&mut self) {
        self.dialling.abort();
    }
}

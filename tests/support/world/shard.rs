//! The reference game: its process, its staff console, and its audit trail, which is the oracle.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::Command;

use super::link::Link;
use super::process::{HANGS, Process};
use super::programs;

/// For how long the game remembers a key.
const KEY_MEMORY_MS: i64 = 3_600_000;

/// The game, running or not.
#[derive(Debug)]
pub struct Shard {
    scope: String,
    process: Option<Process>,
    directory: PathBuf,
    console: String,
    /// Of the life that it is in.
    pub boot_id: String,
}

/// One fact of the trail.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    pub seq: u64,
    pub boot_id: String,
    pub key: Option<String>,
    pub run_id: Option<String>,
    pub kind: String,
    pub outcome: String,
    #[serde(flatten)]
    pub detail: Map<String, Value>,
}

impl Row {
    /// Whether this repeats that one in vain: an undo that found nothing left to remove, asked for under a key that the game had
    /// forgotten by its own clock. Numbers are given out once, so that a removal may be repeated whoever remembers what.
    pub fn repeats_in_vain(&self, before: &Row) -> bool {
        let at = |row: &Row| row.detail["t"].as_i64().unwrap();
        let forgotten = at(self) - at(before) >= KEY_MEMORY_MS;
        self.kind == "world.despawn" && self.detail["removed"] == serde_json::json!([]) && forgotten
    }
}

impl Shard {
    /// Starts one with both consents given, on the line of `link`.
    pub async fn start(directory: &Path, link: &Link) -> Self {
        Self::start_as("main", directory, link).await
    }

    /// The same for one of several games; each needs a directory of its own.
    pub async fn start_as(scope: &str, directory: &Path, link: &Link) -> Self {
        fs::create_dir_all(directory.join("shard")).unwrap();
        let (scope, directory) = (scope.to_owned(), directory.to_owned());
        let mut shard = Self { scope, process: None, directory, console: String::new(), boot_id: String::new() };
        shard.restart(link).await;
        shard
    }

    /// Boots it from its last save, and waits until it is on the line.
    pub async fn restart(&mut self, link: &Link) {
        let mut command = Command::new(programs::shard());
        command.args(["--link", &link.game, "--console", "127.0.0.1:0", "--seed", "7", "--scope", &self.scope]);
        command.args(["--enable-events", "--enable-admin-write", "--data"]).arg(self.directory.join("shard"));
        let (process, ready) = Process::start("shard", command, self.directory.join("shard.stderr")).await;
        ready["console"].as_str().unwrap().clone_into(&mut self.console);
        ready["bootId"].as_str().unwrap().clone_into(&mut self.boot_id);
        self.process = Some(process);
        self.on_the_line(link).await;
    }

    /// Waits until the link has this boot of the game on its line.
    pub async fn on_the_line(&self, link: &Link) {
        let connected = async {
            while link.health(&self.scope).await["bootId"] != *self.boot_id {
                tokio::time::sleep(super::GLANCE).await;
            }
        };
        assert!(tokio::time::timeout(HANGS, connected).await.is_ok(), "the game does not come on the line\n{}", self.words());
    }

    /// Takes note of its death, if a fault that the console asked for has come true; whether it is dead.
    pub fn bury(&mut self) -> bool {
        if self.process.as_mut().is_some_and(Process::has_ended) {
            self.process = None;
        }
        self.process.is_none()
    }

    pub fn is_running(&self) -> bool {
        self.process.is_some()
    }

    pub async fn kill9(&mut self) {
        self.process.take().expect("the game runs").kill9().await;
    }

    /// Waits until a fault that the console asked for has ended it.
    pub async fn crashed(&mut self) {
        self.process.take().expect("the game runs").aborted().await;
    }

    /// One command of the staff console, and its answer.
    pub async fn console(&self, command: &str) -> Value {
        let answer = self.try_console(command).await.unwrap_or_else(|error| panic!("{command}: {error}\n{}", self.words()));
        assert_eq!(answer["ok"], true, "{command}: {answer}");
        answer
    }

    /// The same of a game that may die of it.
    pub async fn try_console(&self, command: &str) -> io::Result<Value> {
        let mut stream = BufReader::new(TcpStream::connect(&self.console).await?);
        stream.write_all(format!("{command}\n").as_bytes()).await?;
        let mut line = String::new();
        stream.read_line(&mut line).await?;
        Ok(serde_json::from_str(&line)?)
    }

    /// What a character that is made now may learn: an independent reader of the value.
    pub async fn skill_cap_of_new(&self, name: &str) -> u64 {
        self.console(&format!("player create {name}")).await["skillCap"].as_u64().unwrap()
    }

    /// How many creatures that run has in the world.
    pub async fn creatures_of(&self, run_id: &str) -> u64 {
        self.console(&format!("creatures --run {run_id}")).await["count"].as_u64().unwrap()
    }

    /// The value of a configuration key as it is now.
    pub async fn config(&self, key: &str) -> String {
        self.console(&format!("config get {key}")).await["value"].as_str().unwrap().to_owned()
    }

    /// The whole trail, over all boots, also of a game that is dead.
    pub fn audit(&self) -> Vec<Row> {
        let text = fs::read_to_string(self.directory.join("shard/audit.jsonl")).unwrap_or_default();
        let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
        whole.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"))).collect()
    }

    /// The outcomes of commands of one kind, in order.
    pub fn outcomes(&self, kind: &str) -> Vec<String> {
        self.audit().into_iter().filter(|row| row.kind == kind).map(|row| row.outcome).collect()
    }

    /// The world as it was last saved, byte for byte.
    pub fn saved(&self) -> String {
        fs::read_to_string(self.directory.join("shard/world.json")).unwrap()
    }

    /// Puts a save in the place of the last one. The game may not be running.
    pub fn put_back(&self, save: &str) {
        assert!(!self.is_running(), "the game is stopped first");
        fs::write(self.directory.join("shard/world.json"), save).unwrap();
    }

    pub fn words(&self) -> String {
        self.process.as_ref().map(Process::words).unwrap_or_default()
    }
}

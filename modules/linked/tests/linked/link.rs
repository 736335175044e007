//! A sidecar as a process of its own, and the game that dials it.

#[path = "../../../../tests/support/built.rs"]
mod built;

use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use leasehold_linked::LinkedGames;
use leasehold_module::{Link, Manifest, Module, Offers, Reach};
use leasehold_sidecar::Patience;
use serde_json::Value;
use std::sync::Arc;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use crate::lanterns::Lanterns;

const TOKEN: &str = "a-token-of-the-tests";
/// When a test stops waiting for what will never come.
const HANGS: Duration = Duration::from_secs(60);

/// A running sidecar; it dies with this value.
pub struct Sidecar {
    _process: Child,
    _directory: TempDir,
    http: String,
    pub game: String,
}

impl Sidecar {
    /// One that gives the game a second to answer: some answers never come.
    pub async fn start() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let token_file = directory.path().join("token");
        std::fs::write(&token_file, TOKEN).unwrap();
        let mut command = Command::new(built("leasehold-link"));
        command.args(["--http", "127.0.0.1:0", "--game", "127.0.0.1:0", "--reply-timeout-ms", "1000", "--token-file"]);
        command.arg(&token_file).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
        let mut process = command.spawn().unwrap();
        let mut line = String::new();
        let mut stdout = BufReader::new(process.stdout.take().unwrap());
        stdout.read_line(&mut line).await.unwrap();
        let ready: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line:?}: {error}"));
        // A program that finds its output closed would stop: read on for as long as it lives.
        tokio::spawn(async move { tokio::io::copy(&mut stdout, &mut tokio::io::sink()).await });
        let told = |field: &str| ready[field].as_str().unwrap().to_owned();
        Self { http: told("http"), game: told("game"), _process: process, _directory: directory }
    }

    pub fn games(&self) -> LinkedGames {
        let link = Link { scope: "main".into(), url: format!("http://{}", self.http), token: TOKEN.into() };
        LinkedGames::new(&[link], Patience { reply_timeout_ms: 4_000 })
    }

    /// The module of that manifest, once its game is on the line.
    pub async fn module(&self, manifest: &Value, lanterns: &Lanterns) -> Arc<dyn Module> {
        let games = self.games();
        let manifest = Manifest::read(manifest.as_object().unwrap(), games.budget_ms()).unwrap();
        let module = games.module(manifest, &["main".to_owned()]);
        there(&*module, lanterns).await;
        module
    }
}

/// Ends when this life of the game is on the line.
pub async fn there(module: &dyn Module, lanterns: &Lanterns) {
    let wanted = lanterns.boot_id();
    let is = |reach: &Reach| matches!(reach, Reach::Connected { boot_id: Some(boot_id), .. } if *boot_id == wanted);
    reaches(module, is).await;
}

/// Ends when the sidecar knows that no game is there.
pub async fn away(module: &dyn Module) {
    reaches(module, |reach| matches!(reach, Reach::NoGame(_))).await;
}

async fn reaches(module: &dyn Module, is: impl Fn(&Reach) -> bool) {
    let seen = async {
        while !module.reach("main").await.is_some_and(|reach| is(&reach)) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(HANGS, seen).await.expect("the sidecar sees the game come and go");
}

/// The program of another package of this workspace, built where this test was built.
fn built(program: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let profile = test.ancestors().nth(2).unwrap();
    built::build(profile);
    profile.join(program)
}

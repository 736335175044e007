//! The sidecar, as a process that keeps its addresses from life to life.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tokio::process::Command;

use super::process::Process;
use super::programs;

const TOKEN: &str = "a-token-of-the-link-0123456789";
/// Of games that come by polling.
pub const GAME_TOKEN: &str = "a-token-of-games-0123456789";

/// The sidecar, running or not.
#[derive(Debug)]
pub struct Link {
    process: Option<Process>,
    directory: PathBuf,
    patience_ms: u64,
    /// The engine that it dials, where it is one that does.
    engine: Option<String>,
    /// Where the engine posts.
    pub http: String,
    /// Where the game dials in.
    pub game: String,
}

impl Link {
    /// Starts one that waits for an answer of the game for `patience_ms`.
    pub async fn start(directory: &Path, patience_ms: u64) -> Self {
        fs::write(directory.join("link-token"), TOKEN).unwrap();
        fs::write(directory.join("link-game-token"), GAME_TOKEN).unwrap();
        let any = || "127.0.0.1:0".to_owned();
        let mut link =
            Self { process: None, directory: directory.to_owned(), patience_ms, engine: None, http: any(), game: any() };
        link.restart().await;
        link
    }

    /// As a module is told of it.
    pub fn of(&self, scope: &str) -> leasehold_module::Link {
        leasehold_module::Link { scope: scope.to_owned(), url: format!("http://{}", self.http), token: TOKEN.to_owned() }
    }

    /// As the engine is told of it.
    pub fn as_setting(&self) -> String {
        self.as_setting_of("main")
    }

    /// As the engine is told of it for one of several games.
    pub fn as_setting_of(&self, scope: &str) -> String {
        format!("{scope}=http://{}#{}", self.http, self.directory.join("link-token").display())
    }

    /// The same for several games, each of a scope of its own.
    pub fn as_settings(&self, scopes: &[&str]) -> String {
        scopes.iter().map(|scope| self.as_setting_of(scope)).collect::<Vec<_>>().join(",")
    }

    /// Its next life dials the engine at that address.
    pub fn dials(&mut self, engine: &str) {
        self.engine = Some(format!("http://{engine}"));
    }

    /// As an engine is told of it that is dialled by it.
    pub fn as_setting_of_one_that_dials(&self) -> String {
        format!("main=dials-in#{}", self.directory.join("link-token").display())
    }

    pub async fn kill9(&mut self) {
        self.process.take().expect("the link runs").kill9().await;
    }

    /// Starts it again at the same addresses.
    pub async fn restart(&mut self) {
        let mut command = Command::new(programs::link());
        command.args(["--http", &self.http, "--game", &self.game, "--reply-timeout-ms", &self.patience_ms.to_string()]);
        command.arg("--token-file").arg(self.directory.join("link-token"));
        if let Some(engine) = &self.engine {
            command.args(["--engine", engine]);
        }
        command.arg("--game-token-file").arg(self.directory.join("link-game-token"));
        let (process, ready) = Process::start("link", command, self.directory.join("link.stderr")).await;
        let told = |field: &str| ready[field].as_str().unwrap().to_owned();
        (self.http, self.game) = (told("http"), told("game"));
        self.process = Some(process);
    }

    /// Loses what it has seen of the engine's log. It must be stopped.
    pub fn forget(&self) {
        assert!(self.process.is_none(), "the link is stopped first");
        fs::remove_file(self.directory.join("link-token.seen")).unwrap();
    }

    /// What it has written down of the engine's log, also while it is away.
    pub fn written(&self) -> Value {
        let kept = fs::read_to_string(self.directory.join("link-token.seen")).unwrap();
        let (lines, _) = kept.rsplit_once('\n').unwrap();
        let kept: Value = serde_json::from_str(lines.lines().next_back().unwrap()).unwrap();
        kept["scopes"]["main"].clone()
    }

    /// What the sidecar has seen of the engine's log, the newest in front.
    pub async fn seen(&self) -> Value {
        let request = client().get(format!("http://{}/engine?scope=main", self.http)).bearer_auth(TOKEN);
        let told: Value = request.send().await.unwrap().json().await.unwrap();
        told["seen"].clone()
    }

    /// What the sidecar knows of the game of that scope.
    pub async fn health(&self, scope: &str) -> Value {
        let request = client().get(format!("http://{}/health?scope={scope}", self.http)).bearer_auth(TOKEN);
        request.send().await.unwrap().json().await.unwrap()
    }

    /// What the game of that scope offers.
    pub async fn manifest(&self, scope: &str) -> Value {
        let request = client().get(format!("http://{}/manifest?scope={scope}", self.http)).bearer_auth(TOKEN);
        request.send().await.unwrap().json().await.unwrap()
    }

    /// How many reports of the game it keeps, without those of who is on the line.
    pub async fn reports(&self) -> usize {
        let request = client().get(format!("http://{}/feed?scope=main", self.http)).bearer_auth(TOKEN);
        let told: Value = request.send().await.unwrap().json().await.unwrap();
        told["reports"].as_array().unwrap().iter().filter(|report| report["frame"]["kind"] != "server.hello").count()
    }

    /// Sends a command past the engine, as one of its owners that was asleep would; status and body of the answer.
    pub async fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        self.post_as("main", path, body).await
    }

    /// The same to the game of that scope.
    pub async fn post_as(&self, scope: &str, path: &str, body: &Value) -> (u16, Value) {
        let request = client().post(format!("http://{}{path}?scope={scope}", self.http)).bearer_auth(TOKEN).json(body);
        let answer = request.send().await.unwrap();
        (answer.status().as_u16(), answer.json().await.unwrap())
    }

    pub fn words(&self) -> String {
        self.process.as_ref().map(Process::words).unwrap_or_default()
    }
}

fn client() -> reqwest::Client {
    reqwest::Client::builder().no_proxy().build().unwrap()
}

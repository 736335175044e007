//! A sidecar and a shard as processes of their own, and the shard's console.

#[path = "../programs/mod.rs"]
mod programs;

use std::time::Duration;

use leasehold_module::Link;
use leasehold_uo::Uo;
use serde_json::Value;
use tempfile::TempDir;
use tokio::process::Child;

use programs::{HANGS, TOKEN, ask, start};

pub use programs::CONSENTS;

/// A running sidecar; it dies with this value.
pub struct Sidecar {
    _process: Child,
    directory: TempDir,
    http: String,
    game: String,
}

/// A running shard; it dies with this value.
pub struct Shard {
    process: Child,
    console: String,
}

impl Sidecar {
    pub async fn start() -> Self {
        Self::waiting("10000").await
    }

    /// One that gives the game a second and a half to answer, for the tests whose answers never come.
    pub async fn impatient() -> Self {
        Self::waiting("1500").await
    }

    async fn waiting(reply_timeout_ms: &str) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let token_file = directory.path().join("token");
        std::fs::write(&token_file, TOKEN).unwrap();
        let token_file = token_file.to_str().unwrap().to_owned();
        let ports = ["--http", "127.0.0.1:0", "--game", "127.0.0.1:0"];
        let args = [&ports[..], &["--token-file", &token_file, "--reply-timeout-ms", reply_timeout_ms]].concat();
        let (process, ready) = start("leasehold-link", &args).await;
        let told = |field: &str| ready[field].as_str().unwrap().to_owned();
        Self { http: told("http"), game: told("game"), _process: process, directory }
    }

    pub fn uo(&self) -> Uo {
        self.uo_with_token(TOKEN)
    }

    pub fn uo_with_token(&self, token: &str) -> Uo {
        Uo::new(&[Link { scope: "main".into(), url: format!("http://{}", self.http), token: token.into() }])
    }

    /// Starts a shard on the directory that all shards of this sidecar share, and waits until it is on the line.
    pub async fn shard(&self, consents: &[&str]) -> Shard {
        let data = self.directory.path().join("shard");
        std::fs::create_dir_all(&data).unwrap();
        let mut args = vec!["--link", &self.game, "--console", "127.0.0.1:0", "--data", data.to_str().unwrap(), "--seed", "7"];
        args.extend_from_slice(consents);
        let (process, ready) = start("leasehold-shard", &args).await;
        let console = ready["console"].as_str().unwrap().to_owned();
        tokio::time::timeout(HANGS, self.on_the_line(&ready["bootId"])).await.expect("the shard dials the sidecar");
        Shard { process, console }
    }

    /// What the game has reported so far, as it came.
    pub async fn frames(&self) -> Vec<serde_json::Map<String, Value>> {
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        let request = http.get(format!("http://{}/feed", self.http)).bearer_auth(TOKEN);
        let feed: Value = request.send().await.unwrap().json().await.unwrap();
        let reports = feed["reports"].as_array().unwrap_or_else(|| panic!("{feed}"));
        reports.iter().map(|report| report["frame"].as_object().unwrap().clone()).collect()
    }

    /// Ends when this boot of the game is on the line.
    async fn on_the_line(&self, boot_id: &Value) {
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        loop {
            let request = http.get(format!("http://{}/health", self.http)).bearer_auth(TOKEN);
            let health: Value = request.send().await.unwrap().json().await.unwrap();
            if health["bootId"] == *boot_id {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

impl Shard {
    /// One command of the console, and its answer.
    pub async fn console(&self, command: &str) -> Value {
        ask(&self.console, command).await
    }

    /// The outcomes that the audit has for one key, in order.
    pub async fn outcomes(&self, key: &str) -> Vec<String> {
        let audit = self.console("audit").await;
        let rows = audit["rows"].as_array().unwrap_or_else(|| panic!("{audit}"));
        rows.iter().filter(|row| row["key"] == key).map(|row| row["outcome"].as_str().unwrap().to_owned()).collect()
    }

    /// How often a key took effect, whatever else was answered under it.
    pub async fn applied(&self, key: &str) -> usize {
        self.outcomes(key).await.iter().filter(|outcome| *outcome == "applied").count()
    }

    pub async fn kill(mut self) {
        self.process.kill().await.unwrap();
    }
}

//! The real sidecar as a child process, a game played by the test over a real connection, an engine over real HTTP.

use serde_json::{Value, json};
use std::{
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{
        TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
};

pub const TOKEN: &str = "a-token-for-tests";

/// Longest wait for anything; reached only where a test fails.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running sidecar. Killed on drop.
pub struct Sidecar {
    pub child: Child,
    pub http: String,
    pub game: String,
    client: reqwest::Client,
    directory: Option<tempfile::TempDir>,
}

/// Writes a token into the directory and gives the command of a sidecar that goes by it.
pub fn sidecar_in(directory: &Path) -> Command {
    let token_file = directory.join("token");
    std::fs::write(&token_file, format!("{TOKEN}\n")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_leasehold-link"));
    command.args(["--http", "127.0.0.1:0", "--game", "127.0.0.1:0"]).arg("--token-file").arg(token_file);
    command
}

/// Where a sidecar of that directory keeps what it has seen.
pub fn seen_file(directory: &Path) -> PathBuf {
    directory.join("token.seen")
}

/// What it has written there: the last line counts.
pub fn seen_in(directory: &Path) -> Value {
    let kept = std::fs::read_to_string(seen_file(directory)).unwrap();
    let (lines, _) = kept.rsplit_once('\n').unwrap();
    serde_json::from_str(lines.lines().next_back().unwrap()).unwrap()
}

impl Sidecar {
    pub fn start(reply_timeout_ms: u64) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let mut sidecar = Self::start_in(directory.path(), reply_timeout_ms);
        sidecar.directory = Some(directory);
        sidecar
    }

    /// In a directory that outlives it.
    pub fn start_in(directory: &Path, reply_timeout_ms: u64) -> Self {
        Self::start_with(sidecar_in(directory).args(["--reply-timeout-ms", &reply_timeout_ms.to_string()]))
    }

    /// By a command that [`sidecar_in`] gave.
    pub fn start_with(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(child.stdout.take().unwrap()), &mut line).unwrap();
        let ready: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(ready["ready"], true);
        let address = |side: &str| ready[side].as_str().unwrap().to_owned();
        Self { child, http: address("http"), game: address("game"), client: reqwest::Client::new(), directory: None }
    }

    pub async fn get(&self, path: &str) -> (u16, Value) {
        self.send(self.client.get(self.url(path)).bearer_auth(TOKEN)).await
    }

    pub async fn post(&self, path: &str, body: Value) -> (u16, Value) {
        self.post_text(path, body.to_string()).await
    }

    pub async fn post_text(&self, path: &str, body: impl Into<reqwest::Body>) -> (u16, Value) {
        self.send(self.client.post(self.url(path)).bearer_auth(TOKEN).body(body)).await
    }

    pub async fn post_as(&self, token: &str, path: &str, body: impl Into<reqwest::Body>) -> (u16, Value) {
        self.send(self.client.post(self.url(path)).bearer_auth(token).body(body)).await
    }

    pub async fn put(&self, path: &str, body: impl Into<reqwest::Body>) -> (u16, Value) {
        self.send(self.client.put(self.url(path)).bearer_auth(TOKEN).body(body)).await
    }

    /// Posts a command with these headers.
    pub async fn post_from(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> (u16, Value) {
        let request = self.client.post(self.url(path)).bearer_auth(TOKEN).body(body.to_string());
        self.send(headers.iter().fold(request, |request, (name, value)| request.header(*name, *value))).await
    }

    pub async fn without_token(&self, path: &str) -> (u16, Value) {
        self.send(self.client.get(self.url(path))).await
    }

    async fn send(&self, request: reqwest::RequestBuilder) -> (u16, Value) {
        let response = patiently(request.send()).await.unwrap();
        (response.status().as_u16(), response.json().await.unwrap())
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.http)
    }

    /// Ends it as the kernel would, without a word.
    pub fn kill9(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Waits until `/health` says so.
    pub async fn until_connected(&self, connected: bool) {
        patiently(async {
            while self.get("/health").await.1["connected"] != connected {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        })
        .await;
    }
}

impl Drop for Sidecar {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The game's end of the wire.
pub struct Game {
    read: BufReader<OwnedReadHalf>,
    write: OwnedWriteHalf,
}

impl Game {
    pub async fn dial(sidecar: &Sidecar) -> Self {
        let (read, write) = TcpStream::connect(&sidecar.game).await.unwrap().into_split();
        Self { read: BufReader::new(read), write }
    }

    /// Dials in, says hello and is welcomed.
    pub async fn connect(sidecar: &Sidecar, boot_id: &str) -> Self {
        let mut game = Self::dial(sidecar).await;
        game.send(&hello(7, boot_id)).await;
        assert_eq!(game.next().await.unwrap(), json!({"kind": "link.welcome", "protocol": 7}));
        sidecar.until_connected(true).await;
        game
    }

    /// The same for one of several games.
    pub async fn connect_as(sidecar: &Sidecar, scope: &str, boot_id: &str) -> Self {
        let mut game = Self::dial(sidecar).await;
        let mut hello = hello(7, boot_id);
        hello["scope"] = scope.into();
        game.send(&hello).await;
        assert_eq!(game.next().await.unwrap(), json!({"kind": "link.welcome", "protocol": 7}));
        let query = format!("/health?scope={scope}");
        patiently(async {
            while sidecar.get(&query).await.1["bootId"] != boot_id {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        })
        .await;
        game
    }

    pub async fn send(&mut self, frame: &Value) {
        self.send_bytes(format!("{frame}\n").as_bytes()).await;
    }

    pub async fn send_bytes(&mut self, bytes: &[u8]) {
        self.write.write_all(bytes).await.unwrap();
    }

    /// The next frame; `None` where the sidecar hung up.
    pub async fn next(&mut self) -> Option<Value> {
        let mut line = String::new();
        let length = patiently(self.read.read_line(&mut line)).await.unwrap_or(0);
        (length > 0).then(|| serde_json::from_str(&line).unwrap())
    }

    /// Says no more, and waits until the sidecar has hung up: whatever was said last has had its effect by then.
    pub async fn leave(mut self) {
        drop(self.write);
        let mut rest = Vec::new();
        drop(patiently(self.read.read_to_end(&mut rest)).await);
    }

    /// Takes one command and answers it with that object, its correlation added. Gives the command.
    pub async fn answer(&mut self, mut answer: Value) -> Value {
        let command = self.next().await.unwrap();
        answer["reqId"] = command["reqId"].clone();
        self.send(&answer).await;
        command
    }
}

pub fn hello(protocol: u32, boot_id: &str) -> Value {
    json!({"kind": "server.hello", "t": 1, "protocol": protocol, "bootId": boot_id, "keyMemorySec": 3600, "keyCap": 4096,
        "game": "test", "scope": "main"})
}

pub async fn patiently<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, future).await.expect("nothing happened for a minute")
}

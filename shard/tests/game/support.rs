//! The real game as a child process, the link's end of its connection, and its console.

use serde_json::{Value, json};
use std::{
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    time::Duration,
};
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
};

pub const CONSENTS: &[&str] = &["--enable-events", "--enable-admin-write"];

/// Longest wait for anything; reached only where a test fails.
const PATIENCE: Duration = Duration::from_secs(30);

pub async fn patiently<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, future).await.expect("nothing happened for thirty seconds")
}

/// Starts a program that says on its first line that it is ready.
pub fn start(command: &mut Command) -> (Child, Value) {
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(child.stdout.take().unwrap()), &mut line).unwrap();
    let ready: Value = serde_json::from_str(&line).unwrap_or_else(|fault| panic!("{line:?}: {fault}"));
    assert_eq!(ready["ready"], true);
    (child, ready)
}

pub fn shard(link: &str, data: &Path, flags: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_leasehold-shard"));
    command.args(["--link", link, "--console", "127.0.0.1:0", "--tick-ms", "10", "--data"]).arg(data).args(flags);
    command
}

/// A running game. Killed on drop.
pub struct Shard {
    child: Child,
    console: String,
    pub boot_id: String,
}

impl Shard {
    pub fn start(link: &str, data: &Path, flags: &[&str]) -> Self {
        let (child, ready) = start(&mut shard(link, data, flags));
        let text = |field: &str| ready[field].as_str().unwrap().to_owned();
        Self { child, console: text("console"), boot_id: text("bootId") }
    }

    /// One command of the console; `None` where the game died of it.
    pub async fn console(&self, command: &str) -> Option<Value> {
        let mut stream = BufReader::new(TcpStream::connect(&self.console).await.ok()?);
        stream.write_all(format!("{command}\n").as_bytes()).await.ok()?;
        let mut line = String::new();
        patiently(stream.read_line(&mut line)).await.ok().filter(|length| *length > 0)?;
        Some(serde_json::from_str(&line).unwrap())
    }

    /// A console that stays open.
    pub async fn talk(&self) -> Talk {
        Talk(BufReader::new(TcpStream::connect(&self.console).await.unwrap()))
    }

    /// The number of its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn console_address(&self) -> &str {
        &self.console
    }

    /// One command that must work.
    pub async fn does(&self, command: &str) -> Value {
        let answer = self.console(command).await.unwrap_or_else(|| panic!("the game died of `{command}`"));
        assert_eq!(answer["ok"], true, "{command}: {answer}");
        answer
    }

    /// Waits until that field of `status` is so.
    pub async fn until(&self, pointer: &str, wanted: Value) {
        patiently(async {
            while self.does("status").await.pointer(pointer) != Some(&wanted) {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        })
        .await;
    }

    /// Outcomes of the audit for a key.
    pub async fn outcomes(&self, key: &str) -> Vec<String> {
        let rows = self.does("audit").await["rows"].as_array().unwrap().clone();
        let of_key = rows.iter().filter(|row| row["key"] == key);
        of_key.map(|row| row["outcome"].as_str().unwrap().to_owned()).collect()
    }

    pub async fn owned(&self, run: &str) -> u64 {
        self.does(&format!("creatures --run {run}")).await["count"].as_u64().unwrap()
    }

    pub fn signal(&self, name: &str) {
        assert!(Command::new("kill").arg(name).arg(self.child.id().to_string()).status().unwrap().success());
    }

    /// Waits for its end. Only then may another game open the same directory.
    pub async fn ended(&mut self) -> ExitStatus {
        patiently(async {
            loop {
                if let Some(status) = self.child.try_wait().unwrap() {
                    return status;
                }
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        })
        .await
    }

    /// Ends it without a word.
    pub async fn kill(&mut self) {
        self.signal("-KILL");
        self.ended().await;
    }
}

impl Drop for Shard {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One connection to a console.
pub struct Talk(BufReader<TcpStream>);

impl Talk {
    /// One command, and its answer.
    pub async fn does(&mut self, command: &str) -> Value {
        self.0.write_all(format!("{command}\n").as_bytes()).await.unwrap();
        let mut line = String::new();
        patiently(self.0.read_line(&mut line)).await.unwrap();
        serde_json::from_str(&line).unwrap()
    }
}

/// The link's end of one connection.
pub struct Line {
    read: BufReader<OwnedReadHalf>,
    write: OwnedWriteHalf,
    pub hello: Value,
    asked: u32,
}

impl Line {
    pub async fn send(&mut self, frame: &Value) {
        self.send_bytes(format!("{frame}\n").as_bytes()).await;
    }

    pub async fn send_bytes(&mut self, bytes: &[u8]) {
        self.write.write_all(bytes).await.unwrap();
    }

    /// The next frame that is an answer where an answer is shown, and else of the same kind: what the game reports in between is passed
    /// over.
    pub async fn next_like(&mut self, shown: &serde_json::Map<String, Value>) -> Option<Value> {
        loop {
            let frame = self.next().await?;
            let answers = ["reqId", "code", "id"].iter().any(|field| frame.get(field).is_some());
            let wanted = ["reqId", "code", "id"].iter().any(|field| shown.contains_key(*field));
            if answers == wanted && (answers || frame["kind"] == shown["kind"]) {
                return Some(frame);
            }
        }
    }

    /// The next report of that kind.
    pub async fn report(&mut self, kind: &str) -> Option<Value> {
        self.next_like(json!({"kind": kind}).as_object().unwrap()).await
    }

    /// The next frame; `None` where the game hung up.
    pub async fn next(&mut self) -> Option<Value> {
        let mut line = String::new();
        let length = patiently(self.read.read_line(&mut line)).await.unwrap_or(0);
        (length > 0).then(|| serde_json::from_str(&line).unwrap())
    }

    /// Sends a command and gives its answer; `None` where the game hung up instead.
    pub async fn ask(&mut self, mut command: Value) -> Option<Value> {
        self.asked += 1;
        command["reqId"] = format!("t-{}", self.asked).into();
        self.send(&command).await;
        let answer = self.next_like(command.as_object().unwrap()).await?;
        assert_eq!(answer["reqId"], command["reqId"]);
        Some(answer)
    }

    /// Reads to the end of the connection.
    pub async fn end(mut self) {
        let mut rest = Vec::new();
        drop(patiently(self.read.read_to_end(&mut rest)).await);
    }
}

/// Where the game dials, its directory, and the flags it is started with.
pub struct Bench {
    listener: TcpListener,
    pub data: TempDir,
    flags: &'static [&'static str],
}

impl Bench {
    pub async fn new(flags: &'static [&'static str]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        Self { listener, data: tempfile::tempdir().unwrap(), flags }
    }

    pub fn shard(&self) -> Shard {
        Shard::start(&self.address(), self.data.path(), self.flags)
    }

    /// Where a game has to dial.
    pub fn address(&self) -> String {
        self.listener.local_addr().unwrap().to_string()
    }

    /// The next connection, its hello read and not answered.
    pub async fn accept(&self) -> Line {
        let (stream, _) = patiently(self.listener.accept()).await.unwrap();
        let (read, write) = stream.into_split();
        let mut line = Line { read: BufReader::new(read), write, hello: Value::Null, asked: 0 };
        line.hello = line.next().await.unwrap();
        line
    }

    /// The next connection, welcomed.
    pub async fn welcome(&self) -> Line {
        let mut line = self.accept().await;
        line.send(&json!({"kind": "link.welcome", "protocol": 7})).await;
        line
    }

    /// A game and its connection.
    pub async fn game(&self) -> (Shard, Line) {
        let shard = self.shard();
        let line = self.welcome().await;
        assert_eq!(line.hello["bootId"], shard.boot_id.as_str());
        (shard, line)
    }
}

pub fn spawn(key: &str, count: u32) -> Value {
    json!({"kind": "world.spawn", "map": "Felucca", "x": 540, "y": 992, "creature": "orc", "count": count, "runId": "77", "fence": 5,
        "ttlMs": 60_000, "idempotencyKey": key})
}

pub fn despawn(key: &str, of: &str) -> Value {
    json!({"kind": "world.despawn", "serials": [], "forKey": of, "runId": "77", "fence": 0, "ttlMs": 60_000, "idempotencyKey": key})
}

pub fn apply(key: &str, hold_ms: u64) -> Value {
    json!({"kind": "lease.apply", "key": "PlayerCaps.SkillCap", "value": "1200", "holdMs": hold_ms, "untilMs": 0, "runId": "77",
        "fence": 5, "ttlMs": 60_000, "idempotencyKey": key})
}

pub fn release(key: &str) -> Value {
    json!({"kind": "lease.release", "key": "PlayerCaps.SkillCap", "applied": "1200", "runId": "77", "fence": 0, "ttlMs": 60_000,
        "idempotencyKey": key})
}

//! The program, running, and what it can be asked over HTTP.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use reqwest::{Client, Method, RequestBuilder};
use serde_json::Value;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use crate::programs;

/// When a test stops waiting for what will never come.
const HANGS: Duration = Duration::from_secs(90);
/// Pause between two looks at a condition.
const GLANCE: Duration = Duration::from_millis(50);

/// A data directory that the database's user can reach.
pub fn data_dir() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::set_permissions(dir.path(), PermissionsExt::from_mode(0o755)).unwrap();
    dir
}

/// The program with that data directory, a port of its own, and nothing of ours in its environment.
pub fn leasehold(data: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(programs::engine());
    for name in ["DATABASE_URL", "LEASEHOLD_OWNER_URL", "LEASEHOLD_ADMIN_TOKEN", "LEASEHOLD_LINKS"] {
        command.env_remove(name);
    }
    command.args(args).env("LEASEHOLD_DATA_DIR", data).env("LEASEHOLD_BIND", "127.0.0.1:0").kill_on_drop(true);
    command
}

/// One that runs until it is stopped.
pub struct Program {
    child: Child,
    /// What it printed up to the line that says that it is ready.
    pub printed: String,
    address: String,
    http: Client,
}

impl Program {
    pub async fn start(data: &Path, verb: &str) -> Self {
        Self::of(leasehold(data, &[verb])).await
    }

    /// One of a command that was made ready.
    pub async fn of(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let (mut printed, mut address) = (String::new(), None);
        while address.is_none() {
            let line = tokio::time::timeout(HANGS, lines.next_line()).await.expect("it becomes ready").unwrap();
            let line = line.unwrap_or_else(|| panic!("it ended before it was ready:\n{printed}"));
            let ready: Option<Value> = serde_json::from_str(&line).ok();
            address = ready.and_then(|ready| Some(ready["address"].as_str()?.to_owned()));
            printed = printed + &line + "\n";
        }
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        let http = Client::builder().no_proxy().build().unwrap();
        Self { child, printed, address: address.unwrap(), http }
    }

    pub fn pid(&self) -> u32 {
        self.child.id().expect("it runs")
    }

    /// A request without a token; the path begins with a slash.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("http://{}{path}", self.address))
    }

    pub async fn status(&self, path: &str) -> Option<u16> {
        self.request(Method::GET, path).send().await.ok().map(|answer| answer.status().as_u16())
    }

    /// The answer to a read that nobody has to log in for.
    pub async fn read(&self, path: &str) -> String {
        let answer = self.request(Method::GET, path).send().await.unwrap();
        assert_eq!(answer.status(), 200, "{path}");
        answer.text().await.unwrap()
    }

    pub async fn json(&self, path: &str) -> Value {
        serde_json::from_str(&self.read(path).await).unwrap()
    }

    /// What a signal made it end with.
    pub async fn end(mut self, signal: &str) -> ExitStatus {
        kill(signal, self.pid());
        tokio::time::timeout(HANGS, self.child.wait()).await.expect("it ends").unwrap()
    }
}

pub fn kill(signal: &str, pid: u32) {
    let sent = std::process::Command::new("kill").arg(format!("-{signal}")).arg(pid.to_string()).status().unwrap();
    assert!(sent.success(), "process {pid} cannot be sent {signal}");
}

/// The processes that this one started: id and name.
pub fn children(parent: u32) -> Vec<(u32, String)> {
    let child = |pid: u32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let (name, rest) = stat.split_once('(')?.1.rsplit_once(')')?;
        (rest.split_whitespace().nth(1)? == parent.to_string()).then(|| (pid, name.to_owned()))
    };
    let all = fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    all.filter_map(child).collect()
}

pub fn is_there(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
}

/// Looks until it holds.
pub async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let seen = tokio::time::timeout(HANGS, async {
        while !holds().await {
            tokio::time::sleep(GLANCE).await;
        }
    });
    seen.await.unwrap_or_else(|_| panic!("it never came about that {what}"));
}

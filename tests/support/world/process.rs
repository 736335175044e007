//! One process under test: started until it says that it is ready, and then stopped in every way there is.

use std::fs::{self, OpenOptions};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// When a test stops waiting for what will never come.
pub const HANGS: Duration = Duration::from_secs(60);

/// A running process. It dies with this value.
#[derive(Debug)]
pub struct Process {
    name: String,
    child: Child,
    /// What it and its predecessors of that name wrote to standard error.
    stderr: PathBuf,
    /// Where its own words begin.
    from: usize,
}

impl Process {
    /// Starts it and reads the one line of standard output that says that it is ready.
    pub async fn start(name: &str, mut command: Command, stderr: PathBuf) -> (Self, Value) {
        let log = OpenOptions::new().create(true).append(true).open(&stderr).unwrap();
        let from = usize::try_from(log.metadata().unwrap().len()).unwrap();
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log).kill_on_drop(true);
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{name} starts: {error}"));
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let process = Self { name: name.to_owned(), child, stderr, from };
        let mut line = String::new();
        let read = tokio::time::timeout(HANGS, stdout.read_line(&mut line)).await;
        assert!(read.is_ok_and(|read| read.is_ok()), "{name} says nothing\n{}", process.words());
        let ready: Value = serde_json::from_str(&line)
            .unwrap_or_else(|error| panic!("{name} is not ready, it said {line:?} ({error})\n{}", process.words()));
        assert_eq!(ready["ready"], true, "{name}\n{}", process.words());
        // A program that finds its output closed would stop: read on for as long as it lives.
        tokio::spawn(async move { tokio::io::copy(&mut stdout, &mut tokio::io::sink()).await });
        (process, ready)
    }

    /// `kill -9`, and the wait until it is gone.
    pub async fn kill9(mut self) {
        self.child.kill().await.unwrap();
    }

    /// Asks it to stop, and waits until it has.
    pub async fn terminate(mut self) -> ExitStatus {
        self.signal("TERM");
        self.ended().await
    }

    /// Stops it where it stands, without its knowing.
    pub fn suspend(&self) {
        self.signal("STOP");
    }

    /// Lets it go on.
    pub fn resume(&self) {
        self.signal("CONT");
    }

    /// Whether it has ended, by itself or by somebody's hand.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Waits until it has ended by itself.
    pub async fn ended(&mut self) -> ExitStatus {
        let ended = tokio::time::timeout(HANGS, self.child.wait()).await;
        ended.unwrap_or_else(|_| panic!("{} does not end\n{}", self.name, self.words())).unwrap()
    }

    /// Waits until it has died by its own hand, as by `kill -9`.
    pub async fn aborted(&mut self) {
        let status = self.ended().await;
        assert_eq!(status.signal(), Some(6), "{} ended with {status}\n{}", self.name, self.words());
    }

    /// What it has written to standard error.
    pub fn words(&self) -> String {
        let bytes = fs::read(&self.stderr).unwrap_or_default();
        String::from_utf8_lossy(&bytes[self.from.min(bytes.len())..]).into_owned()
    }

    fn signal(&self, signal: &str) {
        let pid = self.child.id().unwrap_or_else(|| panic!("{} has ended\n{}", self.name, self.words()));
        let sent = std::process::Command::new("kill").arg(format!("-{signal}")).arg(pid.to_string()).status().unwrap();
        assert!(sent.success(), "{} cannot be sent {signal}", self.name);
    }
}

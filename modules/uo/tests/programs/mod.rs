//! The programs that the module's tests run, and the shard's console. Included by its path wherever tests start them.

#[path = "../../../../tests/support/built.rs"]
mod built;

use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

pub const TOKEN: &str = "a-token-of-the-tests";

/// When a test stops waiting for what will never come.
pub const HANGS: Duration = Duration::from_secs(60);

/// Both consents, as an operator who wants everything gives them.
pub const CONSENTS: [&str; 2] = ["--enable-events", "--enable-admin-write"];

/// Starts a program and reads the line that says that it is ready.
pub async fn start(program: &str, args: &[&str]) -> (Child, Value) {
    let mut process =
        Command::new(built(program)).args(args).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true).spawn().unwrap();
    let mut line = String::new();
    let mut stdout = BufReader::new(process.stdout.take().unwrap());
    stdout.read_line(&mut line).await.unwrap();
    let ready: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{program} said {line:?}: {error}"));
    assert_eq!(ready["ready"], true, "{program}");
    // A program that finds its output closed would stop: read on for as long as it lives.
    tokio::spawn(async move { tokio::io::copy(&mut stdout, &mut tokio::io::sink()).await });
    (process, ready)
}

/// One command of the console at this address, and its answer.
pub async fn ask(console: &str, command: &str) -> Value {
    let mut stream = BufReader::new(TcpStream::connect(console).await.unwrap());
    stream.write_all(format!("{command}\n").as_bytes()).await.unwrap();
    let mut line = String::new();
    stream.read_line(&mut line).await.unwrap();
    serde_json::from_str(&line).unwrap_or_else(|error| panic!("{command}: {line:?}: {error}"))
}

/// The program of another package of this workspace, built where this test was built.
fn built(program: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let profile = test.ancestors().nth(2).unwrap();
    built::build(profile);
    profile.join(program)
}

//! An engine with nothing to do asks its database nothing but whether it still leads.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use chrono::{DateTime, Utc};

use crate::program::{data_dir, kill, leasehold};

/// Seconds of quiet that are looked at.
const QUIET: i64 = 20;
/// When a test stops waiting for what will never come.
const HANGS: Duration = Duration::from_secs(180);

/// When each statement was sent, by the program's own words, and how it begins.
fn statements(words: &Path) -> Vec<(DateTime<Utc>, String)> {
    let told = std::fs::read_to_string(words).unwrap_or_default();
    let of_line = |line: &str| {
        let (at, rest) = line.split_once(' ')?;
        let summary = rest.split_once("sqlx::query: summary=\"")?.1.split_once('"')?.0.to_owned();
        Some((at.parse().ok()?, summary))
    };
    told.lines().filter_map(of_line).collect()
}

/// The statements of some twenty seconds, by the instants that the program tells, in which there were few enough.
fn quiet(told: &[(DateTime<Utc>, String)]) -> Option<Vec<(DateTime<Utc>, String)>> {
    let last = told.last()?.0;
    let stretch = |from: usize| {
        let end = told[from].0 + chrono::TimeDelta::seconds(QUIET);
        let within = told[from..].iter().take_while(|(at, _)| *at < end).cloned().collect::<Vec<_>>();
        (end <= last && within.len() <= usize::try_from(QUIET).unwrap()).then_some(within)
    };
    (0..told.len()).find_map(stretch)
}

/// Twenty seconds in which nothing happens come sooner or later, however long a slow machine is at what follows its start.
#[tokio::test]
async fn while_nothing_is_due_there_is_no_more_than_one_statement_a_second() {
    let data = data_dir();
    let words = data.path().join("words");
    let mut command = leasehold(data.path(), &["serve"]);
    command.env("LEASEHOLD_LOG", "info,sqlx::query=debug").stdout(Stdio::null()).stderr(std::fs::File::create(&words).unwrap());
    let mut engine = command.spawn().unwrap();
    let begun = std::time::Instant::now();
    let found = loop {
        let told = statements(&words);
        if let Some(found) = quiet(&told) {
            break found;
        }
        assert!(begun.elapsed() < HANGS, "it did not come to rest: {} statements", told.len());
        tokio::time::sleep(Duration::from_millis(200)).await;
    };
    kill("TERM", engine.id().expect("it runs"));
    assert!(engine.wait().await.unwrap().success());
    let beats = found.iter().filter(|(_, summary)| summary.starts_with("with won as")).count();
    assert!(beats >= 5, "it does lead: {found:?}");
}

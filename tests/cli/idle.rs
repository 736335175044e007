//! An engine with nothing to do asks its database nothing but whether it still leads.

use std::collections::BTreeMap;
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

/// Twenty seconds in which nothing happens, by the instants that the program tells: what is counted is statements, so that a slow
/// machine only makes them fewer.
#[tokio::test]
async fn while_nothing_is_due_there_is_no_more_than_one_statement_a_second() {
    let data = data_dir();
    let words = data.path().join("words");
    let mut command = leasehold(data.path(), &["serve"]);
    command.env("LEASEHOLD_LOG", "info,sqlx::query=debug").stdout(Stdio::null()).stderr(std::fs::File::create(&words).unwrap());
    let mut engine = command.spawn().unwrap();
    let begun = std::time::Instant::now();
    let quiet = loop {
        let told = statements(&words);
        // It is left alone a while after its start.
        let since = told
            .iter()
            .find(|(_, summary)| summary.starts_with("with won as"))
            .map(|(at, _)| *at + chrono::TimeDelta::seconds(5));
        let last = told.last().map(|(at, _)| *at);
        if let (Some(since), Some(last)) = (since, last)
            && (last - since).num_seconds() >= QUIET
        {
            break told
                .into_iter()
                .filter(|(at, _)| *at >= since && *at < since + chrono::TimeDelta::seconds(QUIET))
                .collect::<Vec<_>>();
        }
        assert!(begun.elapsed() < HANGS, "it did not come to rest: {} statements", told.len());
        tokio::time::sleep(Duration::from_millis(200)).await;
    };
    kill("TERM", engine.id().expect("it runs"));
    assert!(engine.wait().await.unwrap().success());
    let mut by_summary: BTreeMap<&str, u32> = BTreeMap::new();
    for (_, summary) in &quiet {
        *by_summary.entry(summary).or_default() += 1;
    }
    // Two more may have fallen into the window at its edges.
    assert!(quiet.len() <= usize::try_from(QUIET).unwrap() + 2, "{} statements in {QUIET} seconds: {by_summary:#?}", quiet.len());
    assert!(by_summary.keys().any(|summary| summary.starts_with("with won as")), "it does lead: {by_summary:?}");
}

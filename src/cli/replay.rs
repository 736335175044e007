//! `leasehold replay RUN`: a run step by step, from the log: who, what, when, by which version.

use std::io::{ErrorKind, Write};
use std::process::ExitCode;
use std::str::FromStr;

use chrono::{DateTime, Utc};
use clap::{Args, ValueEnum};
use leasehold_aggregates::decide::RefusalKind;
use leasehold_projections::story::RunStory;

use super::Failed;
use super::database::{Database, DatabaseArgs};
use crate::engine::Fault;
use crate::engine::stories::{Until, story};
use crate::log::Log;

#[derive(Debug, Clone, Args)]
pub struct ReplayArgs {
    #[command(flatten)]
    database: DatabaseArgs,
    /// The run's id.
    run: String,
    /// Up to and with this position of the log, or this instant (2027-03-28T18:00:00Z). Unset: all of it.
    #[arg(long, value_name = "POSITION-or-INSTANT")]
    at: Option<At>,
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// For programs; the same fields in every release.
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct At(Until);

impl FromStr for At {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            let position = text.parse().map_err(|_| format!("{text} lies beyond every position"))?;
            return Ok(Self(Until::Position(position)));
        }
        let instant = DateTime::parse_from_rfc3339(text);
        let wrong = |_| format!("{text:?} is neither a position nor an instant such as 2027-03-28T18:00:00Z");
        Ok(Self(Until::Instant(instant.map_err(wrong)?.with_timezone(&Utc))))
    }
}

/// Prints the run's story.
pub async fn replay(args: ReplayArgs) -> Result<ExitCode, Failed> {
    let database = Database::beside_engine(&args.database).await?;
    let log = database.log().await?;
    let code = print(&log, &args).await;
    log.pool().close().await;
    database.close().await?;
    code
}

async fn print(log: &Log, args: &ReplayArgs) -> Result<ExitCode, Failed> {
    let until = args.at.map_or(Until::Now, |at| at.0);
    match story(log, &args.run, until).await {
        Ok(story) => write(&story, args.format),
        Err(fault) if fault.refusal_kind() == Some(RefusalKind::Missing) => {
            let then = if args.at.is_some() { ", or there was none by then" } else { "" };
            eprintln!("leasehold: there is no run {:?}{then}", args.run);
            Ok(ExitCode::from(2))
        }
        Err(fault) => Err(failed(fault)),
    }
}

fn failed(fault: Fault) -> Failed {
    fault.into()
}

/// A reader that has seen enough (`| head`) is no failure.
fn write(story: &RunStory, format: Format) -> Result<ExitCode, Failed> {
    let text = match format {
        Format::Text => story.to_string(),
        Format::Json => serde_json::to_string_pretty(story)? + "\n",
    };
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(ExitCode::SUCCESS),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_position_or_an_instant() {
        let instant = DateTime::from_timestamp_micros(1_800_000_000_000_001).unwrap();
        assert_eq!("17".parse(), Ok(At(Until::Position(17))));
        assert_eq!("2027-01-15T09:00:00.000001+01:00".parse(), Ok(At(Until::Instant(instant))));
        for wrong in ["", "x", "-1", "1.5", "99999999999999999999", "2027-01-15"] {
            assert!(wrong.parse::<At>().is_err(), "{wrong}");
        }
    }
}

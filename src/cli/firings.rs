//! `leasehold firings`: what was done with the signals that trigger files are on. Looking appends nothing and fires nothing.

use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};
use serde_json::json;

use super::Failed;
use super::database::{Database, DatabaseArgs};
use crate::engine::firings::STALE_AFTER;
use crate::log::{FiringRow, FiringState, Log, Retried};

#[derive(Debug, Clone, Args)]
pub struct FiringsArgs {
    #[command(flatten)]
    database: DatabaseArgs,
    #[command(subcommand)]
    command: FiringsCommand,
}

#[derive(Debug, Clone, Subcommand)]
enum FiringsCommand {
    /// Every firing, the newest first: dispatched, failed, refused, or claimed and not told of.
    List {
        /// Only those of this consumer, such as `trigger/harvest`.
        #[arg(long)]
        consumer: Option<String>,
        /// Only those in this state.
        #[arg(long, value_enum)]
        state: Option<State>,
        #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
        limit: u32,
        #[arg(long, value_enum, default_value = "text")]
        format: Format,
    },
    /// Let a settled firing be fired once more. One that is being worked on is not touched. A running engine takes it up
    /// within ten seconds.
    Retry {
        /// The consumer, such as `trigger/harvest`.
        consumer: String,
        /// The position of its event.
        position: u64,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum State {
    Running,
    Dispatched,
    Failed,
    Refused,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
}

pub async fn firings(args: FiringsArgs) -> Result<ExitCode, Failed> {
    let database = Database::beside_engine(&args.database).await?;
    let log = database.log().await?;
    let code = match &args.command {
        FiringsCommand::List { consumer, state, limit, format } => {
            list(&log, consumer.as_deref(), state.map(known), *limit, *format).await
        }
        FiringsCommand::Retry { consumer, position } => retry(&log, consumer, *position).await,
    };
    log.pool().close().await;
    database.close().await?;
    code
}

fn known(state: State) -> FiringState {
    match state {
        State::Running => FiringState::Running,
        State::Dispatched => FiringState::Dispatched,
        State::Failed => FiringState::Failed,
        State::Refused => FiringState::Refused,
    }
}

async fn list(
    log: &Log,
    consumer: Option<&str>,
    state: Option<FiringState>,
    limit: u32,
    format: Format,
) -> Result<ExitCode, Failed> {
    let rows = log.firings(consumer, state, limit).await?;
    if format == Format::Json {
        println!("{}", json!(rows));
        return Ok(ExitCode::SUCCESS);
    }
    println!("{:>10} {:<24} {:<10} {:>4} {:>8} {:<20}  outcome", "position", "consumer", "state", "hops", "attempts", "claimed");
    for row in rows {
        println!("{}", line(&row).trim_end());
    }
    Ok(ExitCode::SUCCESS)
}

fn line(row: &FiringRow) -> String {
    let claimed = row.first_claimed_at.to_rfc3339_opts(chrono::SecondsFormat::Secs, true);
    let run = row.run_id.as_ref().map(|run| format!(": run {run}")).unwrap_or_default();
    let outcome = row.outcome.as_deref().unwrap_or("claimed; nothing is told of it");
    let state = row.state.to_string();
    format!(
        "{:>10} {:<24} {state:<10} {:>4} {:>8} {claimed:<20}  {outcome}{run}",
        row.position, row.consumer, row.hops, row.attempts
    )
}

async fn retry(log: &Log, consumer: &str, position: u64) -> Result<ExitCode, Failed> {
    match log.retry_firing(consumer, position, STALE_AFTER).await? {
        Retried::Claimable => {
            println!("{}", json!({"consumer": consumer, "position": position, "claimable": true}));
            Ok(ExitCode::SUCCESS)
        }
        Retried::Live => {
            let bound = STALE_AFTER.as_secs();
            eprintln!(
                "leasehold: this firing is being worked on; a claim that is left behind can be taken over after {bound} seconds"
            );
            Ok(ExitCode::FAILURE)
        }
        Retried::Unknown => {
            eprintln!("leasehold: {consumer} has no firing at position {position}; see `leasehold firings list`");
            Ok(ExitCode::FAILURE)
        }
    }
}

//! `leasehold cursors`: how far each reader of the log has come. Rewinding is the verb for *read that again*: what was done
//! before is found under its own name and not done twice.

use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};
use serde_json::{Value, json};

use super::Failed;
use super::database::{Database, DatabaseArgs};
use crate::log::Log;

#[derive(Debug, Clone, Args)]
pub struct CursorsArgs {
    #[command(flatten)]
    database: DatabaseArgs,
    #[command(subcommand)]
    command: CursorsCommand,
}

#[derive(Debug, Clone, Subcommand)]
enum CursorsCommand {
    /// Every consumer with the last position that it has dealt with; of a game's feed, the last report.
    List {
        #[arg(long, value_enum, default_value = "text")]
        format: Format,
    },
    /// Have a consumer read again what lies behind a position.
    Rewind {
        consumer: String,
        /// The last position that counts as dealt with.
        position: u64,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
}

pub async fn cursors(args: CursorsArgs) -> Result<ExitCode, Failed> {
    if let CursorsCommand::Rewind { consumer, .. } = &args.command
        && consumer.starts_with("projection/")
    {
        eprintln!("leasehold: the rows of a projection would not fit its cursor any more; see `leasehold projections rebuild`");
        return Ok(ExitCode::from(2));
    }
    let database = Database::beside_engine(&args.database).await?;
    let log = database.log().await?;
    let code = match &args.command {
        CursorsCommand::List { format } => list(&log, *format).await,
        CursorsCommand::Rewind { consumer, position } => rewind(&log, consumer, *position).await,
    };
    log.pool().close().await;
    database.close().await?;
    code
}

async fn list(log: &Log, format: Format) -> Result<ExitCode, Failed> {
    let cursors = log.cursors().await?;
    if format == Format::Json {
        let shown = cursors
            .iter()
            .map(|(consumer, cursor)| json!({"consumer": consumer, "position": cursor.position, "epoch": cursor.epoch}));
        println!("{}", Value::Array(shown.collect()));
        return Ok(ExitCode::SUCCESS);
    }
    println!("{:>12} {:>6}  consumer", "position", "epoch");
    for (consumer, cursor) in cursors {
        println!("{:>12} {:>6}  {consumer}", cursor.position, cursor.epoch);
    }
    Ok(ExitCode::SUCCESS)
}

async fn rewind(log: &Log, consumer: &str, position: u64) -> Result<ExitCode, Failed> {
    let Some(moved) = log.rewind_cursor(consumer, position).await? else {
        eprintln!("leasehold: there is no consumer {consumer:?}; see `leasehold cursors list`");
        return Ok(ExitCode::FAILURE);
    };
    println!("{}", json!({"consumer": consumer, "position": position, "rewound": moved}));
    Ok(ExitCode::SUCCESS)
}

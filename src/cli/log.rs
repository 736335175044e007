//! `leasehold log`: the log itself.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use serde_json::json;

use super::Failed;
use super::database::{Database, DatabaseArgs};
use crate::log::{Head, Log, VerifyError};

#[derive(Debug, Clone, Args)]
pub struct LogArgs {
    #[command(flatten)]
    database: DatabaseArgs,
    #[command(subcommand)]
    command: LogCommand,
}

#[derive(Debug, Clone, Subcommand)]
enum LogCommand {
    /// Check every hash from the first event to the last. Exit 1 and the position where it is broken.
    Verify {
        /// The head that was kept elsewhere, `POSITION:HASH`: also finds a tail that was cut off.
        #[arg(long)]
        head: Option<String>,
    },
    /// Print the newest position with its hash, to be kept elsewhere.
    Head,
}

/// Runs one command on the log.
pub async fn log(args: LogArgs) -> Result<ExitCode, Failed> {
    let database = Database::beside_engine(&args.database).await?;
    let log = database.log().await?;
    let code = match &args.command {
        LogCommand::Verify { head } => verify(&log, head.as_deref()).await,
        LogCommand::Head => head(&log).await,
    };
    log.pool().close().await;
    database.close().await?;
    code
}

async fn verify(log: &Log, expected: Option<&str>) -> Result<ExitCode, Failed> {
    let expected = match expected {
        Some(text) => match parse_head(text, log).await? {
            Some(head) => Some(head),
            None => return Ok(ExitCode::from(2)),
        },
        None => None,
    };
    match log.verify(expected.as_ref(), |_| {}).await {
        Ok(verified) => {
            let head = verified.head.map(|head| format!("{}:{}", head.position, hex::encode(head.hash)));
            println!("{}", json!({ "ok": true, "events": verified.events, "head": head }));
            Ok(ExitCode::SUCCESS)
        }
        Err(VerifyError::Broken { position, why }) => {
            println!("{}", json!({ "ok": false, "position": position, "why": why.to_string() }));
            Ok(ExitCode::FAILURE)
        }
        Err(error) => Err(error.into()),
    }
}

/// `POSITION:HASH` as it was printed; `None`, with a word on standard error, where it is no such thing.
async fn parse_head(text: &str, log: &Log) -> Result<Option<Head>, Failed> {
    let parsed = text.split_once(':').and_then(|(position, hash)| Some((position.parse().ok()?, hex::decode(hash).ok()?)));
    let Some((position, hash)) = parsed.filter(|(_, hash): &(u64, Vec<u8>)| hash.len() == 32) else {
        eprintln!("leasehold: --head is written POSITION:HASH, as `leasehold log head` prints it under \"head\"");
        return Ok(None);
    };
    let recorded_at = log.head().await?.map(|head| head.recorded_at).unwrap_or_default();
    Ok(Some(Head { position, hash, recorded_at }))
}

async fn head(log: &Log) -> Result<ExitCode, Failed> {
    let head = log.head().await?;
    let shown =
        head.map(|head| {
        let hash = hex::encode(&head.hash);
        json!({ "head": format!("{}:{hash}", head.position), "position": head.position, "hash": hash, "recordedAt": head.recorded_at })
    });
    println!("{}", shown.unwrap_or_else(|| json!({ "head": null, "position": null })));
    Ok(ExitCode::SUCCESS)
}

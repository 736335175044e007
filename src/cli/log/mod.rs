//! `leasehold log`: the log itself.

mod head;
mod pin;
mod verify;

use std::path::Path;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::database::{Database, DatabaseArgs};
use super::{Failed, file};
use crate::log::{CheckKey, Head, Log, SignKey};

#[derive(Debug, Clone, Args)]
pub struct LogArgs {
    #[command(flatten)]
    database: DatabaseArgs,
    #[command(subcommand)]
    command: LogCommand,
}

#[derive(Debug, Clone, Subcommand)]
enum LogCommand {
    /// Check every hash from the first event to the last, and that the guards are on. Exit 1 and the position where it is broken.
    Verify(verify::VerifyArgs),
    /// Print the newest position with its hash, to be kept elsewhere.
    Head(head::HeadArgs),
}

/// Runs one command on the log.
pub async fn log(args: LogArgs) -> Result<ExitCode, Failed> {
    let database = Database::beside_engine(&args.database).await?;
    let log = database.log().await?;
    let code = run(&log, args.command).await;
    log.pool().close().await;
    database.close().await?;
    code
}

async fn run(log: &Log, command: LogCommand) -> Result<ExitCode, Failed> {
    match command {
        LogCommand::Verify(args) => verify::verify(log, &args).await,
        LogCommand::Head(args) => head::head(log, &args).await,
    }
}

/// A head as it is printed and pinned.
fn shown(head: &Head) -> Value {
    let hash = hex::encode(&head.hash);
    json!({ "head": format!("{}:{hash}", head.position), "position": head.position, "hash": hash, "recordedAt": head.recorded_at })
}

/// What was asked for cannot be done like that.
fn wrong_use(why: &str) -> ExitCode {
    eprintln!("leasehold: {why}");
    ExitCode::from(2)
}

/// The key that the file holds, to sign with.
fn sign_key(path: &Path) -> Result<SignKey, String> {
    SignKey::from_pem(&file::read(path)?).map_err(|fault| format!("{}: {fault}", path.display()))
}

/// The public key that the file holds.
fn check_key(path: &Path) -> Result<CheckKey, String> {
    CheckKey::from_pem(&file::read(path)?).map_err(|fault| format!("{}: {fault}", path.display()))
}

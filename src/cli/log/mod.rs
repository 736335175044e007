//! `leasehold log`: the log itself.

mod export;
mod head;
mod import;
mod pin;
mod tail;
mod verify;
mod verify_bundle;

use std::path::Path;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::database::{Database, DatabaseArgs};
use super::{Failed, file};
use crate::log::{CheckKey, Head, SignKey};

#[derive(Debug, Clone, Args)]
pub struct LogArgs {
    #[command(flatten)]
    database: DatabaseArgs,
    #[command(subcommand)]
    command: LogCommand,
}

#[derive(Debug, Clone, Subcommand)]
enum LogCommand {
    #[command(flatten)]
    OnLog(OnLog),
    /// Check a bundle; no database is needed. Exit 1 and the place where it is not as it was written.
    VerifyBundle(verify_bundle::VerifyBundleArgs),
}

/// What needs the log.
#[derive(Debug, Clone, Subcommand)]
enum OnLog {
    /// Check every hash from the first event to the last, and that the guards are on. Exit 1 and the position where it is broken.
    Verify(verify::VerifyArgs),
    /// Print the newest position with its hash, to be kept elsewhere.
    Head(head::HeadArgs),
    /// Print events, one JSON object a line, and wait for more if asked to.
    Tail(tail::TailArgs),
    /// Write the bundle of one run, which an auditor can check and replay without a database; or the whole log.
    Export(export::ExportArgs),
    /// Take in a whole log that was exported, into a database that holds nothing.
    Import(import::ImportArgs),
}

/// Runs one command on the log.
pub async fn log(args: LogArgs) -> Result<ExitCode, Failed> {
    let command = match args.command {
        LogCommand::VerifyBundle(bundle) => return verify_bundle::verify_bundle(&args.database, &bundle).await,
        LogCommand::OnLog(command) => command,
    };
    let database = Database::beside_engine(&args.database).await?;
    let log = database.log().await?;
    let code = match command {
        OnLog::Verify(args) => verify::verify(&log, &args).await,
        OnLog::Head(args) => head::head(&log, &args).await,
        OnLog::Tail(args) => tail::tail(&log, &args).await,
        OnLog::Export(args) => export::export(&log, &args).await,
        OnLog::Import(args) => import::import(&log, &args).await,
    };
    log.pool().close().await;
    database.close().await?;
    code
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

//! `leasehold log verify`: the chain from its first event to its last, and the guards.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};
use uuid::Uuid;

use super::pin::Pin;
use super::wrong_use;
use crate::cli::progress::Progress;
use crate::cli::{Failed, file};
use crate::log::{Anchor, Checkpoint, GuardError, Log, VerifyError};

#[derive(Debug, Clone, Args)]
pub struct VerifyArgs {
    /// A head that was kept elsewhere, `POSITION:HASH`: also finds a tail that was cut off.
    #[arg(long, value_name = "POSITION:HASH")]
    head: Option<String>,
    /// A file in which `log head --pin` keeps a head.
    #[arg(long, value_name = "FILE")]
    pin: Option<PathBuf>,
    /// A checkpoint that `log head --sign` printed.
    #[arg(long, value_name = "FILE", requires = "public_key")]
    checkpoint: Option<PathBuf>,
    /// The Ed25519 public key (PEM) of whoever signed the checkpoint.
    #[arg(long, value_name = "PEM", requires = "checkpoint")]
    public_key: Option<PathBuf>,
}

/// What the log must lead through, or why it cannot be said.
enum Expected {
    Anchors(Vec<Anchor>),
    WrongUse(String),
    /// The checkpoint is not to be believed.
    Fault(String),
    /// The checkpoint is of the log with this id, and this one has another.
    OtherLog(Uuid),
}

pub async fn verify(log: &Log, args: &VerifyArgs) -> Result<ExitCode, Failed> {
    let (anchors, other) = match expected(log, args).await? {
        Expected::Anchors(anchors) => (anchors, None),
        Expected::OtherLog(other) => (Vec::new(), Some(format!("the checkpoint is of another log, {other}"))),
        Expected::WrongUse(why) => return Ok(wrong_use(&why)),
        Expected::Fault(why) => {
            println!("{}", json!({ "ok": false, "position": null, "why": why }));
            return Ok(ExitCode::FAILURE);
        }
    };
    let mut progress = Progress::of(log.head().await?.map_or(0, |head| head.position + 1));
    let found = log.verify_through(&anchors, |events| progress.at(events)).await;
    drop(progress);
    let guards = guards(log).await?;
    let told = match found {
        Ok(verified) => {
            let head = verified.head.as_ref().map(|head| Anchor::from(head).to_string());
            match other.map_or_else(|| guards["why"].as_str().map(str::to_owned), Some) {
                None => json!({ "ok": true, "events": verified.events, "head": head, "guards": guards }),
                Some(why) => json!({
                    "ok": false, "events": verified.events, "head": head, "position": null, "why": why, "guards": guards
                }),
            }
        }
        Err(VerifyError::Broken { position, why }) => {
            json!({ "ok": false, "position": position, "why": why.to_string(), "guards": guards })
        }
        Err(error) => return Err(error.into()),
    };
    println!("{told}");
    Ok(if told["ok"] == true { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Whether the triggers that keep the log append-only are there and fire in every session.
async fn guards(log: &Log) -> Result<Value, Failed> {
    match log.append_only().await {
        Ok(_) => Ok(json!({ "on": true })),
        Err(GuardError::Unguarded { trigger }) => {
            let why = format!("the trigger {trigger} on the log is missing, replaced or switched off");
            Ok(json!({ "on": false, "why": why }))
        }
        Err(GuardError::Altered { function }) => {
            let why = format!("the function {function}, which guards the log, is not the one that this program knows");
            Ok(json!({ "on": false, "why": why }))
        }
        Err(GuardError::Read(error)) => Err(error.into()),
    }
}

async fn expected(log: &Log, args: &VerifyArgs) -> Result<Expected, Failed> {
    let mut anchors = Vec::new();
    if let Some(head) = &args.head {
        match head.parse() {
            Ok(anchor) => anchors.push(anchor),
            Err(error) => return Ok(Expected::WrongUse(format!("--head: {error}"))),
        }
    }
    if let Some(path) = &args.pin {
        match Pin::read(path) {
            Ok(Some(pin)) => anchors.push(pin.anchor),
            Ok(None) => return Ok(Expected::WrongUse(format!("--pin: {} is not there", path.display()))),
            Err(why) => return Ok(Expected::WrongUse(format!("--pin: {why}"))),
        }
    }
    if let (Some(path), Some(key)) = (&args.checkpoint, &args.public_key) {
        let (key, document) = match (super::check_key(key), file::read(path)) {
            (Ok(key), Ok(document)) => (key, document),
            (Err(why), _) | (_, Err(why)) => return Ok(Expected::WrongUse(why)),
        };
        match Checkpoint::read(&document, &key) {
            Err(fault) => return Ok(Expected::Fault(format!("the checkpoint does not count: {fault}"))),
            Ok(checkpoint) if log.log_id().await? != Some(checkpoint.log) => {
                return Ok(Expected::OtherLog(checkpoint.log));
            }
            Ok(checkpoint) => anchors.push(checkpoint.anchor),
        }
    }
    Ok(Expected::Anchors(anchors))
}

//! `leasehold log head`: the newest position with its hash; pinned in a file, or signed.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};

use super::pin::{self, Pin};
use super::{shown, wrong_use};
use crate::cli::{Failed, file};
use crate::engine::clock::Clock;
use crate::log::{Anchor, Checkpoint, Head, Log, SignKey, VerifyError};

#[derive(Debug, Clone, Args)]
pub struct HeadArgs {
    /// Write the head to this file. Refused, and exit 1, if the log no longer leads through the head that the file held.
    #[arg(long, value_name = "FILE")]
    pin: Option<PathBuf>,
    /// Print a checkpoint signed with this Ed25519 key (PKCS#8, PEM) instead.
    #[arg(long, value_name = "KEYFILE")]
    sign: Option<PathBuf>,
}

pub async fn head(log: &Log, args: &HeadArgs) -> Result<ExitCode, Failed> {
    let key = match args.sign.as_deref().map(super::sign_key).transpose() {
        Ok(key) => key,
        Err(why) => return Ok(wrong_use(&why)),
    };
    let head = match &args.pin {
        None => log.head().await?,
        Some(path) => match Pin::read(path) {
            Err(why) => return Ok(wrong_use(&why)),
            Ok(None) => log.head().await?,
            Ok(Some(pin)) => match log.verify_from(&pin.anchor, |_| {}).await {
                Ok(verified) => verified.head,
                Err(VerifyError::Broken { position, why }) => {
                    println!("{}", pin::refused(&pin, position, why));
                    return Ok(ExitCode::FAILURE);
                }
                Err(error) => return Err(error.into()),
            },
        },
    };
    let Some(head) = head else { return Ok(nothing_yet(key.is_some() || args.pin.is_some())) };
    let document = shown(&head);
    let printed = match key {
        Some(key) => checkpoint(log, &head, &key).await?,
        None => document.clone(),
    };
    if let Some(path) = &args.pin {
        file::replace(path, format!("{document}\n").as_bytes())?;
    }
    println!("{printed}");
    Ok(ExitCode::SUCCESS)
}

/// An empty log has a head for nobody.
fn nothing_yet(wanted: bool) -> ExitCode {
    println!("{}", json!({ "head": null, "position": null }));
    if wanted { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

async fn checkpoint(log: &Log, head: &Head, key: &SignKey) -> Result<Value, Failed> {
    let id = log.log_id().await?.ok_or("the log has no id to be named by: it was never opened by an engine")?;
    let at = Clock::of_database(log.pool().clone()).now().await?;
    let checkpoint = Checkpoint { log: id, anchor: Anchor::from(head), recorded_at: head.recorded_at, at };
    Ok(checkpoint.signed(key))
}

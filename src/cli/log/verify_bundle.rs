//! `leasehold log verify-bundle`: a bundle by itself, without a database; or beside the log.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};

use super::wrong_use;
use crate::cli::Failed;
use crate::cli::database::{Database, DatabaseArgs};
use crate::log::{Bundle, BundleFault, Part};

#[derive(Debug, Clone, Args)]
pub struct VerifyBundleArgs {
    /// The bundle, as `log export --run` wrote it.
    file: PathBuf,
    /// The Ed25519 public key (PEM) of whoever must have signed it.
    #[arg(long, value_name = "PEM")]
    public_key: Option<PathBuf>,
    /// Compare it with the log of the database, too: each event must be there in just this form.
    #[arg(long)]
    against_log: bool,
}

pub async fn verify_bundle(database: &DatabaseArgs, args: &VerifyBundleArgs) -> Result<ExitCode, Failed> {
    let key = match args.public_key.as_deref().map(super::check_key).transpose() {
        Ok(key) => key,
        Err(why) => return Ok(wrong_use(&why)),
    };
    let bytes = match std::fs::read(&args.file) {
        Ok(bytes) => bytes,
        Err(error) => return Ok(wrong_use(&format!("{} cannot be read: {error}", args.file.display()))),
    };
    let read = Bundle::read(&bytes).and_then(|bundle| key.map_or(Ok(()), |key| bundle.signed_with(&key)).map(|()| bundle));
    let bundle = match read {
        Ok(bundle) => bundle,
        Err(BundleFault { part, wrong }) => return Ok(refused(part, &wrong.to_string())),
    };
    if args.against_log {
        let opened = Database::beside_engine(database).await?;
        let log = opened.log().await?;
        let compared = bundle.differs_from(&log).await;
        log.pool().close().await;
        opened.close().await?;
        if let Err(error) = compared {
            return match error.part() {
                Some(part) => Ok(refused(part, &error.to_string())),
                None => Err(error.into()),
            };
        }
    }
    println!("{}", told(&bundle, key.is_some(), args.against_log));
    Ok(ExitCode::SUCCESS)
}

fn told(bundle: &Bundle, signature_checked: bool, compared: bool) -> Value {
    json!({
        "ok": true,
        "log": bundle.log,
        "about": bundle.subject.to_string(),
        "exportedAt": bundle.exported_at,
        "head": bundle.head.to_string(),
        "events": bundle.events.len(),
        "notes": bundle.notes.len(),
        "signedBy": bundle.signed.map(|signed| hex::encode(signed.public_key)),
        "signatureChecked": signature_checked,
        "comparedWithLog": compared,
    })
}

fn refused(part: Part, why: &str) -> ExitCode {
    let (name, position, note) = match part {
        Part::Header => ("header", None, None),
        Part::Event(position) => ("event", Some(position), None),
        Part::Note(id) => ("note", None, Some(id)),
        Part::Trailer => ("trailer", None, None),
    };
    println!("{}", json!({ "ok": false, "part": name, "position": position, "note": note, "why": why }));
    ExitCode::FAILURE
}

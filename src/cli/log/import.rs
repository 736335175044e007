//! `leasehold log import`: a whole log into a database that holds nothing.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde_json::json;

use super::wrong_use;
use crate::cli::Failed;
use crate::log::Log;

#[derive(Debug, Clone, Args)]
pub struct ImportArgs {
    /// What `log export --all` wrote.
    file: PathBuf,
}

pub async fn import(log: &Log, args: &ImportArgs) -> Result<ExitCode, Failed> {
    let file = match File::open(&args.file) {
        Ok(file) => BufReader::new(file),
        Err(error) => return Ok(wrong_use(&format!("{} cannot be read: {error}", args.file.display()))),
    };
    let archived = log.import(file).await?;
    println!("{}", json!({ "log": archived.log, "position": archived.head, "events": archived.head + 1 }));
    Ok(ExitCode::SUCCESS)
}

//! `leasehold log export`: what an auditor takes away, or the whole log.

use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use leasehold_aggregates::decide::RefusalKind;

use super::wrong_use;
use crate::cli::Failed;
use crate::cli::file::{self, Replacing};
use crate::engine::clock::Clock;
use crate::engine::evidence;
use crate::log::Log;

#[derive(Debug, Clone, Args)]
pub struct ExportArgs {
    /// The run whose bundle is wanted.
    #[arg(long, required_unless_present = "all")]
    run: Option<String>,
    /// The whole log instead, with the rows beside it that an engine needs to go on. What people wrote and the digests of
    /// their tokens are among them.
    #[arg(long, conflicts_with_all = ["run", "sign", "notes"])]
    all: bool,
    /// Where it goes; unset: to standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Sign it with this Ed25519 key (PKCS#8, PEM).
    #[arg(long, value_name = "KEYFILE")]
    sign: Option<PathBuf>,
    /// Take along the notes that its events name, so that their digests can be checked.
    #[arg(long)]
    notes: bool,
}

pub async fn export(log: &Log, args: &ExportArgs) -> Result<ExitCode, Failed> {
    match &args.run {
        Some(run) => bundle(log, run, args).await,
        None => whole(log, args.out.as_deref()).await,
    }
}

async fn whole(log: &Log, out: Option<&Path>) -> Result<ExitCode, Failed> {
    match out {
        Some(path) => {
            let mut file = Replacing::secret(path)?;
            log.archive(&mut file).await?;
            file.finish()?;
        }
        None => {
            log.archive(&mut BufWriter::new(std::io::stdout())).await?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn bundle(log: &Log, run: &str, args: &ExportArgs) -> Result<ExitCode, Failed> {
    let key = match args.sign.as_deref().map(super::sign_key).transpose() {
        Ok(key) => key,
        Err(why) => return Ok(wrong_use(&why)),
    };
    let at = Clock::of_database(log.pool().clone()).now().await?;
    let request = match evidence::of_run(log, run, args.notes, at).await {
        Ok(request) => request,
        Err(fault) if fault.refusal_kind() == Some(RefusalKind::Missing) => {
            return Ok(wrong_use(&format!("there is no run {run:?}")));
        }
        Err(fault) => return Err(fault.into()),
    };
    put(args.out.as_deref(), &log.bundle(&request, key.as_ref()).await?)?;
    Ok(ExitCode::SUCCESS)
}

/// To the file, or to standard output. A reader there that has seen enough is no failure.
fn put(out: Option<&Path>, bytes: &[u8]) -> Result<(), Failed> {
    use std::io::{ErrorKind, Write};
    match out {
        Some(path) => Ok(file::replace(path, bytes)?),
        None => match std::io::stdout().lock().write_all(bytes) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
            _ => Ok(()),
        },
    }
}

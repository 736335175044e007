//! `leasehold replay RUN`: a run step by step, from the log: who, what, when, by which version. It appends nothing.

mod bundle;
mod tell;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use leasehold_aggregates::decide::RefusalKind;
use leasehold_aggregates::run::{Limits, RunRefusal};
use leasehold_projections::difference::RunDifference;

use bundle::Untold;

use super::Failed;
use super::database::{Database, DatabaseArgs};
use super::written::{Format, write};
use crate::engine::Fault;
use crate::engine::clock::Clock;
use crate::engine::registry::Registry;
use crate::engine::stories::{NotThere, Stories, Until};
use crate::log::Log;

#[derive(Debug, Clone, Args)]
pub struct ReplayArgs {
    #[command(flatten)]
    database: DatabaseArgs,
    /// The run's id.
    #[arg(required_unless_present = "bundle")]
    run: Option<String>,
    /// The run that this bundle is about, from the file alone: `log export --run` writes one.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["run", "diff"])]
    bundle: Option<PathBuf>,
    /// Up to and with this position of the log, or this instant (2027-03-28T18:00:00Z). Unset: all of it.
    #[arg(long, value_name = "POSITION-or-INSTANT", conflicts_with = "diff")]
    at: Option<Until>,
    /// What changed in the run from A to B, each a position or an instant.
    #[arg(long, value_names = ["A", "B"], num_args = 2)]
    diff: Option<Vec<Until>>,
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

impl ReplayArgs {
    /// The run's id; of a bundle, which says it itself, nothing.
    fn run(&self) -> &str {
        self.run.as_deref().unwrap_or_default()
    }
}

/// Prints the run's story, or what changed.
pub async fn replay(args: ReplayArgs) -> Result<ExitCode, Failed> {
    if let Some(file) = &args.bundle {
        return match bundle::told(file, args.at.unwrap_or(Until::Now), args.format)? {
            Ok(text) => write(&text),
            Err(Untold::Fault(fault)) => refused(&args, fault),
            Err(Untold::Bundle(why)) => {
                eprintln!("leasehold: {why}");
                Ok(ExitCode::FAILURE)
            }
        };
    }
    let database = Database::beside_engine(&args.database).await?;
    let log = database.log().await?;
    let code = print(&log, &args).await;
    log.pool().close().await;
    database.close().await?;
    code
}

async fn print(log: &Log, args: &ReplayArgs) -> Result<ExitCode, Failed> {
    let registry = Registry::new(leasehold_installed::installed(&[], None))?;
    let now = Clock::of_database(log.pool().clone()).now().await?;
    let stories = Stories { log, registry: Arc::new(registry), limits: Limits::default(), now };
    match told(&stories, args).await? {
        Ok(text) => write(&text),
        Err(fault) => refused(args, fault),
    }
}

async fn told(stories: &Stories<'_>, args: &ReplayArgs) -> Result<Result<String, Fault>, Failed> {
    if let Some([from, to]) = args.diff.as_deref() {
        return match between(stories, args.run(), [*from, *to]).await {
            Ok(difference) => Ok(Ok(tell::difference(&difference, args.format)?)),
            Err(fault) => Ok(Err(fault)),
        };
    }
    match stories.replay(args.run(), args.at.unwrap_or(Until::Now)).await {
        Ok(retelling) => Ok(Ok(tell::retelling(&retelling, args.format)?)),
        Err(fault) => Ok(Err(fault)),
    }
}

async fn between(stories: &Stories<'_>, run: &str, places: [Until; 2]) -> Result<RunDifference, Fault> {
    let [earlier, later] = stories.replays(run, places).await?;
    earlier?.until(later?)
}

/// A place or a run that is not there is wrong use; everything else is a failure.
fn refused(args: &ReplayArgs, fault: Fault) -> Result<ExitCode, Failed> {
    let Fault::Refused(refusal) = &fault else { return Err(fault.into()) };
    let source: &(dyn std::error::Error + 'static) = &**refusal;
    if source.is::<NotThere>() {
        eprintln!("leasehold: {refusal}");
    } else if source.is::<RunRefusal>() && refusal.kind() == RefusalKind::Missing {
        let then = if args.at.is_some() || args.diff.is_some() { ", or there was none by then" } else { "" };
        eprintln!("leasehold: there is no run {:?}{then}", args.run());
    } else {
        return Err(fault.into());
    }
    Ok(ExitCode::from(2))
}

//! `leasehold projections`: the rows that are derived from the log.

use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, Subcommand, ValueEnum};
use leasehold_projections::Projection;
use serde_json::{Value, json};

use super::Failed;
use super::database::{Database, DatabaseArgs};
use super::pace::Progress;
use super::rebuild::rebuild;
use crate::engine::projector::{Pace, Standing, Verdict, standings, verify};
use crate::log::Log;

#[derive(Debug, Clone, Args)]
pub struct ProjectionsArgs {
    #[command(flatten)]
    database: DatabaseArgs,
    #[command(subcommand)]
    command: ProjectionsCommand,
}

#[derive(Debug, Clone, Subcommand)]
enum ProjectionsCommand {
    /// Every set of tables: what it is there for, how far it has come, and where and why it stopped.
    List {
        #[arg(long, value_enum, default_value = "text")]
        format: Format,
    },
    /// Build the rows anew beside those that serve, and swap. Goes on where an earlier call was cut off.
    Rebuild {
        /// The projection.
        #[arg(required_unless_present = "all")]
        names: Vec<String>,
        /// Every projection, side by side, from one reading of the log.
        #[arg(long, conflicts_with = "names")]
        all: bool,
        /// Events of one transaction.
        #[arg(long, default_value_t = Pace::default().building, value_parser = clap::value_parser!(u32).range(1..=50_000))]
        window: u32,
        /// Give up what an earlier call has built, and begin again.
        #[arg(long)]
        anew: bool,
    },
    /// Compare the rows with a fresh fold of the log up to the same position. Exit 1 and the first row that differs.
    Verify {
        /// The projections; all of them where none is named.
        names: Vec<String>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// Runs one command on the projections.
pub async fn projections(args: ProjectionsArgs) -> Result<ExitCode, Failed> {
    let names = match &args.command {
        ProjectionsCommand::List { .. } => Vec::new(),
        ProjectionsCommand::Rebuild { names, .. } | ProjectionsCommand::Verify { names } => names.clone(),
    };
    let Some(projections) = named(&names) else { return Ok(ExitCode::from(2)) };
    let database = Database::beside_engine(&args.database).await?;
    let log = database.log().await?;
    let code = match args.command {
        ProjectionsCommand::List { format } => list(&log, format).await,
        ProjectionsCommand::Rebuild { window, anew, .. } => rebuild(&log, projections, window, anew).await,
        ProjectionsCommand::Verify { .. } => verify_all(&log, projections).await,
    };
    log.pool().close().await;
    database.close().await?;
    code
}

/// The projections of these names, or all of them; none, with a word on standard error, where a name is unknown.
fn named(names: &[String]) -> Option<Vec<Arc<dyn Projection>>> {
    let all = leasehold_projections::all();
    let known: Vec<&str> = all.iter().map(|projection| projection.name()).collect();
    if let Some(unknown) = names.iter().find(|name| !known.contains(&name.as_str())) {
        eprintln!("leasehold: there is no projection {unknown:?}; there are {}", known.join(", "));
        return None;
    }
    let wanted = |projection: &Arc<dyn Projection>| names.is_empty() || names.iter().any(|name| name == projection.name());
    Some(all.iter().filter(|projection| wanted(projection)).cloned().collect())
}

async fn list(log: &Log, format: Format) -> Result<ExitCode, Failed> {
    let known = sqlx::query_scalar::<_, bool>("select to_regclass('projections.generations') is not null");
    let all = if known.fetch_one(log.pool()).await? { standings(log.pool()).await? } else { Vec::new() };
    if format == Format::Json {
        let shown: Vec<Value> = all.iter().map(with_lag).collect();
        println!("{}", json!(shown));
        return Ok(ExitCode::SUCCESS);
    }
    println!("{:<14} {:>7} {:>10} {:<9} {:>12} {:>10}  note", "name", "version", "generation", "state", "position", "behind");
    for one in &all {
        let (state, behind) = (one.state.to_string(), one.behind());
        let line = format!(
            "{:<14} {:>7} {:>10} {state:<9} {:>12} {behind:>10}  {}",
            one.name,
            one.version,
            one.generation,
            one.position,
            note(one)
        );
        println!("{}", line.trim_end());
    }
    Ok(ExitCode::SUCCESS)
}

fn with_lag(standing: &Standing) -> Value {
    let mut shown = json!(standing);
    shown["behind"] = json!(standing.behind());
    shown
}

fn note(standing: &Standing) -> String {
    match (standing.stopped_at, standing.led_by) {
        (Some(at), _) => format!("stopped in front of {at}: {}", standing.why.as_deref().unwrap_or("no reason was told")),
        (None, Some(by)) => format!("led by {by}"),
        (None, None) => format!("nobody leads it, for {} s", standing.unled_seconds),
    }
}

async fn verify_all(log: &Log, all: Vec<Arc<dyn Projection>>) -> Result<ExitCode, Failed> {
    let mut code = ExitCode::SUCCESS;
    for projection in all {
        let progress = std::sync::Mutex::new(Progress::starting(format!("{}: folded anew", projection.name()), true, 0));
        let tell = |position, head| {
            if let Ok(mut progress) = progress.lock() {
                progress.tell(position, head);
            }
        };
        let verified = verify(log, &projection, tell).await;
        if let Ok(progress) = progress.lock() {
            progress.end();
        }
        let verified = verified?;
        let mut shown = json!(verified);
        shown["ok"] = json!(verified.verdict == Verdict::Equal);
        println!("{shown}");
        if verified.verdict != Verdict::Equal {
            code = ExitCode::FAILURE;
        }
    }
    Ok(code)
}

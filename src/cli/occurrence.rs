//! `leasehold occurrence`: one occurrence skipped, moved or brought back, for whoever has the machine.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use leasehold_aggregates::definition::Alter;
use leasehold_aggregates::schedule::LocalDateTime;
use serde_json::json;

use super::Failed;
use super::beside::{BesideArgs, beside, reason};

#[derive(Debug, Clone, Args)]
pub struct OccurrenceArgs {
    #[command(flatten)]
    beside: BesideArgs,
    #[command(subcommand)]
    command: OccurrenceCommand,
}

#[derive(Debug, Clone, Subcommand)]
enum OccurrenceCommand {
    /// It does not happen.
    Skip(Which),
    /// It happens at another wall clock of the same zone.
    Move {
        #[command(flatten)]
        which: Which,
        /// When it happens (2027-03-05T21:30).
        #[arg(long, value_name = "WALL CLOCK")]
        to: LocalDateTime,
    },
    /// It happens after all, and when the schedule says.
    Restore(Which),
}

#[derive(Debug, Clone, Args)]
struct Which {
    /// The definition, by its slug or its id.
    definition: String,
    /// The wall clock that the schedule gives it (2027-03-05T20:00), wherever it was moved to.
    slot: LocalDateTime,
    /// Why, in 1 to 2,000 characters.
    #[arg(long, value_parser = reason)]
    reason: String,
}

pub async fn occurrence(args: OccurrenceArgs) -> Result<ExitCode, Failed> {
    let (which, alter) = match args.command {
        OccurrenceCommand::Skip(which) => (which, Alter::Skip),
        OccurrenceCommand::Move { which, to } => (which, Alter::Move { to }),
        OccurrenceCommand::Restore(which) => (which, Alter::Restore),
    };
    beside(&args.beside, async |engine, act| {
        let Which { definition, slot, reason } = which;
        let (id, altered) = engine.alter_occurrence_beside(&act, &definition, slot, alter, &reason).await?;
        let at = altered.stands.map(|stands| stands.at);
        Ok(vec![json!({"definitionId": id, "slot": slot, "at": at, "runId": altered.run_id, "position": altered.position})])
    })
    .await
}

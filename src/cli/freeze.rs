//! `leasehold freeze`: windows in which nothing starts, for whoever has the machine.

use std::process::ExitCode;

use chrono::{DateTime, SubsecRound, Utc};
use clap::{Args, Subcommand};
use serde_json::json;
use uuid::Uuid;

use super::Failed;
use super::beside::{BesideArgs, beside, reason};

#[derive(Debug, Clone, Args)]
pub struct FreezeArgs {
    #[command(flatten)]
    beside: BesideArgs,
    #[command(subcommand)]
    command: FreezeCommand,
}

#[derive(Debug, Clone, Subcommand)]
enum FreezeCommand {
    /// Nothing starts inside the window, by schedule, by hand or by a trigger file. What is under way goes on.
    On {
        /// The first instant inside (2027-03-28T18:00:00Z).
        #[arg(long, value_name = "INSTANT")]
        from: DateTime<Utc>,
        /// The first instant outside again.
        #[arg(long, value_name = "INSTANT")]
        to: DateTime<Utc>,
        /// Why, in 1 to 2,000 characters.
        #[arg(long, value_parser = reason)]
        reason: String,
    },
    /// Lift one before its end. What it has held up stays missed.
    Off {
        /// Its id, as `leasehold freeze list` prints it.
        id: Uuid,
    },
    /// Every freeze that was ever declared, the one that begins last first.
    List,
}

pub async fn freeze(args: FreezeArgs) -> Result<ExitCode, Failed> {
    beside(&args.beside, async |engine, act| match args.command {
        FreezeCommand::On { from, to, reason } => {
            let [from, to] = [from, to].map(|at| at.trunc_subsecs(6));
            let (id, position) = engine.declare_freeze(&act, [from, to], &reason).await?;
            Ok(vec![json!({"id": id, "from": from, "to": to, "position": position})])
        }
        FreezeCommand::Off { id } => {
            let position = engine.lift_freeze(&act, id).await?;
            Ok(vec![json!({"id": id, "state": "lifted", "position": position})])
        }
        FreezeCommand::List => {
            let freezes = engine.freezes().await?.into_iter().map(|freeze| {
                let lifted = freeze.lifted.as_ref();
                json!({
                    "id": freeze.id, "from": freeze.from, "to": freeze.to, "declaredAt": freeze.declared.at,
                    "declaredBy": freeze.declared.by, "liftedAt": lifted.map(|deed| deed.at), "liftedBy": lifted.map(|deed| &deed.by),
                })
            });
            Ok(freezes.collect())
        }
    })
    .await
}

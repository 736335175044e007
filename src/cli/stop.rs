//! `leasehold stop`: one stop for everything, for whoever has the machine, whether an engine runs or not. What it prints is one
//! JSON object.

use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};
use leasehold_aggregates::deployment::StopRuns;
use serde_json::{Value, json};

use super::Failed;
use super::beside::{BesideArgs, beside, reason};
use crate::engine::{Act, Engine, Fault};

#[derive(Debug, Clone, Args)]
pub struct StopArgs {
    #[command(flatten)]
    beside: BesideArgs,
    #[command(subcommand)]
    command: StopCommand,
}

#[derive(Debug, Clone, Subcommand)]
enum StopCommand {
    /// Stop everything: nothing starts, by schedule, by hand or by a trigger file, until it is lifted. Undos finish.
    On {
        /// Why, in 1 to 2,000 characters.
        #[arg(long, value_parser = reason)]
        reason: String,
        /// What becomes of the runs under way, as soon as an engine runs.
        #[arg(long, value_enum, default_value = "pause")]
        runs: Runs,
    },
    /// Lift the stop: everything starts again. What was paused waits for somebody to resume it.
    Off,
    /// Tell whether everything is stopped.
    Show,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
enum Runs {
    /// They go on.
    Leave,
    /// No step follows the one that is being dispatched.
    Pause,
    /// They are cancelled, and give back what they hold.
    TearDown,
}

impl From<Runs> for StopRuns {
    fn from(runs: Runs) -> Self {
        match runs {
            Runs::Leave => Self::Leave,
            Runs::Pause => Self::Pause,
            Runs::TearDown => Self::TearDown,
        }
    }
}

pub async fn stop(args: StopArgs) -> Result<ExitCode, Failed> {
    beside(&args.beside, async |engine, act| Ok(vec![carry_out(&engine, &act, args.command).await?])).await
}

async fn carry_out(engine: &Engine, act: &Act, command: StopCommand) -> Result<Value, Fault> {
    Ok(match command {
        StopCommand::On { reason, runs } => {
            let runs = StopRuns::from(runs);
            let (id, position) = engine.stop_everything(act, runs, &reason).await?;
            json!({"stopped": true, "id": id, "runs": runs, "position": position})
        }
        StopCommand::Off => json!({"stopped": false, "position": engine.lift_stop(act).await?}),
        StopCommand::Show => match engine.stopped().await? {
            Some(stop) => json!({
                "stopped": true, "id": stop.id, "runs": stop.runs, "declaredAt": stop.declared.at, "declaredBy": stop.declared.by,
            }),
            None => json!({"stopped": false}),
        },
    })
}

//! The command line. Exit status 0: done; 1: a fault was found or something failed; 2: wrong use.

mod beside;
mod cursors;
mod database;
mod demo;
mod file;
mod firings;
mod freeze;
mod in_force;
mod links;
mod log;
mod modules;
mod occurrence;
mod occurrences;
mod pace;
mod progress;
mod projections;
mod rebuild;
mod replay;
mod serve;
mod stop;
mod user;
mod words;
mod written;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::engine::fault::told;

/// Runs scheduled, bounded, audited changes to a live game world, and puts the world back.
#[derive(Debug, Parser)]
#[command(name = "leasehold", version, propagate_version = true)]
struct Cli {
    #[command(flatten)]
    words: words::WordsArgs,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the engine: HTTP, dispatch, projections.
    Serve(serve::ServeArgs),
    /// Run the engine with a game and sample events on this machine, to look at.
    Demo(demo::DemoArgs),
    /// Tell what a run did, step by step, from the log alone.
    Replay(replay::ReplayArgs),
    /// Tell what was in force at a place of the log, and by whose decision.
    InForce(in_force::InForceArgs),
    /// Tell what became of every occurrence of a window: what was executed and what was not, with its reason.
    Occurrences(occurrences::OccurrencesArgs),
    /// Leave one occurrence out, have it at another time, or bring it back.
    Occurrence(occurrence::OccurrenceArgs),
    /// Let nothing start for a while.
    Freeze(freeze::FreezeArgs),
    /// Look at the log itself.
    Log(log::LogArgs),
    /// Look at the rows that are derived from the log, build them anew, compare them with it.
    Projections(projections::ProjectionsArgs),
    /// Look at what was done with the signals that trigger files are on, and have one fired once more.
    Firings(firings::FiringsArgs),
    /// Look at how far each reader of the log has come, and have one read again.
    Cursors(cursors::CursorsArgs),
    /// Look at the modules that games declare.
    Modules(modules::ModulesArgs),
    /// Stop everything at once, and let it start again.
    Stop(stop::StopArgs),
    /// Add accounts, and change what they may do.
    User(user::UserArgs),
}

/// Why a command did not do what it was asked.
type Failed = Box<dyn std::error::Error + Send + Sync>;

/// Parses, runs, and says how it ended.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("leasehold: no threads could be started: {error}");
            return ExitCode::FAILURE;
        }
    };
    let serves = matches!(cli.command, Command::Serve(_) | Command::Demo(_));
    let traces = match cli.words.begin(runtime.handle(), serves) {
        Ok(traces) => traces,
        Err(wrong) => {
            eprintln!("leasehold: {wrong}");
            return ExitCode::from(2);
        }
    };
    // What is spawned as a child process ends with the thread that spawned it: the commands run on the main thread.
    let code = runtime.block_on(run(cli.command)).unwrap_or_else(|error| {
        eprintln!("leasehold: {}", told(error.as_ref()));
        ExitCode::FAILURE
    });
    if let Some(traces) = traces {
        traces.stop();
    }
    code
}

async fn run(command: Command) -> Result<ExitCode, Failed> {
    match command {
        Command::Serve(args) => serve::serve(args).await,
        Command::Demo(args) => demo::demo(args).await,
        Command::Replay(args) => replay::replay(args).await,
        Command::InForce(args) => in_force::in_force(args).await,
        Command::Occurrences(args) => occurrences::occurrences(args).await,
        Command::Occurrence(args) => occurrence::occurrence(args).await,
        Command::Freeze(args) => freeze::freeze(args).await,
        Command::Log(args) => log::log(args).await,
        Command::Projections(args) => projections::projections(args).await,
        Command::Firings(args) => firings::firings(args).await,
        Command::Cursors(args) => cursors::cursors(args).await,
        Command::Modules(args) => modules::modules(args).await,
        Command::Stop(args) => stop::stop(args).await,
        Command::User(args) => user::user(args).await,
    }
}

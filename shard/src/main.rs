//! `leasehold-shard`: the reference game server. A small living world with the game half of the wire, and a staff console.

mod audit;
mod call;
mod chance;
mod clock;
mod config;
mod console;
mod core;
mod faults;
mod fences;
mod game;
mod handlers;
mod journal;
mod keys;
mod lease;
mod link;
mod outbox;
mod participation;
mod process;
mod world;

use clap::Parser;
use std::process::ExitCode;

#[tokio::main(worker_threads = 2)]
async fn main() -> ExitCode {
    let arguments = process::Arguments::parse();
    process::log_to_stderr();
    match process::run(arguments).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            tracing::error!("{failure}");
            ExitCode::from(1)
        }
    }
}

//! `leasehold-link`: the sidecar. A game dials in on one side, an engine posts on the other; this program only carries.

mod sidecar;

use clap::Parser;
use sidecar::Arguments;
use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    let arguments = Arguments::parse();
    sidecar::log_to_stderr();
    match sidecar::run(arguments).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            tracing::error!("{failure}");
            ExitCode::from(1)
        }
    }
}

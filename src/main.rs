//! Arguments and wiring only.

use std::process::ExitCode;

fn main() -> ExitCode {
    leasehold::cli::main()
}

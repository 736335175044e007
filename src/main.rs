//! Arguments and wiring only.

use std::process::ExitCode;

/// Events are many small texts that live shortly, on several threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    leasehold::cli::main()
}

//! The programs of this workspace, built where a test was built. Included by its path wherever tests start them.

use std::path::Path;
use std::process::Command;

/// What cargo tells a test about the package that it belongs to. Build scripts look at it, too: with it, what was built without it
/// would be built again.
const OF_A_TEST: [&str; 5] = ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_CRATE_", "CARGO_BIN_", "OUT_DIR"];

/// Builds every program of the workspace into this folder of a profile, as `make build` does, after which there is nothing left to do.
/// All of them, because one alone would have other features of its dependencies, and all of those would be built again.
pub fn build(profile: &Path) {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--workspace", "--bins", "--target-dir"]).arg(profile.parent().unwrap());
    if profile.ends_with("release") {
        cargo.arg("--release");
    }
    for (name, _) in std::env::vars_os() {
        if OF_A_TEST.iter().any(|prefix| name.to_string_lossy().starts_with(prefix)) {
            cargo.env_remove(name);
        }
    }
    assert!(cargo.status().unwrap().success(), "the programs of the workspace build");
}

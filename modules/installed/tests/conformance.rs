//! Every installed module is put to every obligation, against its real game: a module without a rig fails here.

#![allow(clippy::unwrap_used, reason = "a test that finds what it did not expect ends there")]

#[path = "../../uo/tests/rig/mod.rs"]
mod uo;

use std::sync::Arc;

use futures::future::join_all;
use leasehold_installed::installed;
use leasehold_module::conformance::{Bench, check};
use leasehold_module::{Link, Module};

/// How many games each module is tried on at once.
const GAMES: usize = 8;
/// Milliseconds that the modules wait: longer than the sidecars do, so that a lost answer is told by them.
const REPLY_TIMEOUT_MS: u64 = 6_000;

/// The installed module of that id, over this link.
fn module(id: &str, link: Link) -> Arc<dyn Module> {
    let all = installed(&[link], Some(REPLY_TIMEOUT_MS));
    all.into_iter().find(|module| module.manifest().id == id).expect("it is installed")
}

/// A module's game, with a hand on it.
async fn rig(id: &str, share: (usize, usize)) -> Box<dyn Bench> {
    let thorough = std::env::var_os("LEASEHOLD_SOAK").is_some();
    let over = |link| module(id, link);
    match id {
        "uo" => Box::new(uo::Rig::start(over, thorough, share).await),
        other => panic!("{other} has no rig: see docs/module-authors.md"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_installed_module_meets_every_obligation() {
    for declared in installed(&[], None) {
        let id = &declared.manifest().id;
        // Most of it is waiting for answers that never come: games side by side share the declarations between them.
        let parts = (0..GAMES).map(|part| async move { check(&*rig(id, (part, GAMES)).await).await });
        let findings = join_all(parts).await.concat();
        let findings: Vec<String> = findings.iter().map(ToString::to_string).collect();
        assert!(findings.is_empty(), "{id}:\n{}", findings.join("\n"));
    }
}

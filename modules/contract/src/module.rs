//! The trait that a module implements.

use std::collections::BTreeSet;
use std::future::Future;
use std::pin::Pin;

use crate::{
    Failure, FeedAnswer, FeedAsk, InForce, LastSeen, LeaseApplied, LeaseApply, LeaseQuery, LeaseRead, LeaseRestore,
    LeaseRestored, Manifest, Mark, Options, OptionsAnswer, Perform, Performed, Reconcile, Reconciled, Revert, Reverted,
};

/// A future that a module answers with; boxed so that modules can be kept in one list.
pub type Answering<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// How to reach one scope's game: the sidecar's address and the token it asks for.
#[derive(Clone, PartialEq, Eq)]
pub struct Link {
    pub scope: String,
    pub url: String,
    pub token: String,
}

impl std::fmt::Debug for Link {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Link").field("scope", &self.scope).field("url", &self.url).finish_non_exhaustive()
    }
}

/// A run is being torn down: refuse its commands up to this fence, undos excepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CloseRun {
    pub run_id: String,
    pub scope: String,
    pub fence: u64,
    /// From which place in the log it is sent.
    pub mark: Option<Mark>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Closed {
    Closed,
    Failed(Failure),
}

/// How far a look at a scope's game has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// The game is on the line.
    Connected {
        key_memory_seconds: Option<u64>,
        /// New at each start of the game; none where it does not say. Read now, never replayed from a feed.
        boot_id: Option<String>,
    },
    /// What carries commands to the game answers, and no game is on its line that could be used.
    NoGame(Failure),
    /// Nothing answers, or nothing that could be used.
    Unreachable(Failure),
}

/// A game module: it translates, and never decides whether, when or how often.
///
/// Every answer has a failure of its own type, so that a lost connection, a time-out or nonsense from a game cannot
/// read as success. `verify` must change nothing. A repeat of a key must not act twice.
pub trait Module: Send + Sync {
    fn manifest(&self) -> &Manifest;

    /// Milliseconds that it waits for whatever it talks to. An action or lease whose budget is no longer is refused: an engine
    /// that gives up first never learns how the attempt ended.
    fn waits_ms(&self) -> u64 {
        0
    }

    fn perform(&self, request: Perform) -> Answering<'_, Performed>;

    /// Take back resources. Twice must succeed twice; nothing there is a success.
    fn revert(&self, request: Revert) -> Answering<'_, Reverted>;

    /// Look which resources are still there, and change nothing. Optional: a module that cannot tell leaves the ledger as it is.
    fn reconcile(&self, request: Reconcile) -> Answering<'_, Reconciled> {
        Box::pin(async move {
            let reason = format!("this module cannot tell what is left of {}", request.action);
            Reconciled::Failed(Failure::refused("cannot_tell", reason))
        })
    }

    fn options(&self, request: Options) -> Answering<'_, OptionsAnswer> {
        Box::pin(async move {
            OptionsAnswer::Failed(Failure::refused("no_such_source", format!("there is no option source {}", request.source)))
        })
    }

    fn lease_read(&self, request: LeaseQuery) -> Answering<'_, LeaseRead> {
        Box::pin(async move { LeaseRead::Failed(no_lease(&request.lease)) })
    }

    fn lease_apply(&self, request: LeaseApply) -> Answering<'_, LeaseApplied> {
        Box::pin(async move { LeaseApplied::Failed(no_lease(&request.lease)) })
    }

    fn lease_restore(&self, request: LeaseRestore) -> Answering<'_, LeaseRestored> {
        Box::pin(async move { LeaseRestored::Failed(no_lease(&request.lease)) })
    }

    fn lease_in_force(&self, request: LeaseQuery) -> Answering<'_, InForce> {
        Box::pin(async move { InForce::Unknown(format!("this module cannot tell whether {} is held", request.lease)) })
    }

    /// Which leases of the manifest the game of this scope does not lend at this moment, as one that it has found to do nothing; `None`
    /// where that is not known. Changes nothing.
    fn unlent(&self, _scope: &str) -> Answering<'_, Option<BTreeSet<String>>> {
        Box::pin(async { None })
    }

    /// Tell the game that a run is over. A module whose game keeps nothing by run has nothing to do.
    fn close_run(&self, _request: CloseRun) -> Answering<'_, Closed> {
        Box::pin(async { Closed::Closed })
    }

    /// Looks whether the game of this scope is reached, and changes nothing; `None` where this module has no way to it.
    fn reach(&self, _scope: &str) -> Answering<'_, Option<Reach>> {
        Box::pin(async { None })
    }

    /// How long the game in this scope remembers a key, in seconds; `None` where it does not say or is not reached.
    fn key_memory_seconds(&self, _scope: &str) -> Answering<'_, Option<u64>> {
        Box::pin(async { None })
    }

    /// What the game of this scope has reported, as firings of this module's triggers.
    fn feed(&self, _ask: FeedAsk) -> Answering<'_, FeedAnswer> {
        Box::pin(async { FeedAnswer::NoFeed })
    }

    /// The newest place in a log that commands to this scope came from. A module whose ways remember none has seen nothing.
    fn last_seen(&self, _scope: &str) -> Answering<'_, LastSeen> {
        Box::pin(async { LastSeen::Nothing })
    }

    /// A person has decided that history goes on from there, whatever was seen before: remember that instead.
    fn go_on_from(&self, _scope: &str, _mark: Mark) -> Answering<'_, Result<(), Failure>> {
        Box::pin(async { Ok(()) })
    }
}

fn no_lease(id: &str) -> Failure {
    Failure::refused("no_such_lease", format!("there is no lease {id}"))
}

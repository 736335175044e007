//! The module of one manifest.

use leasehold_module::{
    Answering, CloseRun, Closed, Failure, FeedAnswer, FeedAsk, InForce, LastSeen, Lease, LeaseApplied, LeaseApply, LeaseQuery,
    LeaseRead, LeaseRestore, LeaseRestored, Link, Manifest, Mark, Module, Options, OptionsAnswer, Perform, Performed, Reach,
    Reconcile, Reconciled, Revert, Reverted,
};
use leasehold_sidecar::{Patience, Sidecar, Ways, read_feed};

use crate::{act, choices, leases, reports, things};

/// A game's manifest, and the ways to the games that sent it.
pub struct Linked {
    manifest: Manifest,
    patience: Patience,
    ways: Ways,
}

impl Linked {
    /// One sidecar for each link's scope.
    pub fn new(manifest: Manifest, links: &[Link], patience: Patience) -> Self {
        Self { manifest, patience, ways: Ways::new(links, patience) }
    }

    fn to(&self, scope: &str) -> Result<&Sidecar, Failure> {
        self.ways.to(scope)
    }

    /// What the manifest declares of a lease, and the way to the game that lends it.
    fn lease(&self, id: &str, scope: &str) -> Result<(&Lease, &Sidecar), Failure> {
        let none = || Failure::refused("no_such_lease", format!("there is no lease {id}"));
        Ok((self.manifest.lease(id).ok_or_else(none)?, self.to(scope)?))
    }
}

impl Module for Linked {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn waits_ms(&self) -> u64 {
        self.patience.reply_timeout_ms
    }

    fn perform(&self, request: Perform) -> Answering<'_, Performed> {
        Box::pin(async move {
            let performed = async { act::perform(&self.manifest, self.to(&request.scope)?, request).await };
            performed.await.map_or_else(Performed::Failed, Performed::Done)
        })
    }

    fn revert(&self, request: Revert) -> Answering<'_, Reverted> {
        Box::pin(async move {
            let undone = async { things::revert(&self.manifest, self.to(&request.scope)?, request).await };
            undone.await.map_or_else(Reverted::Failed, Reverted::Done)
        })
    }

    fn reconcile(&self, request: Reconcile) -> Answering<'_, Reconciled> {
        Box::pin(async move {
            let looked = async { things::reconcile(self.to(&request.scope)?, request).await };
            looked.await.map_or_else(Reconciled::Failed, Reconciled::Looked)
        })
    }

    fn options(&self, request: Options) -> Answering<'_, OptionsAnswer> {
        Box::pin(async move {
            let choices = async { choices::list(&self.manifest, &self.ways, &request).await };
            choices.await.map_or_else(OptionsAnswer::Failed, OptionsAnswer::Choices)
        })
    }

    fn lease_read(&self, request: LeaseQuery) -> Answering<'_, LeaseRead> {
        Box::pin(async move {
            let read = async {
                let (lease, sidecar) = self.lease(&request.lease, &request.scope)?;
                leases::read(sidecar, lease, &request).await
            };
            read.await.map_or_else(LeaseRead::Failed, LeaseRead::Value)
        })
    }

    fn lease_apply(&self, request: LeaseApply) -> Answering<'_, LeaseApplied> {
        Box::pin(async move {
            let applied = async {
                let (lease, sidecar) = self.lease(&request.lease, &request.scope)?;
                leases::apply(sidecar, lease, request).await
            };
            applied.await.unwrap_or_else(LeaseApplied::Failed)
        })
    }

    fn lease_restore(&self, request: LeaseRestore) -> Answering<'_, LeaseRestored> {
        Box::pin(async move {
            let restored = async {
                // Also what the game offers no more: whoever holds it gives it back, and the game knows its holds.
                leases::restore(self.to(&request.scope)?, request).await
            };
            restored.await.unwrap_or_else(LeaseRestored::Failed)
        })
    }

    fn lease_in_force(&self, request: LeaseQuery) -> Answering<'_, InForce> {
        Box::pin(async move {
            let told = async { leases::in_force(self.to(&request.scope)?, &request).await };
            told.await.unwrap_or_else(|failure: Failure| InForce::Unknown(failure.reason))
        })
    }

    fn close_run(&self, request: CloseRun) -> Answering<'_, Closed> {
        Box::pin(async move { self.ways.close_run(request).await.map_or_else(Closed::Failed, |()| Closed::Closed) })
    }

    fn reach(&self, scope: &str) -> Answering<'_, Option<Reach>> {
        let scope = scope.to_owned();
        Box::pin(async move { self.ways.reach(&scope).await })
    }

    fn key_memory_seconds(&self, scope: &str) -> Answering<'_, Option<u64>> {
        let scope = scope.to_owned();
        Box::pin(async move { self.ways.key_memory_seconds(&scope).await })
    }

    fn feed(&self, ask: FeedAsk) -> Answering<'_, FeedAnswer> {
        Box::pin(async move {
            let Some(sidecar) = self.ways.find(&ask.scope) else { return FeedAnswer::NoFeed };
            let read = read_feed(sidecar, ask, |report| reports::fired(&self.manifest, report)).await;
            read.map_or_else(FeedAnswer::Failed, FeedAnswer::Read)
        })
    }

    fn last_seen(&self, scope: &str) -> Answering<'_, LastSeen> {
        let scope = scope.to_owned();
        Box::pin(async move { self.ways.last_seen(&scope).await })
    }

    fn go_on_from(&self, scope: &str, mark: Mark) -> Answering<'_, Result<(), Failure>> {
        let scope = scope.to_owned();
        Box::pin(async move { self.ways.go_on_from(&scope, mark).await })
    }
}

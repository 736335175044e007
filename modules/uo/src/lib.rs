//! Ultima Online: what an event may do on a shard, and how a shard is asked to do it.
//!
//! The module translates. Whether, when, how often and within what cap is the engine's; that a key is executed once is the
//! game's. Each scope is reached through its own sidecar, over HTTP.

mod atlas;
mod broadcast;
mod decorate;
mod feed;
mod gate;
mod grant;
mod hushed;
mod lease;
mod look;
mod manifest;
mod notice;
mod npc;
mod params;
mod participation;
mod placing;
mod removal;
mod save;
mod spawn;
mod visibility;

use std::collections::BTreeSet;

use leasehold_module::{
    Answering, CloseRun, Closed, Failure, FeedAnswer, FeedAsk, InForce, LastSeen, LeaseApplied, LeaseApply, LeaseQuery,
    LeaseRead, LeaseRestore, LeaseRestored, Link, Manifest, Mark, Module, Options, OptionsAnswer, Perform, Performed, Reach,
    Reconcile, Reconciled, Reversible, Revert, Reverted, Success, Undone, check_params,
};
use leasehold_sidecar::{Sidecar, Ways};

use crate::atlas::Atlas;

pub use leasehold_sidecar::Patience as UoSettings;
pub use visibility::Visibility;

/// The module `uo`.
pub struct Uo {
    manifest: Manifest,
    atlas: Atlas,
    ways: Ways,
    waits_ms: u64,
}

impl Uo {
    /// With the default patience.
    pub fn new(links: &[Link]) -> Self {
        Self::with_settings(links, UoSettings::default())
    }

    /// One sidecar for each scope; of two links to one scope the later counts.
    pub fn with_settings(links: &[Link], settings: UoSettings) -> Self {
        let atlas = Atlas::built_in();
        Self {
            manifest: manifest::manifest(settings, &atlas),
            atlas,
            ways: Ways::new(links, settings),
            waits_ms: settings.reply_timeout_ms,
        }
    }

    fn sidecar(&self, scope: &str) -> Result<&Sidecar, Failure> {
        self.ways.to(scope)
    }

    fn lent(&self, lease: &str) -> Result<lease::Lent, Failure> {
        lease::lent(&self.atlas, lease)
    }

    fn lent_as_named(&self, lease: &str) -> Result<lease::Lent, Failure> {
        lease::lent_as_named(&self.atlas, lease)
    }

    async fn try_perform(&self, request: Perform) -> Result<Success, Failure> {
        let Some(action) = self.manifest.action(&request.action) else {
            return Err(no_such_action(&request.action));
        };
        let faults = check_params(&action.params, &request.params);
        if !faults.is_empty() {
            let details: Vec<_> = faults.into_iter().map(|fault| fault.detail).collect();
            return Err(Failure::refused("wrong_params", details.join("; ")));
        }
        let sidecar = self.sidecar(&request.scope)?;
        if let Some(success) = hushed::instead(&request) {
            return Ok(success);
        }
        match request.action.as_str() {
            broadcast::ID => broadcast::perform(sidecar, request).await,
            spawn::ID | spawn::BOSS_ID => spawn::perform(sidecar, &self.atlas, request).await,
            npc::ID => npc::perform(sidecar, &self.atlas, request).await,
            gate::ID => gate::perform(sidecar, &self.atlas, request).await,
            decorate::ID => decorate::perform(sidecar, &self.atlas, request).await,
            grant::ID => grant::perform(sidecar, &self.atlas, request).await,
            grant::ALL_ID => grant::perform_for_all(sidecar, &self.atlas, request).await,
            participation::OPEN_ID => participation::open(sidecar, &self.atlas, request).await,
            participation::COLLECT_ID => participation::collect(sidecar, request).await,
            save::ID => save::perform(sidecar, request).await,
            notice::CRIER_ID => notice::cry(sidecar, request).await,
            notice::NEWS_ID => notice::publish(sidecar, request).await,
            other => Err(no_such_action(other)),
        }
    }

    async fn try_revert(&self, request: Revert) -> Result<Vec<Undone>, Failure> {
        if self.manifest.action(&request.action).is_none_or(|action| action.reversible != Reversible::Ledger) {
            let reason = format!("{} makes nothing that could be taken back", request.action);
            return Err(Failure::refused("nothing_to_revert", reason));
        }
        let sidecar = self.sidecar(&request.scope)?;
        match request.action.as_str() {
            participation::OPEN_ID => participation::revert(sidecar, request).await,
            _ => removal::revert(sidecar, request).await,
        }
    }
}

impl Module for Uo {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn waits_ms(&self) -> u64 {
        self.waits_ms
    }

    fn perform(&self, request: Perform) -> Answering<'_, Performed> {
        Box::pin(async move { self.try_perform(request).await.map_or_else(Performed::Failed, Performed::Done) })
    }

    fn revert(&self, request: Revert) -> Answering<'_, Reverted> {
        Box::pin(async move { self.try_revert(request).await.map_or_else(Reverted::Failed, Reverted::Done) })
    }

    fn reconcile(&self, request: Reconcile) -> Answering<'_, Reconciled> {
        Box::pin(async move {
            let look = async { look::reconcile(self.sidecar(&request.scope)?, request).await };
            look.await.map_or_else(Reconciled::Failed, Reconciled::Looked)
        })
    }

    fn options(&self, request: Options) -> Answering<'_, OptionsAnswer> {
        Box::pin(async move { self.atlas.choices(&request) })
    }

    fn lease_read(&self, request: LeaseQuery) -> Answering<'_, LeaseRead> {
        Box::pin(async move {
            let read = async { lease::read(self.sidecar(&request.scope)?, &self.lent_as_named(&request.lease)?).await };
            read.await.map_or_else(LeaseRead::Failed, LeaseRead::Value)
        })
    }

    fn lease_apply(&self, request: LeaseApply) -> Answering<'_, LeaseApplied> {
        Box::pin(async move {
            let apply =
                async { lease::apply(self.sidecar(&request.scope)?, &self.lent_as_named(&request.lease)?, request).await };
            apply.await.unwrap_or_else(LeaseApplied::Failed)
        })
    }

    fn lease_restore(&self, request: LeaseRestore) -> Answering<'_, LeaseRestored> {
        Box::pin(async move {
            let restore = async { lease::restore(self.sidecar(&request.scope)?, &self.lent(&request.lease)?, request).await };
            restore.await.unwrap_or_else(LeaseRestored::Failed)
        })
    }

    fn lease_in_force(&self, request: LeaseQuery) -> Answering<'_, InForce> {
        Box::pin(async move {
            let ask = async { lease::in_force(self.sidecar(&request.scope)?, &self.lent(&request.lease)?, &request).await };
            ask.await.unwrap_or_else(|failure| InForce::Unknown(failure.reason))
        })
    }

    fn unlent(&self, scope: &str) -> Answering<'_, Option<BTreeSet<String>>> {
        let sidecar = self.sidecar(scope);
        Box::pin(async move { lease::unlent(sidecar.ok()?, &self.atlas).await.ok() })
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
            feed::read(sidecar, ask).await.map_or_else(FeedAnswer::Failed, FeedAnswer::Read)
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

fn no_such_action(id: &str) -> Failure {
    Failure::refused("no_such_action", format!("there is no action {id}"))
}

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
mod manifest;
mod notice;
mod npc;
mod params;
mod placing;
mod removal;
mod save;
mod settings;
mod sidecar;
mod spawn;
mod verdict;

use std::collections::BTreeMap;

use leasehold_link::wire::{CloseRun as Close, Kind, RunClosed};
use leasehold_module::{
    Answering, CloseRun, Closed, Failure, FeedAnswer, FeedAsk, InForce, LastSeen, LeaseApplied, LeaseApply, LeaseQuery,
    LeaseRead, LeaseRestore, LeaseRestored, Link, Manifest, Mark, Module, Options, OptionsAnswer, Perform, Performed, Reach,
    Reversible, Revert, Reverted, Success, Undone, check_params,
};
use reqwest::{Client, redirect};

use crate::atlas::Atlas;
use crate::sidecar::Sidecar;

pub use settings::UoSettings;

/// The module `uo`.
pub struct Uo {
    manifest: Manifest,
    atlas: Atlas,
    sidecars: BTreeMap<String, Sidecar>,
}

impl Uo {
    /// With the default patience.
    pub fn new(links: &[Link]) -> Self {
        Self::with_settings(links, UoSettings::default())
    }

    /// One sidecar for each scope; of two links to one scope the later counts.
    pub fn with_settings(links: &[Link], settings: UoSettings) -> Self {
        let http = Client::builder()
            .no_proxy()
            .redirect(redirect::Policy::none())
            .connect_timeout(settings.connect_timeout())
            .build()
            .expect("a client without encryption, proxies or a resolver of its own has nothing to fail on");
        let sidecars = links.iter().map(|link| (link.scope.clone(), Sidecar::new(link, http.clone(), settings)));
        Self { manifest: manifest::manifest(settings), atlas: Atlas::built_in(), sidecars: sidecars.collect() }
    }

    fn sidecar(&self, scope: &str) -> Result<&Sidecar, Failure> {
        let none = || Failure::refused("no_link", format!("no sidecar is configured for the scope {scope:?}"));
        self.sidecars.get(scope).ok_or_else(none)
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
        removal::revert(self.sidecar(&request.scope)?, request).await
    }

    async fn try_close(&self, request: CloseRun) -> Result<(), Failure> {
        let sidecar = self.sidecar(&request.scope)?;
        let body = Close { run_id: request.run_id, fence: request.fence, ttl_ms: None, idempotency_key: None };
        let reply = sidecar.command(Kind::RunClose, &body, request.mark.as_ref()).await?;
        let closed = reply.fields::<RunClosed>().ok();
        if closed.is_some_and(|closed| closed.run_id == body.run_id && closed.fence >= body.fence) {
            return Ok(());
        }
        Err(verdict::nonsense(Kind::RunClose, "a yes that closes another run, or a lower fence"))
    }
}

impl Module for Uo {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn perform(&self, request: Perform) -> Answering<'_, Performed> {
        Box::pin(async move { self.try_perform(request).await.map_or_else(Performed::Failed, Performed::Done) })
    }

    fn revert(&self, request: Revert) -> Answering<'_, Reverted> {
        Box::pin(async move { self.try_revert(request).await.map_or_else(Reverted::Failed, Reverted::Done) })
    }

    fn options(&self, request: Options) -> Answering<'_, OptionsAnswer> {
        Box::pin(async move { self.atlas.choices(&request) })
    }

    fn lease_read(&self, request: LeaseQuery) -> Answering<'_, LeaseRead> {
        Box::pin(async move {
            let read = async { lease::read(self.sidecar(&request.scope)?, &request).await };
            read.await.map_or_else(LeaseRead::Failed, LeaseRead::Value)
        })
    }

    fn lease_apply(&self, request: LeaseApply) -> Answering<'_, LeaseApplied> {
        Box::pin(async move {
            let apply = async { lease::apply(self.sidecar(&request.scope)?, request).await };
            apply.await.unwrap_or_else(LeaseApplied::Failed)
        })
    }

    fn lease_restore(&self, request: LeaseRestore) -> Answering<'_, LeaseRestored> {
        Box::pin(async move {
            let restore = async { lease::restore(self.sidecar(&request.scope)?, request).await };
            restore.await.unwrap_or_else(LeaseRestored::Failed)
        })
    }

    fn lease_in_force(&self, request: LeaseQuery) -> Answering<'_, InForce> {
        Box::pin(async move {
            let ask = async { lease::in_force(self.sidecar(&request.scope)?, &request).await };
            ask.await.unwrap_or_else(|failure| InForce::Unknown(failure.reason))
        })
    }

    fn close_run(&self, request: CloseRun) -> Answering<'_, Closed> {
        Box::pin(async move { self.try_close(request).await.map_or_else(Closed::Failed, |()| Closed::Closed) })
    }

    fn reach(&self, scope: &str) -> Answering<'_, Option<Reach>> {
        let sidecar = self.sidecar(scope).ok();
        Box::pin(async move { Some(sidecar?.reach().await) })
    }

    fn key_memory_seconds(&self, scope: &str) -> Answering<'_, Option<u64>> {
        let sidecar = self.sidecar(scope).ok();
        Box::pin(async move { sidecar?.connected().await.ok() })
    }

    fn feed(&self, ask: FeedAsk) -> Answering<'_, FeedAnswer> {
        Box::pin(async move {
            let Some(sidecar) = self.sidecars.get(&ask.scope) else { return FeedAnswer::NoFeed };
            feed::read(sidecar, ask).await.map_or_else(FeedAnswer::Failed, FeedAnswer::Read)
        })
    }

    fn last_seen(&self, scope: &str) -> Answering<'_, LastSeen> {
        let sidecar = self.sidecar(scope).ok();
        Box::pin(async move {
            let Some(sidecar) = sidecar else { return LastSeen::Nothing };
            match sidecar.last_seen().await {
                Ok(Some(mark)) => LastSeen::Mark(mark),
                Ok(None) => LastSeen::Nothing,
                Err(failure) => LastSeen::Unreached(failure),
            }
        })
    }

    fn go_on_from(&self, scope: &str, mark: Mark) -> Answering<'_, Result<(), Failure>> {
        let sidecar = self.sidecar(scope);
        Box::pin(async move { sidecar?.go_on_from(&mark).await })
    }
}

fn no_such_action(id: &str) -> Failure {
    Failure::refused("no_such_action", format!("there is no action {id}"))
}

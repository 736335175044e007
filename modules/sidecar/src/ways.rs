//! Every scope's sidecar, and what a module asks of one whatever its game.

use std::collections::BTreeMap;

use leasehold_link::wire::{CloseRun as Close, Kind, RunClosed};
use leasehold_module::{CloseRun, Failure, LastSeen, Link, Mark, Reach};
use reqwest::{Client, redirect};

use crate::verdict::nonsense;
use crate::{Patience, Sidecar};

/// The ways to a module's games, by scope.
pub struct Ways {
    sidecars: BTreeMap<String, Sidecar>,
}

impl Ways {
    /// One sidecar for each scope; of two links to one scope the later counts.
    pub fn new(links: &[Link], patience: Patience) -> Self {
        let http = Client::builder()
            .no_proxy()
            .redirect(redirect::Policy::none())
            .connect_timeout(patience.connect_timeout())
            .build()
            .expect("a client without encryption, proxies or a resolver of its own has nothing to fail on");
        let sidecars = links.iter().map(|link| (link.scope.clone(), Sidecar::new(link, http.clone(), patience)));
        Self { sidecars: sidecars.collect() }
    }

    pub fn find(&self, scope: &str) -> Option<&Sidecar> {
        self.sidecars.get(scope)
    }

    pub fn to(&self, scope: &str) -> Result<&Sidecar, Failure> {
        let none = || Failure::refused("no_link", format!("no sidecar is configured for the scope {scope:?}"));
        self.find(scope).ok_or_else(none)
    }

    pub fn scopes(&self) -> impl Iterator<Item = &str> {
        self.sidecars.keys().map(String::as_str)
    }

    pub async fn reach(&self, scope: &str) -> Option<Reach> {
        Some(self.find(scope)?.reach().await)
    }

    pub async fn key_memory_seconds(&self, scope: &str) -> Option<u64> {
        self.find(scope)?.connected().await.ok()
    }

    /// Tells the scope's game that a run is over.
    pub async fn close_run(&self, request: CloseRun) -> Result<(), Failure> {
        let sidecar = self.to(&request.scope)?;
        let body = Close { run_id: request.run_id, fence: request.fence, ttl_ms: None, idempotency_key: None };
        let reply = sidecar.command(Kind::RunClose, &body, request.mark.as_ref()).await?;
        let closed = reply.fields::<RunClosed>().ok();
        if closed.is_some_and(|closed| closed.run_id == body.run_id && closed.fence >= body.fence) {
            return Ok(());
        }
        Err(nonsense(Kind::RunClose, "a yes that closes another run, or a lower fence"))
    }

    pub async fn last_seen(&self, scope: &str) -> LastSeen {
        let Some(sidecar) = self.find(scope) else { return LastSeen::Nothing };
        match sidecar.last_seen().await {
            Ok(Some(mark)) => LastSeen::Mark(mark),
            Ok(None) => LastSeen::Nothing,
            Err(failure) => LastSeen::Unreached(failure),
        }
    }

    pub async fn go_on_from(&self, scope: &str, mark: Mark) -> Result<(), Failure> {
        self.to(scope)?.go_on_from(&mark).await
    }
}

//! Asking the games what they offer, in rounds.

use std::collections::BTreeSet;
use std::time::Duration;

use futures::future::join_all;
use leasehold_module::{Failure, Offered};
use tokio::time::timeout;

use super::{Declarations, Sent};
use crate::engine::fault::told;
use crate::engine::leaders::Leaders;

/// From one round to the next.
const ROUND: Duration = Duration::from_secs(2);
/// How long one answer is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

impl Declarations {
    /// Asks until the engine stops. A hello that says something else is taken in within a round.
    pub async fn watch(mut self, leaders: Leaders) {
        let stop = self.engine.stop.clone();
        let mut trouble = None;
        while !stop.is_cancelled() {
            self.follow_feeds(&leaders);
            tokio::select! {
                () = stop.cancelled() => return,
                () = tokio::time::sleep(ROUND) => {}
            }
            self.ask().await;
            self.ask_what_is_lent().await;
            if !self.stale {
                continue;
            }
            let settled = self.settle().await.err().map(|fault| told(&fault));
            if let Some(error) = settled.as_ref().filter(|_| settled != trouble) {
                tracing::warn!(error, "what games declare cannot be taken in; it is tried again");
            }
            trouble = settled;
        }
    }

    /// What no game lends is offered to nobody until one does. A game that does not answer is taken to lend what it did.
    async fn ask_what_is_lent(&self) {
        let registry = self.engine.registry();
        let mut unlent = BTreeSet::new();
        for module in registry.modules().iter().filter(|module| !module.manifest().leases.is_empty()) {
            let asks = self.engine.scopes.iter().map(|scope| timeout(PATIENCE, module.unlent(scope)));
            let told = join_all(asks).await.into_iter().filter_map(|answer| answer.ok().flatten());
            match told.reduce(|one, other| &one & &other) {
                Some(of_all) => unlent.extend(of_all),
                None => unlent
                    .extend(module.manifest().leases.iter().map(|lease| lease.id.clone()).filter(|id| !registry.is_lent(id))),
            }
        }
        if unlent == *registry.unlent() {
            return;
        }
        for lease in registry.unlent().symmetric_difference(&unlent) {
            tracing::warn!(lease, lent = registry.unlent().contains(lease), "whether a game lends a value has changed");
        }
        self.engine.replace_registry(registry.with_unlent(unlent));
    }

    /// One round: who does not answer is taken to offer what it did.
    async fn ask(&mut self) {
        let scopes: Vec<String> = self.engine.scopes.iter().cloned().collect();
        let silent = || Offered::Unreached(Failure::not_now("no_answer", "the link did not answer in time"));
        let asks = scopes.iter().map(|scope| timeout(PATIENCE, self.offers.offered(scope)));
        let answers = join_all(asks).await;
        for (scope, answer) in scopes.into_iter().zip(answers) {
            match answer.unwrap_or_else(|_| silent()) {
                Offered::Unreached(_) => {}
                Offered::Nothing => self.stale |= self.heard.remove(&scope).is_some(),
                Offered::Manifest { digest, manifest } => {
                    if self.heard.get(&scope).is_none_or(|heard| heard.digest != digest) {
                        self.heard.insert(scope, Sent { digest, manifest });
                        self.stale = true;
                    }
                }
            }
        }
    }
}

//! Asking the games what they offer, in rounds.

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

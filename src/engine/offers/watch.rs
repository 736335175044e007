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
        let (engine, stop) = (self.engine.clone(), self.engine.stop.clone());
        let mut trouble = None;
        while !stop.is_cancelled() {
            self.follow_feeds(&leaders);
            tokio::select! {
                () = stop.cancelled() => return,
                () = tokio::time::sleep(ROUND) => {}
                () = engine.has_something_unheard() => match self.recall().await {
                    Ok(()) => self.stale = true,
                    Err(fault) => tracing::warn!(error = %told(&fault), "what is on record cannot be read; it is tried again"),
                },
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

    /// What no game lends is offered to nobody until one does. What a game that does not answer lends is not known: while there is
    /// one, a value that no other lends stays offered or not, as it was.
    async fn ask_what_is_lent(&self) {
        let registry = self.engine.registry();
        let mut unlent = BTreeSet::new();
        for module in registry.modules().iter().filter(|module| !module.manifest().leases.is_empty()) {
            let asks = self.engine.scopes.iter().map(|scope| timeout(PATIENCE, module.unlent(scope)));
            let told: Vec<_> = join_all(asks).await.into_iter().map(|answer| answer.ok().flatten()).collect();
            let leases = module.manifest().leases.iter().map(|lease| &lease.id);
            unlent.extend(leases.filter(|id| no_game_lends(id, &told, registry.is_lent(id))).cloned());
        }
        if unlent == *registry.unlent() {
            return;
        }
        // One line for all of them: modules of games that nobody runs here lend nothing, and have many values.
        let (no_more, again) = (unlent.difference(registry.unlent()), registry.unlent().difference(&unlent));
        let (no_more, again): (Vec<_>, Vec<_>) = (no_more.collect(), again.collect());
        tracing::warn!(?no_more, ?again, "what games lend has changed");
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

/// Whether no game lends that value, from what each says that it does not lend: none where it did not answer.
fn no_game_lends(lease: &str, told: &[Option<BTreeSet<String>>], was_lent: bool) -> bool {
    if told.iter().flatten().any(|unlent| !unlent.contains(lease)) {
        return false;
    }
    !was_lent || (!told.is_empty() && told.iter().all(Option::is_some))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_withdrawn_where_every_game_says_so_and_a_silent_one_says_nothing() {
        let unlent = |words: &[&str]| Some(words.iter().map(|word| (*word).to_owned()).collect::<BTreeSet<_>>());
        let (lends, lends_not, silent) = (unlent(&["other"]), unlent(&["it"]), None);
        for (told, was_lent, withdrawn) in [
            (vec![lends_not.clone()], true, true),
            (vec![lends_not.clone(), lends_not.clone()], true, true),
            (vec![lends_not.clone(), lends.clone()], true, false),
            (vec![lends_not.clone(), silent.clone()], true, false),
            (vec![lends_not.clone(), silent.clone()], false, true),
            (vec![lends.clone(), silent.clone()], false, false),
            (vec![silent.clone(), silent], false, true),
            (vec![None, None], true, false),
            (vec![], true, false),
            (vec![], false, true),
        ] {
            assert_eq!(no_game_lends("it", &told, was_lent), withdrawn, "{told:?}, lent before: {was_lent}");
        }
    }
}

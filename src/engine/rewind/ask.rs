//! Asking the ways what they have seen, and judging it by the log.

use std::time::Duration;

use futures::future::join_all;
use leasehold_aggregates::deployment::{DEPLOYMENT, Deployment, rewind_cause};
use leasehold_module::{Failure, LastSeen, Mark, Module};

use super::found::{Rewound, WHAT_NOW};
use super::{Engine, ReadOnly};
use crate::engine::Fault;
use crate::engine::fault::told;
use crate::engine::streams::{Loaded, load};

/// How long one way may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// What became of one question.
pub(super) enum Asked {
    /// Commands may go over it.
    Clear,
    /// It does not answer as it should.
    Unreached(Failure),
    /// Something was found, there or elsewhere: this process is read-only.
    ReadOnly,
}

impl Engine {
    /// Asks every way that has not answered yet. What is found makes this process read-only, unless it is accepted.
    pub async fn look_for_rewinds(&self) -> Result<(), Fault> {
        let scopes = self.scopes.iter();
        let registry = self.registry();
        let ways = scopes.flat_map(|scope| registry.modules().iter().map(move |module| (module.as_ref(), scope)));
        for asked in join_all(ways.map(|(module, scope)| async move { (scope, self.ask_way(module, scope).await) })).await {
            match asked {
                (_, Ok(Asked::Clear | Asked::ReadOnly)) => {}
                (scope, Ok(Asked::Unreached(failure))) => {
                    tracing::warn!(scope, %failure, "what a link has seen of the log is not known; it is asked again before anything is sent");
                }
                (_, Err(fault)) => return Err(fault),
            }
        }
        Ok(())
    }

    /// What keeps a command of this module from the scope for now, if anything does; `Err` if nothing is sent any more.
    pub(in crate::engine) async fn may_send(&self, module: &str, scope: &str) -> Result<Option<Failure>, ReadOnly> {
        let registry = self.registry();
        let Some(module) = registry.module(module) else { return Ok(None) };
        match self.ask_way(module.as_ref(), scope).await {
            Ok(Asked::Clear) => Ok(None),
            Ok(Asked::Unreached(failure)) => Ok(Some(failure)),
            Ok(Asked::ReadOnly) => Err(ReadOnly),
            Err(fault) => {
                let reason = format!("whether the log is the one that the link knows could not be seen: {}", told(&fault));
                Ok(Some(Failure::not_now("log_not_seen", reason)))
            }
        }
    }

    /// Whether every way has answered.
    pub(super) fn all_have_answered(&self) -> bool {
        let known = self.rewinds.known();
        let answered = |module: &dyn Module, scope: &String| known.clear.contains(&way(module, scope));
        self.scopes.iter().all(|scope| self.registry().modules().iter().all(|module| answered(module.as_ref(), scope)))
    }

    async fn ask_way(&self, module: &dyn Module, scope: &str) -> Result<Asked, Fault> {
        if let Some(known) = self.known_of(module, scope) {
            return Ok(known);
        }
        let asked = tokio::time::timeout(PATIENCE, module.last_seen(scope)).await;
        let silent = || Failure::not_now("not_sent", format!("the link gave no answer within {} s", PATIENCE.as_secs()));
        let seen = match asked.unwrap_or_else(|_| LastSeen::Unreached(silent())) {
            LastSeen::Nothing => return Ok(self.cleared(module, scope)),
            LastSeen::Unreached(failure) => return Ok(Asked::Unreached(failure)),
            LastSeen::Mark(seen) => seen,
        };
        let _one_at_a_time = self.rewinds.asking.lock().await;
        match self.known_of(module, scope) {
            Some(known) => Ok(known),
            None => self.judge(module, scope, seen).await,
        }
    }

    /// Reads the log after the way was asked: whatever the way has seen was in the log before.
    async fn judge(&self, module: &dyn Module, scope: &str, seen: Mark) -> Result<Asked, Fault> {
        let Some(head) = self.mark_of_head().await? else { return Ok(self.cleared(module, scope)) };
        let here = if seen.log == head.log { self.log.hash_at(seen.position).await?.map(hex::encode) } else { None };
        let Some(cause) = rewind_cause(&seen, &head, here.as_deref()) else { return Ok(self.cleared(module, scope)) };
        let rewound = Rewound { scope: scope.to_owned(), cause, seen, head };
        let deployment: Loaded<Deployment> = load(&self.log, DEPLOYMENT).await?;
        let accepted = deployment.state.has_accepted(scope, &rewound.seen);
        if accepted || self.rewinds.accept.load(std::sync::atomic::Ordering::Relaxed) {
            return match self.go_on_here(module, &rewound).await? {
                Ok(()) => Ok(self.cleared(module, scope)),
                Err(failure) => Ok(Asked::Unreached(failure)),
            };
        }
        tracing::error!(scope, "READ-ONLY: {rewound}. {WHAT_NOW}");
        self.log.hold_back();
        self.rewinds.known().found.push(rewound);
        Ok(Asked::ReadOnly)
    }

    fn known_of(&self, module: &dyn Module, scope: &str) -> Option<Asked> {
        let known = self.rewinds.known();
        if !known.found.is_empty() {
            return Some(Asked::ReadOnly);
        }
        known.clear.contains(&way(module, scope)).then_some(Asked::Clear)
    }

    fn cleared(&self, module: &dyn Module, scope: &str) -> Asked {
        self.rewinds.known().clear.insert(way(module, scope));
        Asked::Clear
    }
}

fn way(module: &dyn Module, scope: &str) -> (String, String) {
    (module.manifest().id.clone(), scope.to_owned())
}

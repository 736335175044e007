//! The ways to the games: which of them answer, as far as this engine has seen.
//!
//! A round asks each of them a small question that changes nothing; dispatches tell what they have seen meanwhile, and one
//! that was not answered has the next round begin at once. What is known here decides nothing: a step is sent whatever it
//! says.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use futures::future::join_all;
use leasehold_module::Reach;
use serde::Serialize;
use tokio::sync::Notify;
use tokio::time::{Instant, timeout};

use super::Engine;

/// How long one answer is waited for.
const PATIENCE: Duration = Duration::from_secs(5);
/// The least between two rounds, however many dispatches go unanswered.
const BREATH: Duration = Duration::from_millis(500);

/// What is known of every link.
#[derive(Default)]
pub struct Links {
    each: Mutex<BTreeMap<String, Link>>,
    doubt: Notify,
}

/// One link, as it was seen last.
#[derive(Debug, Clone)]
struct Link {
    reachable: bool,
    connected: bool,
    key_memory_seconds: Option<u64>,
    why: Option<String>,
    answered: Option<(Instant, DateTime<Utc>)>,
}

/// One link, for whoever asks.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LinkStatus {
    pub scope: String,
    /// Whether what carries commands to the game answers.
    pub reachable: bool,
    /// Whether a game is on the line.
    pub connected: bool,
    /// When the link or the game last answered; null: not since this engine started.
    pub last_answer_at: Option<DateTime<Utc>>,
    /// Code of what is wrong.
    pub why: Option<String>,
    #[serde(skip)]
    pub since_answer: Option<Duration>,
    #[serde(skip)]
    pub key_memory_seconds: Option<u64>,
}

impl Links {
    /// Every link that was asked so far, by scope.
    pub fn statuses(&self) -> Vec<LinkStatus> {
        let status = |(scope, link): (&String, &Link)| LinkStatus {
            scope: scope.clone(),
            reachable: link.reachable,
            connected: link.connected,
            last_answer_at: link.answered.map(|(_, at)| at),
            why: link.why.clone(),
            since_answer: link.answered.map(|(here, _)| here.elapsed()),
            key_memory_seconds: link.key_memory_seconds,
        };
        self.known().iter().map(status).collect()
    }

    /// A game of this scope has answered at that instant.
    pub fn heard(&self, scope: &str, at: DateTime<Utc>) {
        if let Some(link) = self.known().get_mut(scope) {
            (link.reachable, link.connected, link.why) = (true, true, None);
            link.answered = Some((Instant::now(), at));
        }
    }

    /// Something was not answered: the next round need not wait.
    pub fn doubt(&self) {
        self.doubt.notify_one();
    }

    fn saw(&self, scope: &str, reach: Reach, at: DateTime<Utc>) {
        let mut known = self.known();
        let before = known.get(scope).cloned();
        let now = Link::seen(reach, at, before.as_ref().and_then(|link| link.answered));
        let state = |link: &Link| (link.reachable, link.connected, link.why.clone());
        if before.as_ref().map(state) != Some(state(&now)) {
            if let Some(why) = &now.why {
                tracing::warn!(scope, reachable = now.reachable, why, "a game is not reached");
            } else {
                tracing::info!(scope, "a game is reached");
            }
        }
        known.insert(scope.to_owned(), now);
    }

    fn known(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Link>> {
        self.each.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Link {
    fn seen(reach: Reach, at: DateTime<Utc>, before: Option<(Instant, DateTime<Utc>)>) -> Self {
        let now = Some((Instant::now(), at));
        match reach {
            Reach::Connected { key_memory_seconds, .. } => {
                Self { reachable: true, connected: true, key_memory_seconds, why: None, answered: now }
            }
            Reach::NoGame(failure) => {
                Self { reachable: true, connected: false, key_memory_seconds: None, why: Some(failure.code), answered: now }
            }
            Reach::Unreachable(failure) => {
                Self { reachable: false, connected: false, key_memory_seconds: None, why: Some(failure.code), answered: before }
            }
        }
    }
}

/// Asks every link in rounds until the engine stops.
pub async fn watch(engine: Engine) {
    let (heart, glance) = (engine.pulse.heart("links"), engine.patience().glance());
    while !engine.stop.is_cancelled() {
        let Some(at) = engine.clock.now_at_last(&engine.stop).await else { return };
        join_all(engine.scopes.iter().map(|scope| ask(&engine, scope, at))).await;
        heart.beat();
        tokio::select! {
            () = engine.stop.cancelled() => return,
            () = tokio::time::sleep(BREATH) => {}
        }
        tokio::select! {
            () = engine.stop.cancelled() => return,
            () = engine.links.doubt.notified() => {}
            () = tokio::time::sleep(glance.saturating_sub(BREATH)) => {}
        }
    }
}

/// The first module that has a way to the scope's game tells.
async fn ask(engine: &Engine, scope: &str, at: DateTime<Utc>) {
    for module in engine.registry().modules() {
        match timeout(PATIENCE, module.reach(scope)).await {
            Ok(None) => {}
            Ok(Some(reach)) => return engine.links.saw(scope, reach, at),
            Err(_) => {
                let failure = leasehold_module::Failure::not_now("no_answer", "the link did not answer in time");
                return engine.links.saw(scope, Reach::Unreachable(failure), at);
            }
        }
    }
}

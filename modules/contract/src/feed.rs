//! What a game reports by itself: read in order from a feed that somebody stores, and told as firings of triggers.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

use crate::Failure;

/// A place in a feed. Numbers rise by one from 1; another id is another feed, which begins anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedPlace {
    pub feed: String,
    pub number: u64,
}

/// A look at what was reported in one scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedAsk {
    pub scope: String,
    /// What is behind that place; none: only tell which feed it is.
    pub after: Option<FeedPlace>,
    /// Reports at most.
    pub limit: u32,
    /// Milliseconds for which an empty answer may wait for something to come.
    pub wait_ms: u64,
}

#[derive(Debug, Clone, PartialEq)]
pub enum FeedAnswer {
    /// Nothing is reported by way of this module.
    NoFeed,
    Read(FeedRead),
    Failed(Failure),
}

/// A stretch of a feed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FeedRead {
    pub feed: String,
    /// The number up to which was read; that of the ask where there was nothing.
    pub through: u64,
    /// Reports between the ask and this answer that are not kept any more.
    pub lost: u64,
    /// What of it fires a trigger, in order.
    pub fired: Vec<Fired>,
}

/// One firing of one trigger.
#[derive(Debug, Clone, PartialEq)]
pub struct Fired {
    /// What tells this firing from every other of its scope, whoever reports it and however often: 1 to 128 characters.
    pub fingerprint: String,
    pub trigger: String,
    /// When it happened, by the game's clock.
    pub happened_at: Option<DateTime<Utc>>,
    /// Its variables. What the trigger does not declare is not kept.
    pub vars: Map<String, Value>,
    /// The run whose doing led to it, where the game knows.
    pub run_id: Option<String>,
}

//! Games that declare themselves: modules that come, change and go while the engine runs.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::{Answering, Failure, Manifest, Module};

/// What the game of one scope says of itself.
#[derive(Debug, Clone, PartialEq)]
pub enum Offered {
    /// A manifest as it came, and what tells it from every other: 64 hexadecimal digits.
    Manifest { digest: String, manifest: Map<String, Value> },
    /// A game is there and declares nothing.
    Nothing,
    /// Not known now: no game is there, or nothing answers.
    Unreached(Failure),
}

/// Where such modules come from.
pub trait Offers: Send + Sync {
    /// Asks the scope's game what it offers. Changes nothing.
    fn offered(&self, scope: &str) -> Answering<'_, Offered>;

    /// Milliseconds that an action or a lease gets where its manifest leaves that to the engine.
    fn budget_ms(&self) -> u64;

    /// The module that this manifest declares, reaching its games in these scopes alone. Whether it
    /// is sound is for the caller to see.
    fn module(&self, manifest: Manifest, scopes: &[String]) -> Arc<dyn Module>;
}

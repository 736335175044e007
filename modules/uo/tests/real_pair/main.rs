//! The module against a real sidecar and a real shard, each a process of its own. What happened is read from the shard.

#[cfg(test)]
#[path = "../common/mod.rs"]
mod common;
mod consent;
mod lost;
#[cfg(test)]
mod pair;
mod told;
mod values;
mod verbs;
mod world;

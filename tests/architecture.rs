//! The shape of the house, held by tests: which crate may lean on which, which words stay outside the engine, and what
//! no file may contain.
//!
//! Each rule is a pure function from a file's path and text to the faults in it. It is tried on a planted fault first and
//! on the tree afterwards, so that a rule that has gone blind does not pass.

#![allow(clippy::unwrap_used, reason = "a test that finds what it did not expect ends there")]

#[path = "architecture/crash_points.rs"]
mod crash_points;
#[path = "architecture/crates.rs"]
mod crates;
#[path = "architecture/folders.rs"]
mod folders;
#[path = "architecture/guarantees.rs"]
mod guarantees;
#[path = "architecture/layers.rs"]
mod layers;
#[path = "architecture/leftovers.rs"]
mod leftovers;
#[path = "architecture/links.rs"]
mod links;
#[path = "architecture/names.rs"]
mod names;
#[path = "architecture/sizes.rs"]
mod sizes;
#[path = "architecture/tree.rs"]
mod tree;
#[path = "architecture/words.rs"]
mod words;

//! What the game declares: the manifest that the documentation shows.

use serde_json::Value;

const PAGE: &str = include_str!("../../../../docs/module-authors.md");

/// The one manifest of the documentation, as it stands there.
fn manifest_of_the_docs() -> &'static str {
    let (_, behind) = PAGE.split_once("```json manifest\n").expect("the page shows a manifest");
    behind.split_once("\n```").expect("the block ends").0
}

pub fn manifest() -> Value {
    serde_json::from_str(manifest_of_the_docs()).expect("the manifest of the documentation is JSON")
}

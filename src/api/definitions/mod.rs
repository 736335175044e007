//! `/admin/events`: definitions, their drafts and versions.

pub mod archive;
pub mod copy;
pub mod create;
pub mod difference;
pub mod list;
pub mod price;
pub mod publish;
pub mod read;
pub mod save;
pub mod start;
pub mod verify;
pub mod version;
pub mod versions;

use serde_json::{Value, json};

use crate::engine::definitions::Standing;

/// A definition as it is read: the draft's fields, and where the definition stands.
fn document(standing: &Standing) -> Value {
    let mut document = standing.draft.body.clone();
    let definition = &standing.definition.state;
    let version = definition.current().map(|(version, _)| version);
    document["id"] = json!(standing.definition.id);
    document["state"] = json!(definition.state());
    document["version"] = json!(version);
    document["verified"] = json!(version.is_some_and(|version| definition.is_verified(version)));
    document["unpublishedEdits"] = json!(has_unpublished_edits(standing));
    document["revision"] = json!(standing.draft.revision);
    document["changedAt"] = json!(standing.draft.changed_at);
    document["changedBy"] = json!(standing.draft.changed_by);
    document
}

/// Whether the draft says something else than the current version; what was never published is all edits.
fn has_unpublished_edits(standing: &Standing) -> bool {
    let current = standing.definition.state.current();
    current.is_none_or(|(_, published)| standing.content().is_ok_and(|draft| draft.content != *published))
}

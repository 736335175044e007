use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What happened to a series.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum SeriesEvent {
    SeriesCreated {
        slug: String,
        name: String,
        description: String,
        order: u32,
    },
    SeriesRenamed {
        name: String,
    },
    SeriesDescribed {
        description: String,
    },
    SeriesReordered {
        order: u32,
    },
    /// So many definitions belonged to it until then.
    SeriesDeleted {
        detached: u64,
    },
}

crate::stored_events!(SeriesEvent {
    SeriesCreated => "series_created": 1,
    SeriesRenamed => "series_renamed": 1,
    SeriesDescribed => "series_described": 1,
    SeriesReordered => "series_reordered": 1,
    SeriesDeleted => "series_deleted": 1,
});

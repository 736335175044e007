use chrono::{DateTime, Utc};
use leasehold_module::Mark;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use uuid::Uuid;

use super::{RewindCause, StopRuns};
use crate::event::given;
use crate::note::NoteRef;

/// What a freeze is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FreezeScope {
    /// Everything that starts by a schedule or by hand.
    All,
}

/// What happened to the deployment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum DeploymentEvent {
    /// A person has decided that history goes on from `head`. What was done to the scope's world between there and `seen` is
    /// not in this log.
    RewindAccepted {
        scope: String,
        cause: RewindCause,
        seen: Mark,
        head: Mark,
    },
    /// From `from` on and until `to` nothing starts. What is under way goes on.
    FreezeDeclared {
        freeze: Uuid,
        from: DateTime<Utc>,
        to: DateTime<Utc>,
        scope: FreezeScope,
        #[serde(deserialize_with = "given")]
        note: Option<NoteRef>,
    },
    FreezeLifted {
        freeze: Uuid,
    },
    /// Nothing starts from here on, and what was under way goes the way that `runs` names; a stop that was in force gives way.
    StopDeclared {
        stop: Uuid,
        runs: StopRuns,
        #[serde(deserialize_with = "given")]
        note: Option<NoteRef>,
    },
    StopLifted {
        stop: Uuid,
    },
    /// All runs together may draw so much of the dimension in a day of UTC; none: as much as they like.
    DayCapped {
        dimension: String,
        #[serde(deserialize_with = "given")]
        cap: Option<u64>,
    },
    /// Instants are worked out by another release of the zone data from here on.
    ZoneDataChanged {
        /// None where no release had been recorded before.
        #[serde(deserialize_with = "given")]
        from: Option<String>,
        to: String,
    },
    /// What a game calls this member of its events was blanked beside the log; places and counts stay.
    MemberErased {
        member: Uuid,
    },
}

crate::stored_events!(DeploymentEvent {
    RewindAccepted => "rewind_accepted": 1,
    FreezeDeclared => "freeze_declared": 1,
    FreezeLifted => "freeze_lifted": 1,
    StopDeclared => "stop_declared": 1,
    StopLifted => "stop_lifted": 1,
    DayCapped => "day_capped": 1,
    ZoneDataChanged => "zone_data_changed": 1,
    MemberErased => "member_erased": 1,
});

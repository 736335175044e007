use chrono::{DateTime, Utc};
use leasehold_module::Mark;
use uuid::Uuid;

use super::StopRuns;
use crate::note::NoteRef;

/// What may be asked of the deployment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeploymentCommand {
    /// Go on from `head` although commands to the scope came from `seen`; `here` is the hash that this log holds there.
    AcceptRewind {
        scope: String,
        seen: Mark,
        head: Mark,
        here: Option<String>,
    },
    /// Nothing is to start in this window.
    DeclareFreeze {
        freeze: Uuid,
        window: [DateTime<Utc>; 2],
        now: DateTime<Utc>,
        note: Option<NoteRef>,
    },
    LiftFreeze {
        freeze: Uuid,
        now: DateTime<Utc>,
    },
    /// Nothing is to start until somebody lifts it; `runs` is what becomes of what is under way.
    DeclareStop {
        stop: Uuid,
        runs: StopRuns,
        note: Option<NoteRef>,
    },
    LiftStop,
    /// All runs together may draw so much of a dimension in a day; `None` bounds nothing.
    CapDay {
        dimension: String,
        cap: Option<u64>,
    },
    /// Instants are worked out by this release of the zone data.
    UseZoneData {
        release: String,
    },
    /// What a game calls a member is blanked.
    EraseMember {
        member: Uuid,
    },
}

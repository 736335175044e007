use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Content;
use crate::event::given;
use crate::note::NoteRef;
use crate::schedule::LocalDateTime;

/// What happened to a definition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum DefinitionEvent {
    DefinitionCreated {
        slug: String,
    },
    /// Versions count from 1 and never change.
    DefinitionPublished {
        version: u64,
        content: Box<Content>,
    },
    DefinitionVerified {
        version: u64,
    },
    DefinitionArchived {},
    /// Once for each slot and cause, and not final: what hindered it may pass while the slot is still ahead.
    OccurrenceWithheld {
        scope: String,
        slot: LocalDateTime,
        version: u64,
        cause: WithheldCause,
    },
    /// A person has decided that this one does not happen.
    OccurrenceSkipped {
        scope: String,
        slot: LocalDateTime,
        #[serde(deserialize_with = "given")]
        note: Option<NoteRef>,
    },
    /// A person has decided that this one happens at another wall clock of the same zone. It stays the same slot.
    OccurrenceMoved {
        scope: String,
        slot: LocalDateTime,
        to: LocalDateTime,
        #[serde(deserialize_with = "given")]
        note: Option<NoteRef>,
    },
    /// A person has decided that this one happens after all, and when the schedule says.
    OccurrenceRestored {
        scope: String,
        slot: LocalDateTime,
        #[serde(deserialize_with = "given")]
        note: Option<NoteRef>,
    },
}

/// Why an occurrence came to no run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum WithheldCause {
    /// No dry run of the version has passed.
    NeverVerified,
    /// An action or value that it names is not there any more.
    Dormant,
    /// The zone data in use has not its zone.
    UnknownZone,
    /// Its instant and the grace after it had passed before there was a run.
    Missed,
    /// It falls on the instant of an earlier slot.
    Merged,
    /// A newer version's schedule does not have it.
    Withdrawn,
    Archived,
}

// `definition_published` 2 has schedules that version 1 had not; what version 1 could say means the same, and is lifted as
// it stands. So is what version 2 could say: its steps hold nothing and wait for nobody; and what 3 could: no gate of it gives up.
crate::stored_events!(DefinitionEvent {
    DefinitionCreated => "definition_created": 1,
    DefinitionPublished => "definition_published": 4,
    DefinitionVerified => "definition_verified": 1,
    DefinitionArchived => "definition_archived": 1,
    OccurrenceWithheld => "occurrence_withheld": 1,
    OccurrenceSkipped => "occurrence_skipped": 1,
    OccurrenceMoved => "occurrence_moved": 1,
    OccurrenceRestored => "occurrence_restored": 1,
});

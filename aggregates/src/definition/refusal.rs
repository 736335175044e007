use chrono::{DateTime, Utc};

use crate::decide::{Refusal, RefusalKind};
use crate::schedule::LocalDateTime;

/// Why a definition stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DefinitionRefusal {
    #[error("there is no such definition")]
    Missing,
    #[error("a definition with this id exists already")]
    Exists,
    #[error("the definition is archived, and an archived definition is not published or verified again: make a new one")]
    Archived,
    #[error("the definition was never published: publish it first")]
    NeverPublished,
    #[error("there is no version {version}: the newest is {newest}")]
    NoSuchVersion { version: u64, newest: u64 },
    #[error("version {version} is not the current one any more: look at version {current} and verify that")]
    NotCurrent { version: u64, current: u64 },
    #[error("the schedule has no occurrence at {slot}: name one by the wall clock that the schedule gives it")]
    NoOccurrence { slot: LocalDateTime },
    #[error("the occurrence at {slot} is skipped: bring it back before it is moved")]
    OccurrenceSkipped { slot: LocalDateTime },
    #[error("the occurrence at {slot} was due at {at}, and its grace is over")]
    OccurrenceOver { slot: LocalDateTime, at: DateTime<Utc> },
    #[error("{slot} is when the schedule has it: bring it back to undo a move")]
    MoveToItself { slot: LocalDateTime },
    #[error("an occurrence is moved to a time ahead: {at} is not after {now}")]
    MoveIntoThePast { at: DateTime<Utc>, now: DateTime<Utc> },
    #[error("the occurrence of {other} is at {at} already: choose another time")]
    MoveOntoAnother { other: LocalDateTime, at: DateTime<Utc> },
}

impl Refusal for DefinitionRefusal {
    fn code(&self) -> &'static str {
        match self {
            Self::Missing => "definition_missing",
            Self::Exists => "definition_exists",
            Self::Archived => "definition_archived",
            Self::NeverPublished => "never_published",
            Self::NoSuchVersion { .. } => "version_missing",
            Self::NotCurrent { .. } => "version_not_current",
            Self::NoOccurrence { .. } => "occurrence_not_found",
            Self::OccurrenceSkipped { .. } => "occurrence_skipped",
            Self::OccurrenceOver { .. } => "occurrence_over",
            Self::MoveToItself { .. } => "own_slot",
            Self::MoveIntoThePast { .. } => "in_the_past",
            Self::MoveOntoAnother { .. } => "occupied",
        }
    }

    fn kind(&self) -> RefusalKind {
        match self {
            Self::Missing | Self::NoSuchVersion { .. } | Self::NoOccurrence { .. } => RefusalKind::Missing,
            Self::Exists
            | Self::Archived
            | Self::NeverPublished
            | Self::NotCurrent { .. }
            | Self::OccurrenceSkipped { .. }
            | Self::OccurrenceOver { .. } => RefusalKind::Conflict,
            Self::MoveToItself { .. } | Self::MoveIntoThePast { .. } | Self::MoveOntoAnother { .. } => RefusalKind::Invalid,
        }
    }

    fn pointer(&self) -> Option<String> {
        (self.kind() == RefusalKind::Invalid).then(|| "/to".to_owned())
    }
}

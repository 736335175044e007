use crate::decide::{Refusal, RefusalKind};

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
        }
    }

    fn kind(&self) -> RefusalKind {
        match self {
            Self::Missing | Self::NoSuchVersion { .. } => RefusalKind::Missing,
            Self::Exists | Self::Archived | Self::NeverPublished | Self::NotCurrent { .. } => RefusalKind::Conflict,
        }
    }
}

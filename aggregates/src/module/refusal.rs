use chrono::{DateTime, Utc};

use super::DECLARATIONS_AN_HOUR;
use crate::decide::{Refusal, RefusalKind};

/// Why a manifest is not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModuleRefusal {
    #[error(
        "version {version} was declared before with another content (digest {before}…): a changed manifest has a version of its own"
    )]
    VersionReused { version: u32, before: String },
    #[error(
        "{action} was declared as version {version} with other parameters, cost, risk, promise or undo: a changed action has a version of its own"
    )]
    ActionChanged { action: String, version: u32 },
    #[error(
        "{scope} has declared {DECLARATIONS_AN_HOUR} manifests within an hour: the next is taken {}, or what was declared last again now",
        .from.format("at %FT%TZ")
    )]
    TooMany { scope: String, from: DateTime<Utc> },
}

impl Refusal for ModuleRefusal {
    fn code(&self) -> &'static str {
        match self {
            Self::VersionReused { .. } => "manifest_version_reused",
            Self::ActionChanged { .. } => "action_changed",
            Self::TooMany { .. } => "too_many_manifests",
        }
    }

    fn kind(&self) -> RefusalKind {
        RefusalKind::Conflict
    }
}

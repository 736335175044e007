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
}

impl Refusal for ModuleRefusal {
    fn code(&self) -> &'static str {
        match self {
            Self::VersionReused { .. } => "manifest_version_reused",
            Self::ActionChanged { .. } => "action_changed",
        }
    }

    fn kind(&self) -> RefusalKind {
        RefusalKind::Conflict
    }
}

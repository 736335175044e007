use crate::body::pointer;
use crate::decide::{Refusal, RefusalKind};

/// Why a switch stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SwitchRefusal {
    #[error("a cap on {dimension} means nothing here: this action spends {}", spent(.spends))]
    NotSpent { dimension: String, spends: Vec<String> },
}

fn spent(spends: &[String]) -> String {
    if spends.is_empty() { "nothing".to_owned() } else { spends.join(", ") }
}

impl Refusal for SwitchRefusal {
    fn code(&self) -> &'static str {
        match self {
            Self::NotSpent { .. } => "not_spent",
        }
    }

    fn kind(&self) -> RefusalKind {
        RefusalKind::Invalid
    }

    fn pointer(&self) -> Option<String> {
        match self {
            Self::NotSpent { dimension, .. } => Some(pointer("/caps", dimension)),
        }
    }
}

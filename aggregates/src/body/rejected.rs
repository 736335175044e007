use crate::body::Fault;
use crate::decide::{Refusal, RefusalKind};

/// A body that parses but cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Rejected {
    /// What is asked for is wrong in itself; every fault of it.
    #[error("{}", told(.0))]
    Invalid(Vec<Fault>),
    /// Nothing is wrong but that this role may not; every place where it may not.
    #[error("{}", told(.0))]
    Forbidden(Vec<Fault>),
}

impl Rejected {
    pub fn faults(&self) -> &[Fault] {
        match self {
            Self::Invalid(faults) | Self::Forbidden(faults) => faults,
        }
    }
}

fn told(faults: &[Fault]) -> String {
    match faults {
        [] => "the body cannot be taken".to_owned(),
        [only] => only.detail.clone(),
        [first, rest @ ..] => format!("{}; and {} more", first.detail, rest.len()),
    }
}

impl Refusal for Rejected {
    fn code(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "invalid_body",
            Self::Forbidden(_) => "forbidden",
        }
    }

    fn kind(&self) -> RefusalKind {
        match self {
            Self::Invalid(_) => RefusalKind::Invalid,
            Self::Forbidden(_) => RefusalKind::Forbidden,
        }
    }

    fn pointer(&self) -> Option<String> {
        self.faults().first().map(|fault| fault.pointer.clone())
    }
}

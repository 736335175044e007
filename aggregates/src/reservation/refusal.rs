use crate::decide::{Refusal, RefusalKind};

/// Why a reservation is not to be had, or not to be given back.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReservationRefusal {
    #[error("the slug is taken by {holder}: choose another")]
    SlugTaken { holder: String },
    #[error("{by} cannot have the slot while {holder} holds it")]
    SlotHeld { holder: String, by: String },
    #[error("{by} cannot give back what {holder} holds")]
    NotTheHolder { holder: String, by: String },
    #[error("a slug that was taken is never given back")]
    Final,
}

impl ReservationRefusal {
    /// Who holds it.
    pub fn holder(&self) -> Option<&str> {
        match self {
            Self::SlugTaken { holder } | Self::SlotHeld { holder, .. } | Self::NotTheHolder { holder, .. } => Some(holder),
            Self::Final => None,
        }
    }
}

impl Refusal for ReservationRefusal {
    fn code(&self) -> &'static str {
        match self {
            Self::SlugTaken { .. } => "slug_taken",
            Self::SlotHeld { .. } => "slot_held",
            Self::NotTheHolder { .. } => "not_the_holder",
            Self::Final => "slug_final",
        }
    }

    fn kind(&self) -> RefusalKind {
        RefusalKind::Conflict
    }

    fn pointer(&self) -> Option<String> {
        matches!(self, Self::SlugTaken { .. }).then(|| "/slug".to_owned())
    }
}

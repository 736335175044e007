use leasehold_aggregates::definition::{Definition, DefinitionRefusal, Draft};

use super::DraftRefusal;
use crate::engine::streams::{Loaded, load};
use crate::engine::{Engine, Fault};
use crate::log;

/// A definition as it stands: its stream, and the draft beside it.
#[derive(Debug, Clone)]
pub struct Standing {
    pub definition: Loaded<Definition>,
    pub draft: log::Draft,
}

/// Which revisions, of a draft or a series, a caller will accept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    Any,
    /// One of these; none of them is ever current where it is empty.
    OneOf(Vec<u64>),
}

impl Wanted {
    /// Whether this revision is one of them.
    pub fn takes(&self, current: u64) -> bool {
        match self {
            Self::Any => true,
            Self::OneOf(revisions) => revisions.contains(&current),
        }
    }

    /// Refuses a draft that is at another revision.
    pub fn accept(&self, current: u64) -> Result<(), DraftRefusal> {
        if self.takes(current) { Ok(()) } else { Err(DraftRefusal::Stale { current }) }
    }
}

impl Standing {
    /// The draft as the rules take it.
    pub fn content(&self) -> Result<Draft, Fault> {
        Draft::from_body(self.draft.body.clone()).map_err(|error| Fault::Database(sqlx::Error::Decode(error.into())))
    }
}

impl Engine {
    /// The definition and its draft; a refusal if there is none.
    pub async fn definition(&self, id: &str) -> Result<Standing, Fault> {
        let definition: Loaded<Definition> = load(&self.log, id).await?;
        match self.log.draft(id).await? {
            Some(draft) if definition.state.exists() => Ok(Standing { definition, draft }),
            _ => Err(Fault::refused(DefinitionRefusal::Missing)),
        }
    }
}

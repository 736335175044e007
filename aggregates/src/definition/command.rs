use super::{Alter, Publishable, Whereabouts, WithheldCause};
use crate::note::NoteRef;
use crate::schedule::LocalDateTime;

/// What may be asked of a definition.
#[derive(Debug, Clone, PartialEq)]
pub enum DefinitionCommand {
    /// The first save of its draft.
    Create { slug: String },
    /// Make the judged content the next version.
    Publish { content: Box<Publishable> },
    /// A dry run of this version found nothing wrong.
    Verify { version: u64 },
    /// Never start again; history stays.
    Archive,
    /// The occurrence at this slot comes to no run, for this cause.
    Withhold { scope: String, slot: LocalDateTime, cause: WithheldCause },
    /// A person changes one occurrence.
    Alter { scope: String, slot: LocalDateTime, alter: Alter, whereabouts: Whereabouts, note: Option<NoteRef> },
}

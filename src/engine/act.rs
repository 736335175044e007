//! Who does something, when, and as which command: what every append's metadata is made of.

use std::collections::BTreeMap;

use chrono::{DateTime, SecondsFormat, Utc};
use uuid::Uuid;

use super::mint;
use crate::log::{Append, RowWrite};
use leasehold_aggregates::run::NoteRef;

/// One command's identity.
#[derive(Debug, Clone)]
pub struct Act {
    /// An account id, `runner`, `scheduler`, `module:ID` or `link:ID`.
    pub actor: String,
    /// The command's instant, by the Clock.
    pub at: DateTime<Utc>,
    pub command_id: Uuid,
    /// The position of the event that this follows from.
    pub causation: Option<u64>,
    pub sent: Sent,
}

/// Whether a command may come more than once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sent {
    /// Under an id that nobody has.
    #[default]
    Once,
    /// Under a key with which it may be sent again, even now.
    Keyed,
    /// Somebody began it before, and may have done it.
    Again,
}

impl Act {
    /// A person's command.
    pub fn by(actor: &str, at: DateTime<Utc>) -> Self {
        Self { actor: actor.to_owned(), at, command_id: mint::id(), causation: None, sent: Sent::Once }
    }

    /// A person's command, of which a key has given the id.
    pub fn keyed(actor: &str, at: DateTime<Utc>, command_id: Uuid, sent: Sent) -> Self {
        Self { actor: actor.to_owned(), at, command_id, causation: None, sent }
    }

    /// The engine's own command, that follows from `cause`: the same cause is the same command.
    pub fn following(actor: &str, at: DateTime<Utc>, cause: &str) -> Self {
        Self { actor: actor.to_owned(), at, command_id: mint::command_of(cause), causation: None, sent: Sent::Once }
    }

    /// An append of this command with nothing in it yet.
    pub fn append(&self, recorded_by: &str) -> Append {
        let mut metadata = BTreeMap::from([
            ("actor".to_owned(), self.actor.clone()),
            ("at".to_owned(), self.at.to_rfc3339_opts(SecondsFormat::Micros, true)),
            ("recorded_by".to_owned(), recorded_by.to_owned()),
        ]);
        if let Some(position) = self.causation {
            metadata.insert("causation_id".to_owned(), position.to_string());
        }
        Append { metadata, ..Append::of(self.command_id) }
    }

    /// Text that somebody wrote, as a row beside the log and as what the event keeps of it.
    pub fn note(&self, body: &str) -> (NoteRef, RowWrite) {
        let (id, salt) = (mint::id(), mint::secret().to_vec());
        let digest = mint::note_digest(&salt, body);
        let row = RowWrite::Note { id, salt, body: body.to_owned(), by: self.actor.clone(), at: self.at };
        (NoteRef { id, digest }, row)
    }
}

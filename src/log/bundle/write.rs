//! Writing a bundle down.

use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::line::{EventEntry, EventLine, Header, NoteEntry, NoteLine, Place, Stream, Trailer, checked, plain};
use super::{FORMAT, signed_text};
use crate::log::keys::SignKey;
use crate::log::stream::{Head, StreamId};

/// What goes into a bundle.
pub(super) struct Contents<'a> {
    pub log: Uuid,
    pub subject: &'a StreamId,
    pub at: DateTime<Utc>,
    pub head: &'a Head,
    pub events: &'a [EventLine],
    pub notes: &'a [NoteLine],
}

pub(super) fn write(contents: &Contents<'_>, key: Option<&SignKey>) -> Result<Vec<u8>, serde_json::Error> {
    let (mut lines, mut events, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    for event in contents.events {
        let (bytes, sha256) = add(&mut lines, &plain(event)?);
        events.push(EventEntry { position: event.position, bytes, sha256 });
    }
    for note in contents.notes {
        let (bytes, sha256) = add(&mut lines, &plain(note)?);
        notes.push(NoteEntry { note: note.note, bytes, sha256 });
    }
    let StreamId { aggregate_type, aggregate_id } = contents.subject.clone();
    let mut file = checked(&Header {
        format: FORMAT.to_owned(),
        log: contents.log,
        subject: Stream { aggregate_type, aggregate_id },
        exported_at: contents.at,
        head: Place { position: contents.head.position, hash: hex::encode(&contents.head.hash) },
        events,
        notes,
    })?;
    file.append(&mut lines);
    let digest: [u8; 32] = Sha256::digest(&file).into();
    let signed = key.map(|key| key.sign(signed_text(&digest).as_bytes()));
    file.extend(checked(&Trailer {
        sha256: hex::encode(digest),
        public_key: signed.map(|signed| hex::encode(signed.public_key)),
        signature: signed.map(|signed| hex::encode(signed.signature)),
    })?);
    Ok(file)
}

/// Adds a line, and says how long it is and its sha256.
fn add(lines: &mut Vec<u8>, line: &[u8]) -> (usize, String) {
    lines.extend_from_slice(line);
    (line.len(), hex::encode(Sha256::digest(line)))
}

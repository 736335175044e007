//! Whether what the lines say is what a log can have held.

use std::collections::BTreeMap;

use serde_json::Value;
use uuid::Uuid;

use super::line::{EventLine, NoteLine, written_digest};
use super::open::{Opened, open};
use super::{Bundle, BundleFault, BundledEvent, BundledNote, Part, Wrong, notes, signed_text};
use crate::log::anchor::Anchor;
use crate::log::canonical::Canonical;
use crate::log::error::stored;
use crate::log::keys::CheckKey;
use crate::log::stream::{Recorded, StreamId};

impl Bundle {
    /// Reads the bytes of a file, and checks everything that can be checked without a database: that each byte is as it
    /// was written; each event's hash; that neighbours fit together; that no stream has a gap; each note's digest.
    pub fn read(file: &[u8]) -> Result<Self, BundleFault> {
        let Opened { header, events, notes, digest, signed } = open(file)?;
        let head = written_digest(&header.head.hash).ok_or_else(|| Wrong::Format.of(Part::Header))?;
        let head = Anchor { position: header.head.position, hash: head };
        let mut bundle = Self {
            log: header.log,
            subject: StreamId::new(header.subject.aggregate_type, header.subject.aggregate_id),
            exported_at: header.exported_at,
            head,
            events: Vec::with_capacity(events.len()),
            notes: Vec::with_capacity(notes.len()),
            digest,
            signed,
        };
        let mut streams = BTreeMap::new();
        for (entry, line) in header.events.iter().zip(events) {
            let wrong = |wrong: Wrong| wrong.of(Part::Event(entry.position));
            if line.position != entry.position {
                return Err(wrong(Wrong::Unlisted));
            }
            let event = event(line).map_err(wrong)?;
            follows(bundle.events.last(), &event).map_err(wrong)?;
            counts(&mut streams, &event.recorded).map_err(wrong)?;
            bundle.events.push(event);
        }
        bundle.leads_to_its_head()?;
        bundle.is_of_its_log()?;
        let named = bundle.named_notes();
        for (entry, line) in header.notes.iter().zip(notes) {
            let wrong = |wrong: Wrong| wrong.of(Part::Note(entry.note));
            if line.note != entry.note {
                return Err(wrong(Wrong::Unlisted));
            }
            bundle.notes.push(note(line, &named).map_err(wrong)?);
        }
        Ok(bundle)
    }

    /// Whether the holder of this key signed the bundle.
    pub fn signed_with(&self, key: &CheckKey) -> Result<(), BundleFault> {
        let signed = self.signed.ok_or_else(|| Wrong::Unsigned.of(Part::Trailer))?;
        let checked = key.check(signed_text(&self.digest).as_bytes(), &signed);
        checked.map_err(|fault| Wrong::from(fault).of(Part::Trailer))
    }

    fn leads_to_its_head(&self) -> Result<(), BundleFault> {
        let Some(last) = self.events.last() else { return Ok(()) };
        match last.recorded.position {
            position if position > self.head.position => Err(Wrong::BeyondHead.of(Part::Header)),
            position if position == self.head.position && last.hash != self.head.hash => Err(Wrong::Chain.of(Part::Header)),
            _ => Ok(()),
        }
    }

    fn is_of_its_log(&self) -> Result<(), BundleFault> {
        let opening = self.events.first().filter(|event| event.recorded.position == 0);
        let id = opening.and_then(|event| event.recorded.payload.get("log_id")?.as_str()?.parse::<Uuid>().ok());
        if id != Some(self.log) {
            return Err(Wrong::OtherLog.of(Part::Header));
        }
        if !self.events.iter().any(|event| event.recorded.stream == self.subject) {
            return Err(Wrong::NoSubject.of(Part::Header));
        }
        Ok(())
    }

    /// The notes that its events name, with their digests.
    pub(super) fn named_notes(&self) -> Vec<(Uuid, String)> {
        let mut named = Vec::new();
        self.events.iter().for_each(|event| notes::named(&event.recorded.payload, &mut named));
        named
    }
}

fn event(line: EventLine) -> Result<BundledEvent, Wrong> {
    let hash = written_digest(&line.hash).ok_or_else(|| Wrong::Unreadable("its hash is none".to_owned()))?;
    let previous = match &line.previous {
        None => None,
        Some(text) => Some(written_digest(text).ok_or_else(|| Wrong::Unreadable("the hash in front is none".to_owned()))?),
    };
    let canonical = Canonical {
        position: stored(line.position),
        recorded_at: line.recorded_at,
        aggregate_type: &line.aggregate_type,
        aggregate_id: &line.aggregate_id,
        sequence: stored(line.sequence),
        event_type: &line.event_type,
        event_version: &line.version,
        payload: &line.payload,
        metadata: &line.metadata,
    };
    let front = previous.as_ref().map_or(&[][..], |hash| hash);
    if previous.is_none() != (line.position == 0) || canonical.digest(front) != hash {
        return Err(Wrong::Hash);
    }
    let unreadable = |error: serde_json::Error| Wrong::Unreadable(error.to_string());
    let payload: Value = serde_json::from_str(&line.payload).map_err(unreadable)?;
    let metadata = serde_json::from_str(&line.metadata).map_err(unreadable)?;
    let recorded = Recorded {
        position: line.position,
        recorded_at: line.recorded_at,
        stream: StreamId::new(line.aggregate_type, line.aggregate_id),
        sequence: line.sequence,
        event_type: line.event_type,
        event_version: line.version,
        payload,
        metadata,
    };
    Ok(BundledEvent { recorded, texts: (line.payload, line.metadata), hash, previous })
}

fn follows(front: Option<&BundledEvent>, event: &BundledEvent) -> Result<(), Wrong> {
    let Some(front) = front else { return Ok(()) };
    let (before, position) = (front.recorded.position, event.recorded.position);
    if position <= before {
        return Err(Wrong::Order);
    }
    if position == before + 1 && event.previous != Some(front.hash) {
        return Err(Wrong::Chain);
    }
    if event.recorded.recorded_at < front.recorded.recorded_at {
        return Err(Wrong::Instant);
    }
    Ok(())
}

/// Each stream counts up by one. The engine's begin with 1; what a raw writer numbered from 0 is as whole.
fn counts(streams: &mut BTreeMap<StreamId, u64>, event: &Recorded) -> Result<(), Wrong> {
    let found = event.sequence;
    let expected = streams.get(&event.stream).map_or(found.min(1), |last| last + 1);
    if found != expected {
        return Err(Wrong::Sequence { expected, found });
    }
    streams.insert(event.stream.clone(), found);
    Ok(())
}

fn note(line: NoteLine, named: &[(Uuid, String)]) -> Result<BundledNote, Wrong> {
    let words = match (line.salt, line.body) {
        (None, None) => None,
        (Some(salt), Some(body)) => {
            let salt = hex::decode(&salt).map_err(|_| Wrong::Unreadable("its salt is none".to_owned()))?;
            Some((salt, body))
        }
        _ => return Err(Wrong::Unreadable("it has half of salt and text".to_owned())),
    };
    let mut of_it = named.iter().filter(|(id, _)| *id == line.note);
    let meant = match &words {
        None => of_it.next().is_some(),
        Some((salt, body)) => {
            let digest = notes::note_digest(salt, body);
            of_it.any(|(_, named)| *named == digest)
        }
    };
    if !meant {
        return Err(Wrong::Digest);
    }
    Ok(BundledNote { id: line.note, words, written_by: line.written_by, written_at: line.written_at })
}

//! Taking a file apart: each line found by the length that the header gives it, and compared with what it was.

use sha2::{Digest, Sha256};

use super::line::{self, EventEntry, EventLine, Header, NoteEntry, NoteLine, Trailer, written_digest};
use super::{BundleFault, FORMAT, Part, Wrong};
use crate::log::keys::Signed;

/// The lines of a file in which every byte is as it was written.
pub(super) struct Opened {
    pub header: Header,
    pub events: Vec<EventLine>,
    pub notes: Vec<NoteLine>,
    pub digest: [u8; 32],
    pub signed: Option<Signed>,
}

pub(super) fn open(file: &[u8]) -> Result<Opened, BundleFault> {
    let (header, after) = header(file)?;
    let mut rest = after;
    let mut events = Vec::with_capacity(header.events.len());
    for EventEntry { position, bytes, sha256 } in &header.events {
        events.push(next(&mut rest, *bytes, sha256).map_err(|wrong| wrong.of(Part::Event(*position)))?);
    }
    let mut notes = Vec::with_capacity(header.notes.len());
    for NoteEntry { note, bytes, sha256 } in &header.notes {
        notes.push(next(&mut rest, *bytes, sha256).map_err(|wrong| wrong.of(Part::Note(*note)))?);
    }
    let digest = Sha256::digest(&file[..file.len() - rest.len()]).into();
    let signed = trailer(rest, &digest).map_err(|wrong| wrong.of(Part::Trailer))?;
    // Every line is as it was. What they say comes next.
    let events =
        header.events.iter().zip(events).map(|(entry, line)| read(line).map_err(|wrong| wrong.of(Part::Event(entry.position))));
    let events = events.collect::<Result<_, _>>()?;
    let notes = header.notes.iter().zip(notes).map(|(entry, line)| read(line).map_err(|wrong| wrong.of(Part::Note(entry.note))));
    let notes = notes.collect::<Result<_, _>>()?;
    Ok(Opened { header, events, notes, digest, signed })
}

/// The header, and what lies behind it.
fn header(file: &[u8]) -> Result<(Header, &[u8]), BundleFault> {
    let of = |wrong: Wrong| wrong.of(Part::Header);
    let end = file.iter().position(|byte| *byte == b'\n').ok_or_else(|| of(Wrong::CutOff))?;
    let said = line::unchecked(&file[..end]).ok_or_else(|| of(Wrong::Changed))?;
    let header: Header = read(&said).map_err(of)?;
    if header.format != FORMAT {
        return Err(of(Wrong::Format));
    }
    Ok((header, &file[end + 1..]))
}

/// The next line of that length, its end left out.
fn next<'a>(rest: &mut &'a [u8], bytes: usize, sha256: &str) -> Result<&'a [u8], Wrong> {
    let (line, after) = rest.split_at_checked(bytes).ok_or(Wrong::CutOff)?;
    if written_digest(sha256) != Some(Sha256::digest(line).into()) {
        return Err(Wrong::Changed);
    }
    *rest = after;
    line.strip_suffix(b"\n").ok_or(Wrong::Changed)
}

/// Who signed, if anybody did. Nothing may follow the trailer.
fn trailer(rest: &[u8], digest: &[u8; 32]) -> Result<Option<Signed>, Wrong> {
    if rest.is_empty() {
        return Err(Wrong::CutOff);
    }
    let said = rest.strip_suffix(b"\n").and_then(line::unchecked).ok_or(Wrong::Changed)?;
    let trailer: Trailer = read(&said)?;
    if written_digest(&trailer.sha256) != Some(*digest) {
        return Err(Wrong::Changed);
    }
    let (Some(public_key), Some(signature)) = (&trailer.public_key, &trailer.signature) else {
        let none = trailer.public_key.is_none() && trailer.signature.is_none();
        return if none { Ok(None) } else { Err(Wrong::Unreadable("it has half a signature".to_owned())) };
    };
    let mut bytes = [0; 64];
    let whole = hex::decode_to_slice(signature, &mut bytes).is_ok();
    let public_key = written_digest(public_key).filter(|_| whole);
    let unreadable = || Wrong::Unreadable("its key or its signature is none".to_owned());
    Ok(Some(Signed { public_key: public_key.ok_or_else(unreadable)?, signature: bytes }))
}

fn read<T: serde::de::DeserializeOwned>(line: &[u8]) -> Result<T, Wrong> {
    serde_json::from_slice(line).map_err(|error| Wrong::Unreadable(error.to_string()))
}

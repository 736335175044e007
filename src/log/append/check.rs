//! What an append must be before the database is asked anything.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Append, AppendError};
use crate::log::stream::StreamId;

/// Longest id of a stream, in bytes: an index row holds no more than some 2,700, and names need far less.
const LONGEST_ID: usize = 512;

/// Refuses what the log could not store faithfully: no identity, a stream named twice, an unusable name, NUL in a text.
pub(super) fn well_formed(append: &Append) -> Result<(), AppendError> {
    if append.command_id.is_nil() {
        return Err(malformed("a command without an id", "the id is what makes a repeat harmless"));
    }
    let mut seen = BTreeSet::new();
    for write in &append.writes {
        stream_is_named(&write.stream)?;
        if !seen.insert(&write.stream) {
            return Err(malformed(&write.stream, "the append writes this stream twice"));
        }
        for event in &write.events {
            if event.event_type.is_empty() || event.event_version.is_empty() {
                return Err(malformed(&write.stream, "an event has no type or no version"));
            }
            text_is_clean(&write.stream, &event.event_type)?;
            text_is_clean(&write.stream, &event.event_version)?;
            value_is_clean(&write.stream, &event.payload)?;
        }
    }
    for (key, value) in &append.metadata {
        text_is_clean(&"the metadata", key)?;
        text_is_clean(&"the metadata", value)?;
    }
    let beside = append.stage.iter().map(|item| &item.stream).chain(append.listen.iter().map(|listener| &listener.stream));
    beside.chain(append.requires.iter().map(|(stream, _)| stream)).try_for_each(stream_is_named)
}

fn stream_is_named(stream: &StreamId) -> Result<(), AppendError> {
    let StreamId { aggregate_type, aggregate_id } = stream;
    if aggregate_type.is_empty() || aggregate_id.is_empty() {
        return Err(malformed(stream, "a stream has a kind and an id"));
    }
    if aggregate_type.contains('/') {
        return Err(malformed(stream, "the kind of a stream has no slash"));
    }
    if stream.aggregate_type.len() > LONGEST_ID || aggregate_id.len() > LONGEST_ID {
        return Err(malformed(stream, "the name of a stream has 512 bytes at most"));
    }
    if aggregate_type.chars().chain(aggregate_id.chars()).any(char::is_control) {
        return Err(malformed(stream, "the name of a stream has no control characters"));
    }
    Ok(())
}

fn value_is_clean(whose: &StreamId, value: &Value) -> Result<(), AppendError> {
    match value {
        Value::String(text) => text_is_clean(whose, text),
        Value::Array(items) => items.iter().try_for_each(|item| value_is_clean(whose, item)),
        Value::Object(fields) => fields.iter().try_for_each(|(key, item)| {
            text_is_clean(whose, key)?;
            value_is_clean(whose, item)
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
    }
}

fn text_is_clean(whose: &impl std::fmt::Display, text: &str) -> Result<(), AppendError> {
    if text.contains('\0') {
        return Err(malformed(whose, "a text holds the character NUL, which the database cannot store"));
    }
    Ok(())
}

fn malformed(what: impl std::fmt::Display, why: &str) -> AppendError {
    AppendError::Malformed { what: what.to_string(), why: why.to_owned() }
}

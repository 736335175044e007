//! An event as the log stores it, its texts undecoded: what projections are made from.

use std::fmt;

use chrono::{DateTime, Utc};
use leasehold_aggregates::event::{StoredEvent, decode_text};
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, Visitor};

use crate::fault::EventFault;

/// One row of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedEvent {
    /// Place in the log, dense from 0.
    pub position: u64,
    /// The database's clock when it was recorded.
    pub recorded_at: DateTime<Utc>,
    pub aggregate_type: String,
    pub aggregate_id: String,
    /// Place in the stream, from 1.
    pub sequence: u64,
    pub event_type: String,
    pub event_version: String,
    /// The event as JSON, as it was hashed.
    pub payload: String,
    /// A flat map of strings as JSON, as it was hashed.
    pub metadata: String,
}

/// Who did it and when, as the metadata tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deed {
    /// The command's instant by the engine's clock; where a writer told none, the instant of recording.
    pub at: DateTime<Utc>,
    /// An account's id, `runner`, `module:ID` and the like; `unknown` where a writer told nobody.
    pub actor: String,
}

impl LoggedEvent {
    /// The typed event. An unknown type, a newer version and an unknown field are faults, and so are metadata that are not
    /// a flat map of strings: a raw writer's, which nothing is told from.
    pub fn decode<E: StoredEvent>(&self) -> Result<E, EventFault> {
        self.metadata()?;
        Ok(decode_text(&self.event_type, &self.event_version, &self.payload)?)
    }

    /// The typed event and what the metadata tell of it, which are read once.
    pub fn decode_with_deed<E: StoredEvent>(&self) -> Result<(E, Deed), EventFault> {
        let deed = self.deed()?;
        Ok((decode_text(&self.event_type, &self.event_version, &self.payload)?, deed))
    }

    pub fn deed(&self) -> Result<Deed, EventFault> {
        let told = self.metadata()?;
        let at = told.at.and_then(|at| DateTime::parse_from_rfc3339(&at).ok());
        let at = at.map_or(self.recorded_at, |at| at.with_timezone(&Utc));
        Ok(Deed { at, actor: told.actor.unwrap_or_else(|| "unknown".to_owned()) })
    }

    fn metadata(&self) -> Result<Told, EventFault> {
        serde_json::from_str(&self.metadata).map_err(EventFault::Metadata)
    }
}

/// What projections need of the metadata; the rest is only looked at.
#[derive(Default)]
struct Told {
    at: Option<String>,
    actor: Option<String>,
}

impl<'de> Deserialize<'de> for Told {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FlatMap)
    }
}

struct FlatMap;

impl<'de> Visitor<'de> for FlatMap {
    type Value = Told;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a flat map of strings")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Told, A::Error> {
        let mut told = Told::default();
        while let Some(Word(name)) = map.next_key()? {
            match name.as_deref() {
                Some("at") => told.at = Some(map.next_value()?),
                Some("actor") => told.actor = Some(map.next_value()?),
                _ => {
                    map.next_value::<Passed>()?;
                }
            }
        }
        Ok(told)
    }
}

/// A key, kept only where it is one that is asked for.
struct Word(Option<String>);

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Key;
        impl Visitor<'_> for Key {
            type Value = Word;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a name")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Word, E> {
                Ok(Word(matches!(text, "at" | "actor").then(|| text.to_owned())))
            }
        }
        deserializer.deserialize_str(Key)
    }
}

/// A string that is looked at and not kept.
struct Passed;

impl<'de> Deserialize<'de> for Passed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Passed;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a string")
            }

            fn visit_str<E: Error>(self, _: &str) -> Result<Passed, E> {
                Ok(Passed)
            }
        }
        deserializer.deserialize_str(Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(metadata: &str) -> Result<Deed, EventFault> {
        let event = LoggedEvent {
            position: 7,
            recorded_at: DateTime::UNIX_EPOCH,
            aggregate_type: "lamp".into(),
            aggregate_id: "a".into(),
            sequence: 1,
            event_type: "lamp_lit".into(),
            event_version: "1".into(),
            payload: "{}".into(),
            metadata: metadata.into(),
        };
        event.deed()
    }

    #[test]
    fn a_deed_is_told_from_flat_metadata_and_from_nothing_else() {
        let full = told(r#"{"actor": "ada", "at": "2027-01-15T08:00:00.000001Z", "\u0061ny": "\u00e9"}"#).unwrap();
        assert_eq!((full.actor.as_str(), full.at.timestamp_subsec_micros()), ("ada", 1));
        let bare = told("{}").unwrap();
        assert_eq!((bare.actor.as_str(), bare.at), ("unknown", DateTime::UNIX_EPOCH));
        for spoiled in ["null", "[1]", r#"{"n": 1}"#, r#"{"at": null}"#, r#"{"deep": {"at": "x"}}"#, r#"{"lone": "\ud800"}"#] {
            assert!(matches!(told(spoiled), Err(EventFault::Metadata(_))), "{spoiled}");
        }
    }
}

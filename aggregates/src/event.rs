//! Domain events as they are stored: tagged payloads, strict decoding, upcasting.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// A domain event of one aggregate, with what decoding needs to know of it.
pub trait StoredEvent: cqrs_es::DomainEvent {
    /// Every event type of this aggregate and its newest version, a whole number from 1.
    const TYPES: &'static [(&'static str, u32)];

    /// Lifts a payload of `version` to the next version. Called once for each step; only for versions below the newest, and
    /// only with an object that says that it is of this type.
    fn upcast(_event_type: &str, _version: u32, payload: Value) -> Value {
        payload
    }
}

/// Why a recorded event cannot be used. It is never skipped: what needs it stops and says so.
#[derive(Debug, thiserror::Error)]
pub enum DecodeFault {
    #[error("the event type {0:?} is unknown to this version")]
    UnknownType(String),
    #[error("{event_type} version {version:?} is newer than this version knows ({newest})")]
    UnknownVersion { event_type: String, version: String, newest: u32 },
    #[error("the event type is {event_type:?}, and its payload says it is another")]
    Misnamed { event_type: String },
    #[error("{event_type} version {version} cannot be read")]
    Malformed {
        event_type: String,
        version: String,
        #[source]
        source: serde_json::Error,
    },
}

/// The version as a number, and the newest of this type. Unknown types, newer versions and odd spellings are refused.
pub fn known<E: StoredEvent>(event_type: &str, version: &str) -> Result<(u32, u32), DecodeFault> {
    let newest = E::TYPES
        .iter()
        .find_map(|(name, newest)| (*name == event_type).then_some(*newest))
        .ok_or_else(|| DecodeFault::UnknownType(event_type.to_owned()))?;
    let unknown = || DecodeFault::UnknownVersion { event_type: event_type.into(), version: version.into(), newest };
    let at: u32 = version.parse().map_err(|_| unknown())?;
    if at == 0 || at > newest || version != at.to_string() {
        return Err(unknown());
    }
    Ok((at, newest))
}

/// Decodes one recorded event, lifting old versions. Unknown types, newer versions, unknown fields, missing fields and a payload
/// that names another event than its row are refused.
pub fn decode<E: StoredEvent>(event_type: &str, version: &str, payload: Value) -> Result<E, DecodeFault> {
    let (mut at, newest) = known::<E>(event_type, version)?;
    if payload.get("type").and_then(Value::as_str) != Some(event_type) {
        return Err(DecodeFault::Misnamed { event_type: event_type.into() });
    }
    let mut payload = payload;
    while at < newest {
        payload = E::upcast(event_type, at, payload);
        at += 1;
    }
    let event: E = serde_json::from_value(payload).map_err(|source| DecodeFault::Malformed {
        event_type: event_type.into(),
        version: version.into(),
        source,
    })?;
    Ok(event)
}

/// Reads a field that may be null and must be there. Serde alone takes a missing one for null, and an event of another
/// shape would quietly mean something else: only an upcast fills in what an old version did not have.
pub fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    Option::deserialize(deserializer)
}

/// The same from the text that is stored. An event of the newest version is read straight from it.
pub fn decode_text<E: StoredEvent>(event_type: &str, version: &str, payload: &str) -> Result<E, DecodeFault> {
    let malformed = |source| DecodeFault::Malformed { event_type: event_type.into(), version: version.into(), source };
    let newest = E::TYPES.iter().find_map(|(name, newest)| (*name == event_type).then_some(*newest));
    match newest {
        None => Err(DecodeFault::UnknownType(event_type.to_owned())),
        Some(newest) if version == newest.to_string() => {
            let event: E = serde_json::from_str(payload).map_err(malformed)?;
            let named = event.event_type() == event_type;
            if named { Ok(event) } else { Err(DecodeFault::Misnamed { event_type: event_type.into() }) }
        }
        Some(_) => decode(event_type, version, serde_json::from_str(payload).map_err(malformed)?),
    }
}

/// Implements `DomainEvent` and [`StoredEvent`] for an internally tagged enum: `stored_events!(RunEvent { run_started: 1, … })`.
/// A test of each aggregate checks the list against the tags that serde writes (see the corpus).
#[macro_export]
macro_rules! stored_events {
    ($event:ty { $($variant:ident => $name:literal : $version:literal),+ $(,)? } $(upcast $upcast:path)?) => {
        impl cqrs_es::DomainEvent for $event {
            fn event_type(&self) -> String {
                match self { $(Self::$variant { .. } => $name.to_owned(),)+ }
            }

            fn event_version(&self) -> String {
                match self { $(Self::$variant { .. } => stringify!($version).to_owned(),)+ }
            }
        }

        impl $crate::event::StoredEvent for $event {
            const TYPES: &'static [(&'static str, u32)] = &[$(($name, $version)),+];
            $(fn upcast(event_type: &str, version: u32, payload: serde_json::Value) -> serde_json::Value {
                $upcast(event_type, version, payload)
            })?
        }
    };
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};
    use serde_json::json;

    use super::*;

    /// Version 1 had no colour, for there was one; version 2 spelled the number as text.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
    enum LampEvent {
        LampLit {
            number: u64,
            #[serde(deserialize_with = "given")]
            colour: Option<String>,
        },
    }

    fn lift(_event_type: &str, version: u32, mut payload: Value) -> Value {
        match version {
            1 => payload["colour"] = json!("white"),
            _ => payload["number"] = payload["number"].as_str().and_then(|text| text.parse::<u64>().ok()).into(),
        }
        payload
    }

    crate::stored_events!(LampEvent { LampLit => "lamp_lit": 3 } upcast lift);

    fn read(version: &str, payload: Value) -> Result<LampEvent, DecodeFault> {
        decode("lamp_lit", version, payload)
    }

    #[test]
    fn an_old_event_means_what_it_meant() {
        let lit = |number, colour: Option<&str>| LampEvent::LampLit { number, colour: colour.map(str::to_owned) };
        let large = u64::MAX.to_string();
        assert_eq!(read("1", json!({"type": "lamp_lit", "number": large})).unwrap(), lit(u64::MAX, Some("white")));
        assert_eq!(read("2", json!({"type": "lamp_lit", "number": "7", "colour": null})).unwrap(), lit(7, None));
        assert_eq!(read("3", json!({"type": "lamp_lit", "number": 7, "colour": "red"})).unwrap(), lit(7, Some("red")));
    }

    #[test]
    fn only_an_upcast_fills_in_what_is_missing() {
        for version in ["2", "3"] {
            let number = if version == "2" { json!("7") } else { json!(7) };
            let missing = read(version, json!({"type": "lamp_lit", "number": number}));
            assert!(matches!(missing, Err(DecodeFault::Malformed { .. })), "{missing:?}");
        }
        assert!(read("2", json!({"type": "lamp_lit", "number": "seven", "colour": null})).is_err(), "what cannot be lifted");
    }

    #[test]
    fn what_is_not_known_is_refused_with_its_name() {
        let payload = || json!({"type": "lamp_lit", "number": 7, "colour": null});
        for version in ["4", "0", "03", "+3", "3 ", "", "three", "-1", "99999999999"] {
            assert!(matches!(read(version, payload()), Err(DecodeFault::UnknownVersion { newest: 3, .. })), "{version:?}");
        }
        let unknown = decode::<LampEvent>("lamp_broken", "1", payload()).unwrap_err();
        assert!(unknown.to_string().contains("lamp_broken"), "{unknown}");
        for odd in [json!({"type": "lamp_out"}), json!({}), json!(null), json!([1]), json!("lamp_lit")] {
            for version in ["1", "3"] {
                assert!(matches!(read(version, odd.clone()), Err(DecodeFault::Misnamed { .. })), "{version}: {odd}");
            }
        }
    }
}

//! Domain events as they are stored: tagged payloads, strict decoding, upcasting.

use serde_json::Value;

/// A domain event of one aggregate, with what decoding needs to know of it.
pub trait StoredEvent: cqrs_es::DomainEvent {
    /// Every event type of this aggregate and its newest version, a whole number from 1.
    const TYPES: &'static [(&'static str, u32)];

    /// Lifts a payload of `version` to the next version. Called once for each step; only for versions below the newest.
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
    #[error("{event_type} version {version} cannot be read")]
    Malformed {
        event_type: String,
        version: String,
        #[source]
        source: serde_json::Error,
    },
}

/// Decodes one recorded event, lifting old versions. Unknown types, newer versions and unknown fields are refused.
pub fn decode<E: StoredEvent>(event_type: &str, version: &str, payload: Value) -> Result<E, DecodeFault> {
    let newest = E::TYPES
        .iter()
        .find_map(|(name, newest)| (*name == event_type).then_some(*newest))
        .ok_or_else(|| DecodeFault::UnknownType(event_type.to_owned()))?;
    let unknown = || DecodeFault::UnknownVersion { event_type: event_type.into(), version: version.into(), newest };
    let mut at: u32 = version.parse().map_err(|_| unknown())?;
    if at == 0 || at > newest || version != at.to_string() {
        return Err(unknown());
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

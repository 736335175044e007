//! A span of whole seconds, stored as text in its largest whole unit.

use leasehold_module::{parse_duration, spell_duration};
use serde::{Deserialize, Deserializer, Serializer, de::Error};

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference to the field")]
pub(super) fn serialize<S: Serializer>(seconds: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&spell_duration(*seconds))
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let text = String::deserialize(deserializer)?;
    parse_duration(&text).ok_or_else(|| D::Error::custom(format!("{text:?} is not a duration such as 30m")))
}

/// The same where there may be none.
pub(super) mod optional {
    use serde::{Deserializer, Serializer};

    #[expect(clippy::ref_option, reason = "serde hands a reference to the field")]
    pub fn serialize<S: Serializer>(seconds: &Option<u64>, serializer: S) -> Result<S::Ok, S::Error> {
        match seconds {
            Some(seconds) => super::serialize(seconds, serializer),
            None => serializer.serialize_none(),
        }
    }

    /// A field that is there holds a span: absence is the default's business.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
        super::deserialize(deserializer).map(Some)
    }
}

//! One thing in a world that a run may hold: a value it borrows or an object it owns.

use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The kind of the engine's own placeholder for a step whose answer is not known yet. Modules may not report it.
pub const PLACEHOLDER: &str = "@step";
/// The kind of a borrowed value.
pub const OVERRIDE: &str = "override";
/// The most bytes a target's stream name may have, encoded.
pub const LONGEST: usize = 512;

const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'@');

/// Module and scope say whose world; kind and reference are the module's own words and opaque here.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Target {
    pub module: String,
    pub scope: String,
    pub kind: String,
    #[serde(rename = "ref")]
    pub reference: String,
}

/// Why a name cannot be a target.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TargetFault {
    #[error("a target's name has at most {LONGEST} bytes when encoded, and this one has {0}")]
    TooLong(usize),
    #[error("a target's {0} may not be empty")]
    Empty(&'static str),
    #[error("{0:?} is no target's stream name")]
    Malformed(String),
}

impl Target {
    /// The engine's own placeholder for one step, by its key.
    pub fn placeholder(module: &str, scope: &str, key: &str) -> Self {
        Self { module: module.into(), scope: scope.into(), kind: PLACEHOLDER.into(), reference: key.into() }
    }

    /// A borrowed value, by the lease that names it.
    pub fn lease(module: &str, scope: &str, lease: &str) -> Self {
        Self { module: module.into(), scope: scope.into(), kind: OVERRIDE.into(), reference: lease.into() }
    }

    pub fn is_placeholder(&self) -> bool {
        self.kind == PLACEHOLDER
    }

    /// The ledger stream's id: the four parts percent-encoded and joined by `/`.
    pub fn stream_id(&self) -> String {
        self.parts().map(|part| utf8_percent_encode(part, ESCAPED).to_string()).join("/")
    }

    /// Checks that every part is there and that the stream's name fits.
    pub fn check(&self) -> Result<(), TargetFault> {
        for (name, part) in ["module", "scope", "kind", "ref"].into_iter().zip(self.parts()) {
            if part.is_empty() {
                return Err(TargetFault::Empty(name));
            }
        }
        let length = self.stream_id().len();
        if length > LONGEST { Err(TargetFault::TooLong(length)) } else { Ok(()) }
    }

    /// Reads a stream's id back.
    pub fn from_stream_id(id: &str) -> Result<Self, TargetFault> {
        let malformed = || TargetFault::Malformed(id.to_owned());
        let parts: Vec<String> = id
            .split('/')
            .map(|part| percent_decode_str(part).decode_utf8().map(std::borrow::Cow::into_owned).map_err(|_| malformed()))
            .collect::<Result<_, _>>()?;
        let [module, scope, kind, reference]: [String; 4] = parts.try_into().map_err(|_| malformed())?;
        Ok(Self { module, scope, kind, reference })
    }

    fn parts(&self) -> [&str; 4] {
        [&self.module, &self.scope, &self.kind, &self.reference]
    }
}

/// In words: a borrowed value by its name, everything else by kind and name.
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { module, scope, kind, reference } = self;
        match kind.as_str() {
            PLACEHOLDER => write!(f, "the placeholder {reference} in {scope} ({module})"),
            OVERRIDE => write!(f, "the value {reference} in {scope}"),
            _ => write!(f, "{kind} {reference} in {scope} ({module})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_survive_the_round_trip_whatever_is_in_them() {
        for reference in ["plain", "a/b", "%2F", "ü ß", "..", "0x4000/1", "{}\"'"] {
            let target = Target { module: "demo".into(), scope: "main".into(), kind: "lamp".into(), reference: reference.into() };
            assert_eq!(Target::from_stream_id(&target.stream_id()), Ok(target));
        }
    }

    #[test]
    fn two_targets_never_share_a_stream() {
        let target = |kind: &str, reference: &str| Target {
            module: "demo".into(),
            scope: "main".into(),
            kind: kind.into(),
            reference: reference.into(),
        };
        assert_ne!(target("a", "b/c").stream_id(), target("a/b", "c").stream_id());
    }

    #[test]
    fn too_long_or_empty_is_refused() {
        let mut target = Target::lease("demo", "main", &"x".repeat(600));
        assert!(matches!(target.check(), Err(TargetFault::TooLong(_))));
        target.reference = String::new();
        assert_eq!(target.check(), Err(TargetFault::Empty("ref")));
    }
}

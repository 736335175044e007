//! The name of one object in a world: `0x` and hexadecimal digits on the wire.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::{fmt, str::FromStr};

/// One object's serial. Written `0x4000002A`; read in either case, with one to eight digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Serial(pub u32);

/// The text is no serial.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no serial: it must be 0x and one to eight hexadecimal digits")]
pub struct NotASerial(String);

impl fmt::Display for Serial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:X}", self.0)
    }
}

impl FromStr for Serial {
    type Err = NotASerial;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let refuse = || NotASerial(text.chars().take(24).collect());
        let digits = text.strip_prefix("0x").ok_or_else(refuse)?;
        let hex_only = (1..=8).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !hex_only {
            return Err(refuse());
        }
        u32::from_str_radix(digits, 16).map(Self).map_err(|_| refuse())
    }
}

impl Serialize for Serial {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Serial {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

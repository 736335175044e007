//! A head that a file keeps. What `log head` prints and what it signs can both be kept so.

use std::path::Path;

use serde_json::{Value, json};

use crate::cli::file;
use crate::log::{Anchor, Break};

pub struct Pin {
    pub anchor: Anchor,
}

impl Pin {
    /// What the file holds; none where there is no file. A file that holds something else is not overwritten by accident.
    pub fn read(path: &Path) -> Result<Option<Self>, String> {
        if !path.try_exists().map_err(|error| format!("{} cannot be read: {error}", path.display()))? {
            return Ok(None);
        }
        let text = file::read(path)?;
        let document: Value = serde_json::from_str(&text).unwrap_or_default();
        let anchor = match (document["position"].as_u64(), document["hash"].as_str()) {
            (Some(position), Some(hash)) => format!("{position}:{hash}").parse().ok(),
            _ => None,
        };
        let held = anchor.map(|anchor| Some(Self { anchor }));
        held.ok_or_else(|| format!("{} holds no head as `leasehold log head` writes it", path.display()))
    }
}

/// The log does not lead through what was pinned.
pub fn refused(pin: &Pin, position: u64, why: Break) -> Value {
    json!({ "ok": false, "position": position, "why": why.to_string(), "pinned": pin.anchor.to_string() })
}

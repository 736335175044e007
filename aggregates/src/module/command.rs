use chrono::{DateTime, Utc};
use leasehold_module::Manifest;
use serde_json::{Map, Value};

/// What may be asked of a module.
#[derive(Debug, Clone, PartialEq)]
pub enum ModuleCommand {
    /// The scope's game declares this now.
    Declare {
        scope: String,
        at: DateTime<Utc>,
        /// What tells the manifest from every other: 64 hexadecimal digits.
        digest: String,
        /// As it came, and as it was read.
        sent: Map<String, Value>,
        manifest: Box<Manifest>,
    },
    /// The scope's game declares it no longer.
    Withdraw { scope: String },
}

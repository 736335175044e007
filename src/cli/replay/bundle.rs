//! `leasehold replay --bundle FILE`: the run that a bundle is about, without a database.

use std::path::Path;

use crate::cli::Failed;
use crate::cli::written::{Format, document};
use crate::engine::Fault;
use crate::engine::evidence::{position, story};
use crate::engine::stories::Until;
use crate::log::{Bundle, BundleFault};

/// Why a bundle is not told.
pub(super) enum Untold {
    /// It cannot be read, or it is not in order: in words.
    Bundle(String),
    Fault(Fault),
}

/// The story up to a place, of a bundle that is in order.
pub(super) fn told(file: &Path, until: Until, format: Format) -> Result<Result<String, Untold>, Failed> {
    let bytes = match std::fs::read(file) {
        Ok(bytes) => bytes,
        Err(error) => return Ok(Err(Untold::Bundle(format!("{} cannot be read: {error}", file.display())))),
    };
    let bundle = match Bundle::read(&bytes) {
        Ok(bundle) => bundle,
        Err(BundleFault { wrong, .. }) => {
            let told = format!("{} is not in order: {wrong}; `leasehold log verify-bundle` says where", file.display());
            return Ok(Err(Untold::Bundle(told)));
        }
    };
    match position(&bundle, until).and_then(|position| story(&bundle, position)) {
        Ok(told) if format == Format::Text => Ok(Ok(told.to_string())),
        Ok(told) => Ok(Ok(document(&told)?)),
        Err(fault) => Ok(Err(Untold::Fault(fault))),
    }
}

//! A replay as it is printed.

use leasehold_projections::difference::RunDifference;
use serde_json::json;

use crate::cli::Failed;
use crate::cli::written::{Format, document};
use crate::engine::stories::Retelling;

/// The story; for programs with the whole run in it, as a read of the run tells of it.
pub(super) fn retelling(retelling: &Retelling, format: Format) -> Result<String, Failed> {
    if format == Format::Text {
        return Ok(retelling.story.to_string());
    }
    let mut story = serde_json::to_value(&retelling.story)?;
    story["run"] = json!(retelling.run);
    Ok(document(&story)?)
}

pub(super) fn difference(difference: &RunDifference, format: Format) -> Result<String, Failed> {
    Ok(if format == Format::Text { difference.to_string() } else { document(difference)? })
}

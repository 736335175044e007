//! A diagnosis as text, for terminals and pages.

use std::fmt;

use leasehold_aggregates::authorise::Meter;

use super::{Cause, Diagnosis};
use crate::sentences::{plain, second};

/// What was spent of one dimension.
pub(super) fn spent(meter: &Meter) -> String {
    let of = meter.cap.map_or_else(String::new, |cap| format!("/{cap}"));
    format!("{} {}{of}", meter.dimension, meter.consumed)
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", plain(&self.headline))?;
        for cause in &self.causes {
            write!(f, "{cause}")?;
        }
        if !self.caps.is_empty() {
            writeln!(f, "  caps:         {}", plain(&self.caps.join(" · ")))?;
        }
        Ok(())
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  because:      {}", plain(&self.sentence))?;
        if let (Some(tally), Some(needed)) = (self.tally, self.needed) {
            writeln!(f, "  seen so far:  {tally} of {needed}")?;
        }
        if let Some(since) = self.since {
            writeln!(f, "  since:        {}", second(since))?;
        }
        if let Some(last) = &self.last_signal {
            let why = last.why_not.as_deref().map(|why| format!(", which did not count: {}", plain(why))).unwrap_or_default();
            writeln!(f, "  last signal:  {}{why}", second(last.at))?;
        }
        if let Some(remedy) = &self.remedy {
            writeln!(f, "  what now:     {}", plain(remedy))?;
        }
        Ok(())
    }
}

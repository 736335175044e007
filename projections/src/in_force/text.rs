//! A hold as text, for a terminal.

use std::fmt;

use leasehold_aggregates::target::Target;

use super::{InForce, Signed};
use crate::sentences::{instant, plain};

impl fmt::Display for InForce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let target = Target {
            module: self.module.clone(),
            scope: self.scope.clone(),
            kind: self.kind.clone(),
            reference: self.reference.clone(),
        };
        let values = [("before", &self.baseline), ("applied", &self.applied)];
        let values: String = values.iter().filter_map(|(what, value)| Some(format!(", {} {what}", value.as_ref()?))).collect();
        let until = self.lease_until.map(|until| format!(", until {} at the latest", instant(until))).unwrap_or_default();
        writeln!(f, "{}: {}{}{until}", plain(&target.to_string()), self.status, plain(&values))?;
        let since = self.held_since;
        writeln!(f, "  held since position {} ({}) by step {}", since.position, instant(since.at), plain(&self.step))?;
        let rehearsal = if self.rehearsal { ", a rehearsal" } else { "" };
        let (due, title) = (instant(self.scheduled_for), plain(&self.title));
        writeln!(f, "  of run {} “{title}”{rehearsal}, scheduled for {due}", plain(&self.run_id))?;
        writeln!(f, "  version {} of definition {}", self.version, plain(&self.definition_id))?;
        let acts = [
            ("published", self.published.as_ref()),
            ("verified", self.verified.as_ref()),
            ("scheduled", Some(&self.scheduled)),
            ("started", self.started.as_ref()),
        ];
        for (act, signed) in acts.into_iter().filter_map(|(act, signed)| Some((act, signed?))) {
            writeln!(f, "  {act} {}", in_words(signed))?;
        }
        Ok(())
    }
}

fn in_words(signed: &Signed) -> String {
    let Signed { signature, name } = signed;
    let name = name.as_ref().map(|name| format!(" ({})", plain(name))).unwrap_or_default();
    format!("{} by {}{name}", instant(signature.at), plain(&signature.by))
}

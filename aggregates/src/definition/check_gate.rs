//! Judging a gate against the triggers that are declared.

use super::check::{Checker, Findings, Stage};
use crate::body::pointer;
use crate::condition::Condition;
use crate::plan::{Advance, Phase};

impl Checker<'_> {
    /// A gate's trigger must be declared, and its condition one that the trigger's signals can answer. A draft whose module
    /// has gone keeps its gate as it was, condition and all: it is dormant, and cannot be published so.
    pub(super) fn check_gate(&self, phase: &Phase, at: &str, findings: &mut Findings) {
        let Some(Advance::On { on, condition, .. }) = &phase.advance else { return };
        let Some(trigger) = self.facts.triggers.get(on) else {
            if !self.gates_before().any(|before| before == phase.advance.as_ref()) {
                let detail = format!("there is no trigger {on:?} here: is its module installed?");
                findings.fault(pointer(at, "on"), "unknown_trigger", detail);
            }
            return;
        };
        let Some(stored) = condition else { return };
        let at = pointer(at, "where");
        match Condition::from_stored(stored) {
            Ok(condition) => findings.faults.extend(condition.check(trigger, &at)),
            Err(_) => findings.fault(at, "wrong_shape", "this is no condition"),
        }
    }

    /// Gates of the draft that is being replaced.
    fn gates_before(&self) -> impl Iterator<Item = Option<&Advance>> {
        let previous = if let Stage::Save { previous } = self.stage { previous } else { None };
        previous.into_iter().flat_map(|content| content.plan.phases.iter().map(|phase| phase.advance.as_ref()))
    }
}

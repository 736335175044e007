//! What a plan wants for itself alone, and for how long, as far as that can be told beforehand: its concurrency key, and
//! each value that it borrows. Two runs that want one thing at one time are in each other's way.
//!
//! What takes time by its author's word counts (gates and waits, holds of values); what a person, a game or the network
//! takes does not.

use leasehold_module::parse_duration;
use serde_json::{Map, Value};

use super::RunPlan;
use crate::definition::{Content, LEASE_ACTION};
use crate::plan::{Advance, Template, bind, substitute};
use crate::target::Target;

/// The engine's action that holds what follows for a while.
pub const WAIT_ACTION: &str = "core.wait";

/// Seconds that everything is wanted for at least, so that two runs of one instant overlap.
const SHORTEST: u64 = 60;

/// One thing, wanted from one second after the run's start until another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Want {
    pub name: WantName,
    pub from_seconds: u64,
    pub to_seconds: u64,
}

/// What is wanted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum WantName {
    ConcurrencyKey(String),
    Value(Target),
}

impl WantName {
    /// What the text of a concurrency key begins with, before a colon.
    pub const KEY: &str = "key";

    /// In one text, different for different things.
    pub fn to_text(&self) -> String {
        match self {
            Self::ConcurrencyKey(key) => format!("{}:{key}", Self::KEY),
            Self::Value(target) => format!("value:{}", target.stream_id()),
        }
    }
}

/// What a run of this plan wants, the concurrency key first and values in the order of their steps; a value that several
/// steps borrow comes several times.
pub fn wants(plan: &RunPlan, concurrency_key: Option<&str>, scope: &str) -> Vec<Want> {
    let mut course = Course::default();
    for phase in &plan.phases {
        let entered = course.now;
        for step in &phase.steps {
            if let Some(lease) = &step.lease {
                course.borrow(Target::lease(&step.module, scope, &lease.id), lease.hold_seconds);
            }
            course.wait(&step.action, &step.params, step.hold_seconds);
        }
        course.leave(entered, phase.after_seconds);
    }
    course.end(concurrency_key)
}

/// What a run of this version would want that starts by itself, with every parameter at its default. Nothing where a
/// parameter has none.
pub fn wants_by_default(content: &Content, scope: &str) -> Vec<Want> {
    let Ok(params) = bind(&content.plan.params, &Map::new()) else { return Vec::new() };
    let Ok(plan) = substitute(&content.plan, &params) else { return Vec::new() };
    let template = content.concurrency_key.as_ref().and_then(|key| Template::parse(key).ok());
    let key = template.and_then(|template| template.render(&params).ok());
    let mut course = Course::default();
    for phase in &plan.phases {
        let entered = course.now;
        for step in &phase.steps {
            let lease = step.params.get("lease").and_then(Value::as_str).filter(|_| step.action == LEASE_ACTION);
            // The id of a value begins with its module's.
            if let Some((lease, (module, _))) = lease.and_then(|lease| Some((lease, lease.split_once('.')?))) {
                let minutes = step.params.get("minutes").and_then(Value::as_u64).unwrap_or(0);
                course.borrow(Target::lease(module, scope, lease), minutes.saturating_mul(60));
            }
            course.wait(&step.action, &step.params, step.hold_for);
        }
        let after = match &phase.advance {
            Some(Advance::After { after }) => Some(*after),
            Some(Advance::On { .. }) | None => None,
        };
        course.leave(entered, after);
    }
    course.end(key.as_deref())
}

/// A run's course in seconds from its start.
#[derive(Default)]
struct Course {
    now: u64,
    values: Vec<Want>,
}

impl Course {
    fn borrow(&mut self, target: Target, hold_seconds: u64) {
        let to_seconds = self.now.saturating_add(hold_seconds);
        self.values.push(Want { name: WantName::Value(target), from_seconds: self.now, to_seconds });
    }

    /// By its action or by its author, whichever is longer.
    fn wait(&mut self, action: &str, params: &Map<String, Value>, authored: Option<u64>) {
        let asked = params.get("for").and_then(Value::as_str).filter(|_| action == WAIT_ACTION).and_then(parse_duration);
        self.now = self.now.saturating_add(asked.max(authored).unwrap_or(0));
    }

    fn leave(&mut self, entered: u64, gate: Option<u64>) {
        self.now = self.now.max(entered.saturating_add(gate.unwrap_or(0)));
    }

    /// What is held when the run ends is given back then.
    fn end(self, concurrency_key: Option<&str>) -> Vec<Want> {
        let key = concurrency_key.map(|key| WantName::ConcurrencyKey(key.to_owned()));
        let key = key.map(|name| Want { name, from_seconds: 0, to_seconds: self.now });
        let at_most = |want: Want| {
            let to_seconds = want.to_seconds.min(self.now).max(want.from_seconds.saturating_add(SHORTEST));
            Want { to_seconds, ..want }
        };
        key.into_iter().chain(self.values).map(at_most).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn plan(phases: &Value) -> RunPlan {
        let step = |step: &Value| {
            let lease = step["lease"]
                .as_str()
                .map(|id| json!({"id": id, "value_type": "int", "value": "2", "hold_seconds": step["hold"]}));
            json!({"key": "s", "action": step["action"].as_str().unwrap_or("core.lease"), "action_version": 1, "module": "demo", "summary": "", "params": {"for": step["for"]},
                   "risk": "change", "reversible": "none", "promise": "effect_once", "budget_ms": 1, "cost": {}, "on_failure": "skip", "hold_seconds": step["then"], "awaits_person": false, "lease": lease})
        };
        let phase = |phase: &Value| {
            let steps: Vec<Value> = phase["steps"].as_array().unwrap().iter().map(step).collect();
            json!({"key": "p", "label": "P", "steps": steps, "after_seconds": phase["after"]})
        };
        let phases: Vec<Value> = phases.as_array().unwrap().iter().map(phase).collect();
        serde_json::from_value(json!({"phases": phases})).unwrap()
    }

    fn spans(plan: &RunPlan) -> Vec<(String, u64, u64)> {
        wants(plan, Some("k"), "main").into_iter().map(|want| (want.name.to_text(), want.from_seconds, want.to_seconds)).collect()
    }

    #[test]
    fn gates_and_waits_take_time_and_holds_end_with_the_run() {
        let plan = plan(&json!([
            {"after": 1800, "steps": [{"lease": "rate", "hold": 3600}, {"action": "core.wait", "for": "10m"}]},
            {"after": null, "steps": [{"lease": "night", "hold": 600, "then": 1200}, {"lease": "late", "hold": 900}]},
        ]));
        let value = |id: &str| format!("value:demo/main/override/{id}");
        let told =
            [("key:k".to_owned(), 0, 3000), (value("rate"), 0, 3000), (value("night"), 1800, 2400), (value("late"), 3000, 3060)];
        assert_eq!(spans(&plan), told);
    }

    #[test]
    fn what_takes_no_time_is_wanted_for_a_minute() {
        assert_eq!(spans(&plan(&json!([]))), [("key:k".to_owned(), 0, 60)]);
        assert_eq!(wants(&plan(&json!([])), None, "main"), []);
    }
    #[test]
    fn a_version_wants_what_its_runs_would_want() {
        let content: Content = serde_json::from_value(json!({
            "title": "T", "summary": "", "storyline": "", "image": null, "venue": null, "category": "", "ownerModule": null,
            "timezone": "UTC", "graceSeconds": 0, "concurrencyKey": "harvest:{region}",
            "spec": {"schedule": {"kind": "manual"},
                "params": [{"name": "region", "type": "string", "required": true, "default": "north"},
                           {"name": "rate", "type": "string", "required": true, "default": "demo.rate"}],
                "phases": [{"key": "p", "label": "P", "advance": {"after": "30m"}, "steps": [
                    {"key": "s", "action": "core.lease", "actionVersion": 1, "params": {"lease": "{rate}", "value": "2", "minutes": 5}}]}]}
        }))
        .unwrap();
        let told: Vec<_> = wants_by_default(&content, "main")
            .into_iter()
            .map(|want| (want.name.to_text(), want.from_seconds, want.to_seconds))
            .collect();
        assert_eq!(
            told,
            [("key:harvest:north".into(), 0, 1800), ("value:demo/main/override/demo%2Erate".replace("%2E", "."), 0, 300)]
        );
    }
}

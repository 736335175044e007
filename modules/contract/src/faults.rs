//! What is wrong with a manifest: its module is refused with all of these reasons at once.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use crate::{Action, Factor, Lease, Manifest, ManifestFault, Param, ParamType, Trigger, compare};

/// The longest time one attempt may be given: an hour.
const LONGEST_BUDGET_MS: u64 = 3_600_000;

impl Manifest {
    /// Every fault of the declarations themselves; empty when the manifest may be registered.
    pub fn faults(&self) -> Vec<ManifestFault> {
        let mut faults = Vec::new();
        if !is_module_id(&self.id) {
            faults.push(fault(&self.id, "a module's id has 1 to 32 lowercase letters, digits and dashes"));
        }
        self.id_faults(&mut faults);
        for action in &self.actions {
            self.action_faults(action, &mut faults);
        }
        for lease in &self.leases {
            lease_faults(lease, &mut faults);
        }
        for trigger in &self.triggers {
            trigger_faults(trigger, &mut faults);
        }
        faults
    }

    /// Ids that lack the module's prefix, are too long, or occur twice among declarations of their own kind.
    fn id_faults(&self, faults: &mut Vec<ManifestFault>) {
        let prefix = format!("{}.", self.id);
        let kinds: [Vec<&str>; 5] = [
            self.actions.iter().map(|x| x.id.as_str()).collect(),
            self.budgets.iter().map(|x| x.id.as_str()).collect(),
            self.leases.iter().map(|x| x.id.as_str()).collect(),
            self.option_sources.iter().map(|x| x.id.as_str()).collect(),
            self.triggers.iter().map(|x| x.id.as_str()).collect(),
        ];
        for ids in kinds {
            let mut seen = BTreeSet::new();
            for id in ids {
                if !id.starts_with(&prefix) || id.len() == prefix.len() || id.len() > 128 {
                    faults.push(fault(id, format!("its id must start with \"{prefix}\" and have at most 128 characters")));
                }
                if !seen.insert(id) {
                    faults.push(fault(id, "declared twice"));
                }
            }
        }
    }

    fn action_faults(&self, action: &Action, faults: &mut Vec<ManifestFault>) {
        budget_fault(&action.id, action.budget_ms, faults);
        for term in &action.cost {
            if !self.budgets.iter().any(|budget| budget.id == term.dimension) {
                faults.push(fault(&action.id, format!("costs {} which no budget declares", term.dimension)));
            }
            for factor in &term.factors {
                if let Factor::Param(name) = factor
                    && !action.params.iter().any(|p| &p.name == name && p.value_type == ParamType::Int)
                {
                    faults.push(fault(&action.id, format!("its cost names {name}, which is no int parameter of it")));
                }
            }
            if let Some(when) = &term.when
                && !action.params.iter().any(|p| p.name == when.param)
            {
                faults.push(fault(&action.id, format!("its cost depends on {}, which is no parameter of it", when.param)));
            }
        }
        param_faults(&action.id, &action.params, faults);
    }
}

fn param_faults(entry: &str, params: &[Param], faults: &mut Vec<ManifestFault>) {
    let mut seen = BTreeSet::new();
    for param in params {
        if !seen.insert(&param.name) {
            faults.push(fault(entry, format!("declares the parameter {} twice", param.name)));
        }
        if let Err(error) = param.check(&param.example) {
            faults.push(fault(entry, format!("the example of {} is wrong: {}", param.name, error.detail)));
        }
    }
}

fn lease_faults(lease: &Lease, faults: &mut Vec<ManifestFault>) {
    budget_fault(&lease.id, lease.budget_ms, faults);
    if lease.max_duration_ms == 0 {
        faults.push(fault(&lease.id, "maxDurationMs must be above 0"));
    }
    if !matches!(lease.value_type, ParamType::Int | ParamType::Float) {
        return;
    }
    match (&lease.min, &lease.max) {
        (Some(min), Some(max)) => {
            if !matches!(compare(lease.value_type, min, max), Some(Ordering::Less | Ordering::Equal)) {
                faults.push(fault(&lease.id, format!("min {min:?} and max {max:?} are no range of numbers")));
            }
        }
        _ => faults.push(fault(&lease.id, "a numeric lease declares min and max")),
    }
}

fn trigger_faults(trigger: &Trigger, faults: &mut Vec<ManifestFault>) {
    if trigger.awaiting.trim().is_empty() {
        faults.push(fault(&trigger.id, "awaiting says in words what is waited for, and must not be empty"));
    }
    let mut seen = BTreeSet::new();
    for field in &trigger.fields {
        if field.name.is_empty() || field.name.len() > 64 || !seen.insert(&field.name) {
            faults.push(fault(&trigger.id, format!("a variable has a name of its own, 1 to 64 characters: {:?}", field.name)));
        }
        if let Err(error) = field.check(&field.example) {
            faults.push(fault(&trigger.id, format!("the example of {} is wrong: {error}", field.name)));
        }
    }
}

fn budget_fault(entry: &str, budget_ms: u64, faults: &mut Vec<ManifestFault>) {
    if budget_ms == 0 || budget_ms > LONGEST_BUDGET_MS {
        faults.push(fault(entry, format!("budgetMs must be 1 to {LONGEST_BUDGET_MS}, not {budget_ms}")));
    }
}

fn is_module_id(id: &str) -> bool {
    (1..=32).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

fn fault(entry: &str, reason: impl Into<String>) -> ManifestFault {
    ManifestFault { entry: entry.to_owned(), reason: reason.into() }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn sound() -> Value {
        json!({
            "id": "demo", "label": "Demo", "version": 1,
            "budgets": [{"id": "demo.lamps", "label": "Lamps lit", "unit": "count"}],
            "actions": [{
                "id": "demo.lamp.light", "label": "Light lamps", "description": "Lights some lamps.",
                "summary": "light {count} lamps", "risk": "change", "reversible": "ledger", "promise": "effect_once",
                "version": 1, "budgetMs": 5000,
                "cost": [{"dimension": "demo.lamps", "factors": [{"param": "count"}]}],
                "params": [{"name": "count", "type": "int", "required": true, "example": 12}]
            }],
            "triggers": [{
                "id": "demo.lamp.broken", "label": "A lamp broke", "awaiting": "a lamp to break",
                "fields": [{"name": "region", "type": "string", "example": "North"}]
            }],
            "leases": [{
                "id": "demo.rate.gather", "label": "Gathering", "type": "float", "min": "0.5", "max": "5",
                "maxDurationMs": 1000, "reaches": "everyone", "budgetMs": 5000
            }]
        })
    }

    fn faults_with(pointer: &str, value: Value) -> Vec<ManifestFault> {
        let mut manifest = sound();
        *manifest.pointer_mut(pointer).unwrap() = value;
        serde_json::from_value::<Manifest>(manifest).unwrap().faults()
    }

    #[test]
    fn a_sound_manifest_has_none() {
        assert_eq!(faults_with("/label", json!("Demo")), []);
    }

    #[test]
    fn every_fault_names_its_entry() {
        let lease = "demo.rate.gather";
        let (action, trigger) = ("demo.lamp.light", "demo.lamp.broken");
        for (pointer, value, entry, words) in [
            ("/actions/0/id", json!("other.lamp"), "other.lamp", "must start with"),
            ("/actions/0/id", json!("demo."), "demo.", "must start with"),
            ("/actions/0/budgetMs", json!(0), action, "budgetMs"),
            ("/actions/0/budgetMs", json!(3_600_001), action, "budgetMs"),
            ("/actions/0/cost/0/dimension", json!("demo.bells"), action, "no budget declares"),
            ("/actions/0/cost/0/factors/0", json!({"param": "size"}), action, "no int parameter"),
            ("/actions/0/params/0/example", json!("twelve"), action, "example of count"),
            ("/leases/0/min", json!(null), lease, "min and max"),
            ("/leases/0/min", json!("6"), lease, "no range"),
            ("/leases/0/max", json!("much"), lease, "no range"),
            ("/leases/0/maxDurationMs", json!(0), lease, "maxDurationMs"),
            ("/leases/0/budgetMs", json!(0), lease, "budgetMs"),
            ("/triggers/0/awaiting", json!(" "), trigger, "awaiting"),
            ("/triggers/0/fields/0/example", json!(1), trigger, "example of region"),
            ("/triggers/0/fields/0/name", json!(""), trigger, "a name of its own"),
        ] {
            let faults = faults_with(pointer, value.clone());
            assert!(faults.iter().any(|f| f.entry == entry && f.reason.contains(words)), "{pointer} = {value}: {faults:?}");
        }
    }

    #[test]
    fn an_id_may_occur_once_in_its_kind() {
        let mut twice = serde_json::from_value::<Manifest>(sound()).unwrap();
        twice.leases.push(twice.leases[0].clone());
        twice.budgets.push(twice.budgets[0].clone());
        let count = twice.actions[0].params[0].clone();
        twice.actions[0].params.push(count);
        let reasons: Vec<_> = twice.faults().iter().map(ToString::to_string).collect();
        assert_eq!(
            reasons,
            [
                "demo.lamps: declared twice",
                "demo.rate.gather: declared twice",
                "demo.lamp.light: declares the parameter count twice",
            ]
        );
    }

    #[test]
    fn a_module_id_is_short_and_plain() {
        for wrong in ["", "Demo", "de.mo", "de_mo", &"d".repeat(33)] {
            assert!(faults_with("/id", json!(wrong)).iter().any(|f| f.reason.contains("a module's id")), "{wrong:?}");
        }
    }
}

//! What is wrong with a manifest: its module is refused with all of these reasons at once.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use crate::{
    Action, Factor, Lease, Manifest, ManifestFault, Param, ParamType, Reversible, Risk, Trigger, compare, is_object, same_value,
};

/// The longest time one attempt may be given: an hour.
const LONGEST_BUDGET_MS: u64 = 3_600_000;
/// The longest that a value may be borrowed: seven days.
const LONGEST_HOLD_MS: u64 = 604_800_000;
/// The longest text that a manifest shows to people, in characters.
const LONGEST_TEXT: usize = 400;

impl Manifest {
    /// Every fault of the declarations themselves; empty when the manifest may be registered.
    pub fn faults(&self) -> Vec<ManifestFault> {
        let mut faults = Vec::new();
        if self.version == 0 {
            faults.push(fault(&self.id, "a manifest's version is at least 1"));
        }
        if !is_module_id(&self.id) {
            faults.push(fault(&self.id, "a module's id has 1 to 32 lowercase letters, digits and dashes"));
        }
        self.id_faults(&mut faults);
        for action in &self.actions {
            self.action_faults(action, &mut faults);
        }
        for budget in &self.budgets {
            text_faults(&budget.id, [("label", &budget.label), ("unit", &budget.unit)], &mut faults);
        }
        for source in &self.option_sources {
            text_faults(&source.id, [("label", &source.label)], &mut faults);
        }
        for lease in &self.leases {
            lease_faults(lease, &mut faults);
        }
        for trigger in &self.triggers {
            trigger_faults(trigger, &mut faults);
        }
        faults
    }

    /// Actions and leases whose budget runs out while the module itself still waits so long.
    pub fn hasty(&self, waits_ms: u64) -> Vec<ManifestFault> {
        let actions = self.actions.iter().map(|action| (&action.id, action.budget_ms));
        let all = actions.chain(self.leases.iter().map(|lease| (&lease.id, lease.budget_ms)));
        let hasty = all.filter(|(_, budget_ms)| *budget_ms <= waits_ms);
        let told = |(id, budget_ms): (&String, u64)| {
            fault(id, format!("budgetMs is {budget_ms}, and its module waits {waits_ms} ms for an answer: it must be longer"))
        };
        hasty.map(told).collect()
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
        let texts = [("label", &action.label), ("description", &action.description), ("summary", &action.summary)];
        text_faults(&action.id, texts, faults);
        if action.version == 0 {
            faults.push(fault(&action.id, "an action's version is at least 1"));
        }
        if action.risk == Risk::Irreversible && action.reversible != Reversible::None {
            faults.push(fault(&action.id, "what changes the world for good cannot be taken back: reversible is none"));
        }
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
        for source in action.params.iter().filter_map(|param| param.source.as_ref()) {
            let own = source.starts_with(&format!("{}.", self.id));
            if own && !self.option_sources.iter().any(|declared| &declared.id == source) {
                faults.push(fault(&action.id, format!("takes choices from {source}, which is no option source")));
            }
        }
    }
}

fn param_faults(entry: &str, params: &[Param], faults: &mut Vec<ManifestFault>) {
    let mut seen = BTreeSet::new();
    for param in params {
        if !seen.insert(&param.name) {
            faults.push(fault(entry, format!("declares the parameter {} twice", param.name)));
        }
        if !is_name(&param.name) {
            let reason = "a parameter's name has 1 to 64 letters, digits and underscores, a letter first";
            faults.push(fault(entry, format!("{reason}: {:?}", param.name)));
        }
        for bound in [&param.min, &param.max].into_iter().flatten() {
            if matches!(param.value_type, ParamType::String | ParamType::Bool) || !same_value(param.value_type, bound, bound) {
                faults.push(fault(entry, format!("{bound:?} is no bound of {}", param.name)));
            }
        }
        if let Err(error) = param.check(&param.example) {
            faults.push(fault(entry, format!("the example of {} is wrong: {}", param.name, error.detail)));
        }
    }
}

fn lease_faults(lease: &Lease, faults: &mut Vec<ManifestFault>) {
    budget_fault(&lease.id, lease.budget_ms, faults);
    text_faults(&lease.id, [("label", &lease.label)], faults);
    if lease.id.contains('@') {
        faults.push(fault(&lease.id, "its id must not hold an @, which stands in front of an object"));
    }
    if let Some(object) = &lease.object {
        text_faults(&lease.id, [("object's label", &object.label)], faults);
        if !is_object(&object.example) {
            let reason = "the example of its object must be 1 to 64 letters, digits, dots, dashes, underscores and colons";
            faults.push(fault(&lease.id, format!("{reason}: {:?}", object.example)));
        }
    }
    if lease.max_duration_ms == 0 || lease.max_duration_ms > LONGEST_HOLD_MS {
        let reason = format!("maxDurationMs must be 1 to {LONGEST_HOLD_MS}, not {}", lease.max_duration_ms);
        faults.push(fault(&lease.id, reason));
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

/// Texts that people read: there, and of a length that fits where they are shown.
fn text_faults<const N: usize>(entry: &str, texts: [(&str, &String); N], faults: &mut Vec<ManifestFault>) {
    for (name, text) in texts {
        let length = text.chars().count();
        if text.trim().is_empty() || length > LONGEST_TEXT || text.contains(char::is_control) {
            faults.push(fault(entry, format!("{name} must be one line of 1 to {LONGEST_TEXT} characters, not {length}")));
        }
    }
}

fn is_name(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    (1..=64).contains(&name.len()) && name.bytes().all(plain) && name.starts_with(|c: char| c.is_ascii_alphabetic())
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
mod tests;

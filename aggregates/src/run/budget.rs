//! The budget that a run is given when it starts.

use std::collections::BTreeMap;

use super::plan::RunPlan;
use crate::authorise::Meter;

/// One meter for each dimension that any step of the plan may spend, with the tightest cap that an action of the plan
/// sets on it. An action that sets none never loosens another's. `caps`: by action, by dimension.
pub fn pin_budget(plan: &RunPlan, caps: &BTreeMap<String, BTreeMap<String, u64>>) -> Vec<Meter> {
    meters_of(plan.steps().map(|(_, step)| (step.action.as_str(), &step.cost)), caps)
}

/// The same for steps that are in no plan yet: each with its action and what it spends.
pub fn meters_of<'a>(
    steps: impl IntoIterator<Item = (&'a str, &'a BTreeMap<String, u64>)>,
    caps: &BTreeMap<String, BTreeMap<String, u64>>,
) -> Vec<Meter> {
    let mut meters: BTreeMap<&str, Meter> = BTreeMap::new();
    for (action, cost) in steps {
        for dimension in cost.keys() {
            let meter = meters.entry(dimension).or_insert_with(|| Meter {
                dimension: dimension.clone(),
                consumed: 0,
                cap: None,
                cap_from: None,
            });
            let Some(cap) = caps.get(action).and_then(|by| by.get(dimension)) else { continue };
            if meter.cap.is_none_or(|tightest| *cap < tightest) {
                meter.cap = Some(*cap);
                meter.cap_from = Some(action.to_owned());
            }
        }
    }
    meters.into_values().collect()
}

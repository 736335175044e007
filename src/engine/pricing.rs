//! What a plan in somebody's hands would spend, against what one run may: arithmetic alone. Nothing is asked of a module, and
//! nothing is written down.

use std::collections::{BTreeMap, BTreeSet};

use leasehold_aggregates::authorise::{ActionFacts, Asker, Invocation, Meter, may_invoke};
use leasehold_aggregates::deployment::{DEPLOYMENT, Deployment};
use leasehold_aggregates::plan::{Phase, Plan, Step, substitute};
use leasehold_aggregates::run::meters_of;
use leasehold_aggregates::schedule::Schedule;
use leasehold_aggregates::switchboard::Switchboard;
use leasehold_module::price;
use serde::Serialize;
use serde_json::{Map, Value};

use super::runs::action_facts;
use super::streams::{Loaded, load};
use super::{Engine, Fault};

/// One step as it is typed so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Typed {
    /// Its place in the body.
    pub pointer: String,
    pub key: String,
    pub action: String,
    pub params: Map<String, Value>,
}

/// What a plan comes to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Priced {
    /// By dimension.
    pub cost: Vec<Total>,
    /// By step, what could be priced.
    pub steps: Vec<StepPrice>,
    /// What could not: every total above is too low by it.
    pub unpriced: Vec<Said>,
    /// What the deployment would refuse as it is set up now.
    pub refusals: Vec<Said>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Total {
    pub dimension: String,
    /// The dimension's id where no module declares it.
    pub label: String,
    pub unit: Option<String>,
    pub asked: u64,
    /// What one run may spend; absent: nothing bounds it.
    pub cap: Option<u64>,
    pub cap_from: Option<String>,
    /// What all runs together may draw in a day.
    pub per_day: Option<u64>,
    /// False: no module declares it, and every step that would spend it is refused.
    pub declared: bool,
    pub over: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StepPrice {
    pub pointer: String,
    pub step: String,
    pub cost: BTreeMap<String, u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Said {
    pub pointer: String,
    pub step: String,
    pub code: String,
    pub detail: String,
}

impl Engine {
    /// Prices these steps with `values` put in for the plan's parameters.
    pub async fn price(&self, steps: &[Typed], values: &Map<String, Value>) -> Result<Priced, Fault> {
        let mut switches: BTreeMap<String, Switchboard> = BTreeMap::new();
        for action in steps.iter().map(|step| &step.action).collect::<BTreeSet<_>>() {
            let board: Loaded<Switchboard> = load(&self.log, action).await?;
            switches.insert(action.clone(), board.state);
        }
        let deployment: Loaded<Deployment> = load(&self.log, DEPLOYMENT).await?;
        let facts = action_facts(&self.registry(), &switches);
        let (mut priced, mut unpriced) = (Vec::new(), Vec::new());
        for step in steps {
            match self.price_step(step, values) {
                Ok(cost) => priced.push((step, cost)),
                Err((code, detail)) => unpriced.push(step.said(code, detail)),
            }
        }
        let caps = |switch: &Switchboard| switch.stored().map(|switch| switch.caps.clone()).unwrap_or_default();
        let caps = switches.iter().map(|(action, switch)| (action.clone(), caps(switch))).collect();
        let meters = meters_of(priced.iter().map(|(step, cost)| (step.action.as_str(), cost)), &caps);
        let refusals = priced.iter().filter_map(|(step, cost)| refusal(step, cost, &facts, &meters)).collect();
        let cost = meters.iter().map(|meter| self.total(meter, &priced, deployment.state.day_caps())).collect();
        let of_step = |(step, cost): (&Typed, _)| StepPrice { pointer: step.pointer.clone(), step: step.key.clone(), cost };
        Ok(Priced { cost, steps: priced.into_iter().map(of_step).collect(), unpriced, refusals })
    }

    fn price_step(&self, step: &Typed, values: &Map<String, Value>) -> Result<BTreeMap<String, u64>, (&'static str, String)> {
        let missing = || ("module_missing", format!("no installed module offers {:?}", step.action));
        let registry = self.registry();
        let (action, _) = registry.action(&step.action).ok_or_else(missing)?;
        let params = filled(step, values).map_err(|detail| ("unpriceable", detail))?;
        price(&action.cost, &params).map_err(|fault| ("unpriceable", fault.to_string()))
    }

    fn total(&self, meter: &Meter, priced: &[(&Typed, BTreeMap<String, u64>)], per_day: &BTreeMap<String, u64>) -> Total {
        let registry = self.registry();
        let budget = registry.budget(&meter.dimension);
        let drawn = priced.iter().filter_map(|(_, cost)| cost.get(&meter.dimension));
        let asked = drawn.fold(0, |sum: u64, amount| sum.saturating_add(*amount));
        let per_day = per_day.get(&meter.dimension).copied();
        Total {
            dimension: meter.dimension.clone(),
            label: budget.map_or_else(|| meter.dimension.clone(), |budget| budget.label.clone()),
            unit: budget.map(|budget| budget.unit.clone()),
            asked,
            cap: meter.cap,
            cap_from: meter.cap_from.clone(),
            per_day,
            declared: budget.is_some(),
            over: meter.cap.into_iter().chain(per_day).any(|cap| asked > cap),
        }
    }
}

impl Typed {
    fn said(&self, code: impl Into<String>, detail: String) -> Said {
        Said { pointer: self.pointer.clone(), step: self.key.clone(), code: code.into(), detail }
    }
}

/// Whether the step could ever be invoked: its switch, and its own cost against the whole of a cap.
fn refusal(step: &Typed, cost: &BTreeMap<String, u64>, facts: &BTreeMap<String, ActionFacts>, meters: &[Meter]) -> Option<Said> {
    let (action, day) = (facts.get(&step.action)?, &BTreeMap::new());
    let asked = Invocation { asker: Asker::Runner, action, cost, meters, day, stopped: None, rehearsal: false };
    let denied = may_invoke(&asked).err()?;
    Some(step.said(denied.code(), denied.to_string()))
}

/// The step's parameters with the plan's put in.
fn filled(step: &Typed, values: &Map<String, Value>) -> Result<Map<String, Value>, String> {
    let alone = Step {
        key: step.key.clone(),
        action: step.action.clone(),
        action_version: 0,
        params: step.params.clone(),
        on_failure: None,
        hold_for: None,
        awaits: None,
    };
    let phase = Phase { key: String::new(), label: String::new(), steps: vec![alone], advance: None };
    let plan = Plan { schedule: Schedule::Manual {}, params: Vec::new(), phases: vec![phase] };
    let told = |faults: Vec<leasehold_aggregates::body::Fault>| {
        faults.into_iter().map(|fault| fault.detail).collect::<Vec<_>>().join("; ")
    };
    let plan = substitute(&plan, values).map_err(told)?;
    let step = plan.phases.into_iter().flat_map(|phase| phase.steps).next();
    Ok(step.map(|step| step.params).unwrap_or_default())
}

//! What is read for one decision about a run: its stream, the switches of its actions, the targets that it may take,
//! and its slot. Everything read is named in the append's `requires`, or written by it.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use leasehold_aggregates::allowance::{Allowance, Counted, DayMeter, allowance_id};
use leasehold_aggregates::authorise::{ActionFacts, Meter};
use leasehold_aggregates::body::Fault as BodyFault;
use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::definition::{Definition, DefinitionState};
use leasehold_aggregates::deployment::{Barred, DEPLOYMENT, Deployment};
use leasehold_aggregates::keys::perform_key;
use leasehold_aggregates::ledger::Entry;
use leasehold_aggregates::reservation::{KeyTooLong, Slot, slot_id};
use leasehold_aggregates::run::{CleanupStatus, Facts, Run, RunPlan, RunStatus, Scheduled, Standing, pin_budget};
use leasehold_aggregates::switchboard::Switchboard;
use leasehold_aggregates::target::Target;
use leasehold_module::Lease;

use crate::engine::allowances::counted;
use crate::engine::folds::{Fold, Look};
use crate::engine::registry::Registry;
use crate::engine::streams::{Loaded, StreamFault};
use crate::engine::{Engine, Fault};

/// One reading of the log.
pub struct Reading {
    pub run: Loaded<Run>,
    /// By action.
    pub switches: BTreeMap<String, Loaded<Switchboard>>,
    pub entries: BTreeMap<Target, Loaded<Entry>>,
    /// Of the run's concurrency key, if it has one.
    pub slot: Option<Loaded<Slot>>,
    /// The run that held the slot last, for one that is to begin.
    pub predecessor: Option<Loaded<Run>>,
    /// Of a run that begins by its schedule and has not begun.
    pub definition: Option<Loaded<Definition>>,
    /// Of a run that has not ended: what holds for all of them.
    pub deployment: Option<Loaded<Deployment>>,
    /// What the day has seen drawn, of the dimensions that the run may spend and the deployment caps by the day.
    pub allowances: BTreeMap<String, Loaded<Allowance>>,
    /// What was drawn on them before anybody kept count.
    pub counted: BTreeMap<String, Counted>,
    pub facts: Facts,
    /// What will be remembered once the append that follows from this reading has committed.
    pub after: Vec<Fold>,
    /// The era of the log's memory in which it was read.
    pub era: u64,
    /// Whether any of it is from memory.
    pub remembered: bool,
    look: Look,
}

impl Reading {
    /// Reads the run and what a decision about it at `at` may rest on; `reported`: targets that an answer has just named.
    pub async fn of(engine: &Engine, run_id: &str, at: DateTime<Utc>, reported: &[Target], look: Look) -> Result<Self, Fault> {
        let mut reading = Self::begun(engine, run_id, look).await?;
        if let Some(scheduled) = reading.run.state.scheduled.clone() {
            reading.read_beside(engine, &scheduled, at, reported).await?;
        }
        Ok(reading)
    }

    /// For a run that is about to be scheduled and started in one append, at the instant for which it is scheduled.
    pub async fn of_new(engine: &Engine, scheduled: &Scheduled, look: Look) -> Result<Self, Fault> {
        let mut reading = Self::begun(engine, &scheduled.run_id, look).await?;
        reading.read_beside(engine, scheduled, scheduled.scheduled_for, &[]).await?;
        Ok(reading)
    }

    async fn begun(engine: &Engine, run_id: &str, look: Look) -> Result<Self, Fault> {
        let mut reading = Self {
            run: Loaded::default(),
            switches: BTreeMap::new(),
            entries: BTreeMap::new(),
            slot: None,
            predecessor: None,
            definition: None,
            deployment: None,
            allowances: BTreeMap::new(),
            counted: BTreeMap::new(),
            facts: Facts::default(),
            after: Vec::new(),
            era: engine.log.era(),
            remembered: false,
            look,
        };
        reading.run = reading.load(engine, run_id).await?;
        Ok(reading)
    }

    async fn load<A>(&mut self, engine: &Engine, id: &str) -> Result<Loaded<A>, StreamFault>
    where
        A: Decide + Clone + Send + Sync + 'static,
    {
        let (loaded, remembered) = engine.folds.load(&engine.log, id, self.look).await?;
        self.remembered |= remembered;
        Ok(loaded)
    }

    async fn read_beside(
        &mut self,
        engine: &Engine,
        scheduled: &Scheduled,
        at: DateTime<Utc>,
        reported: &[Target],
    ) -> Result<(), Fault> {
        let actions: BTreeSet<&str> = scheduled.plan.steps().map(|(_, step)| step.action.as_str()).collect();
        for action in actions {
            let switch = self.load(engine, action).await?;
            self.switches.insert(action.to_owned(), switch);
        }
        for target in targets(&scheduled.plan, scheduled).chain(reported.iter().cloned()) {
            self.entry(engine, &target).await?;
        }
        if scheduled.slot.is_some() && self.run.state.status == RunStatus::Scheduled {
            self.definition = Some(self.load(engine, &scheduled.definition_id).await?);
        }
        if let Some(key) = &scheduled.concurrency_key {
            let too_long =
                |fault: KeyTooLong| Fault::Invalid(vec![BodyFault::new("/concurrencyKey", "wrong_length", fault.to_string())]);
            self.slot = Some(self.load(engine, &slot_id(key).map_err(too_long)?).await?);
        }
        if !self.run.state.status.terminal() {
            self.deployment = Some(self.load(engine, DEPLOYMENT).await?);
            self.read_allowances(engine, &scheduled.plan, at).await?;
        }
        if self.run.state.status == RunStatus::Scheduled {
            self.read_predecessor(engine).await?;
        }
        let switches = self.switches.iter().map(|(action, loaded)| (action, &loaded.state));
        let entries = self.entries.iter().map(|(target, loaded)| (target, &loaded.state));
        self.facts = Facts {
            actions: action_facts(&engine.registry(), switches),
            leases: lease_facts(&engine.registry(), &scheduled.plan),
            triggers: engine.registry().triggers(),
            held: held_by_others(entries, &scheduled.run_id),
            limits: engine.settings.limits(),
            stopped: self.deployment.as_ref().and_then(|deployment| deployment.state.stops_runs()),
            day: self.day(at),
        };
        Ok(())
    }

    async fn read_allowances(&mut self, engine: &Engine, plan: &RunPlan, at: DateTime<Utc>) -> Result<(), StreamFault> {
        for dimension in self.day_capped(plan) {
            let allowance: Loaded<Allowance> = self.load(engine, &allowance_id(&dimension, at)).await?;
            if let Some(deployment) = &self.deployment {
                let counted = counted(&engine.log, &deployment.state, &allowance, &dimension, at).await?;
                self.counted.extend(counted.map(|counted| (dimension.clone(), counted)));
            }
            self.allowances.insert(dimension, allowance);
        }
        Ok(())
    }

    /// The dimensions of this plan that the deployment caps by the day.
    fn day_capped(&self, plan: &RunPlan) -> BTreeSet<String> {
        let Some(deployment) = &self.deployment else { return BTreeSet::new() };
        let spent = plan.steps().flat_map(|(_, step)| step.cost.keys());
        spent.filter(|dimension| deployment.state.day_caps().contains_key(*dimension)).cloned().collect()
    }

    /// What the day of `at` may still bring.
    fn day(&self, at: DateTime<Utc>) -> BTreeMap<String, DayMeter> {
        let caps = self.deployment.as_ref().map(|deployment| deployment.state.day_caps());
        let meter = |(dimension, allowance): (&String, &Loaded<Allowance>)| {
            let cap = *caps?.get(dimension)?;
            let drawn = self.counted.get(dimension).map_or(allowance.state.drawn(), |counted| counted.drawn);
            Some((dimension.clone(), DayMeter { day: at.date_naive(), cap, drawn }))
        };
        self.allowances.iter().filter_map(meter).collect()
    }

    /// The target's entry, read once.
    pub async fn entry(&mut self, engine: &Engine, target: &Target) -> Result<&mut Loaded<Entry>, StreamFault> {
        if !self.entries.contains_key(target) {
            let loaded = self.load(engine, &target.stream_id()).await?;
            self.entries.insert(target.clone(), loaded);
        }
        Ok(self.entries.entry(target.clone()).or_default())
    }

    /// Whether the run may begin at `at` by its schedule.
    pub fn standing(&self, at: DateTime<Utc>) -> Standing {
        let (Some(definition), Some(scheduled)) = (&self.definition, &self.run.state.scheduled) else { return Standing::Current };
        let deployment = self.deployment.as_ref().map(|loaded| &loaded.state);
        standing_of(&definition.state, deployment, scheduled, at)
    }

    /// What keeps everything from starting at one of these instants.
    pub fn barred(&self, instants: &[DateTime<Utc>]) -> Option<Barred> {
        self.deployment.as_ref()?.state.barred(instants)
    }

    /// The run that holds the slot, or held it last and is still giving back what it took; unless it is this one.
    pub fn slot_holder(&self) -> Option<String> {
        let holder = self.slot.as_ref()?.state.holder();
        let leaves = |run: &&Loaded<Run>| run.state.status.terminal() && run.state.cleanup == CleanupStatus::Pending;
        let leaving = self.predecessor.as_ref().filter(leaves).map(|run| run.id.as_str());
        holder.or(leaving).filter(|holder| *holder != self.run.id).map(str::to_owned)
    }

    async fn read_predecessor(&mut self, engine: &Engine) -> Result<(), StreamFault> {
        let last = self.slot.as_ref().and_then(|slot| slot.state.last()).filter(|last| *last != self.run.id);
        let Some(last) = last.map(str::to_owned) else { return Ok(()) };
        self.predecessor = Some(self.load(engine, &last).await?);
        Ok(())
    }

    /// The budget that the run would be given now.
    pub fn budget_now(&self) -> Vec<Meter> {
        self.run.state.plan().map(|plan| self.budget(plan)).unwrap_or_default()
    }

    /// The budget that a run of this plan is given now.
    pub fn budget(&self, plan: &RunPlan) -> Vec<Meter> {
        budget_of(plan, self.switches.iter().map(|(action, loaded)| (action, &loaded.state)))
    }
}

/// The budget that a run of this plan is given by these switches.
pub(in crate::engine) fn budget_of<'a>(
    plan: &RunPlan,
    switches: impl IntoIterator<Item = (&'a String, &'a Switchboard)>,
) -> Vec<Meter> {
    let caps = |switch: &Switchboard| switch.stored().map(|switch| switch.caps.clone()).unwrap_or_default();
    let caps = switches.into_iter().map(|(action, switch)| (action.clone(), caps(switch))).collect();
    pin_budget(plan, &caps)
}

/// Whether a run of this definition may begin at `at` by its schedule.
pub(in crate::engine) fn standing_of(
    definition: &Definition,
    deployment: Option<&Deployment>,
    scheduled: &Scheduled,
    at: DateTime<Utc>,
) -> Standing {
    if definition.state() == DefinitionState::Archived {
        return Standing::Archived;
    }
    let version = scheduled.definition_version;
    if definition.current().is_none_or(|(current, _)| current != version) {
        return Standing::Superseded;
    }
    if !definition.is_verified(version) {
        return Standing::Unverified;
    }
    let barred = deployment.and_then(|deployment| deployment.barred(&[scheduled.scheduled_for, at]));
    barred.map_or(Standing::Current, Standing::Barred)
}

/// What the registry declares and the switchboard permits of these actions.
pub(in crate::engine) fn action_facts<'a>(
    registry: &Registry,
    switches: impl IntoIterator<Item = (&'a String, &'a Switchboard)>,
) -> BTreeMap<String, ActionFacts> {
    let declared = registry.dimensions();
    let facts = |(id, switchboard): (&String, &Switchboard)| {
        let (action, _) = registry.action(id)?;
        let enabled = switchboard.effective(action.risk).enabled;
        let (label, risk, version) = (action.label.clone(), action.risk, action.version);
        Some((id.clone(), ActionFacts { label, risk, version, enabled, declared: declared.clone(), tells: action.tells }))
    };
    switches.into_iter().filter_map(facts).collect()
}

/// What the registry declares of the values that this plan borrows.
pub(in crate::engine) fn lease_facts(registry: &Registry, plan: &RunPlan) -> BTreeMap<String, Lease> {
    let borrowed = plan.steps().filter_map(|(_, step)| step.lease.as_ref());
    borrowed.filter_map(|lease| Some((lease.id.clone(), registry.lease(&lease.id)?.0.clone()))).collect()
}

/// Those of these targets that other runs hold, with the run.
pub(in crate::engine) fn held_by_others<'a>(
    entries: impl IntoIterator<Item = (&'a Target, &'a Entry)>,
    run_id: &str,
) -> BTreeMap<Target, String> {
    let held = entries.into_iter().filter_map(|(target, entry)| Some((target.clone(), entry.holder()?.run_id.clone())));
    held.filter(|(_, holder)| holder != run_id).collect()
}

/// Every value that the plan borrows. Placeholders are named by the run's own keys: nobody else can hold them.
pub(in crate::engine) fn targets(plan: &RunPlan, scheduled: &Scheduled) -> impl Iterator<Item = Target> {
    let borrowing = plan.steps().filter(|(_, step)| step.lease.is_some());
    let named = borrowing.filter_map(|(_, step)| step.target(&scheduled.scope, &perform_key(&scheduled.run_id, &step.key)));
    named.collect::<Vec<_>>().into_iter()
}

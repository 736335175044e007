//! The dry run: every step dispatched with `verify`, and the whole plan's cost held against the caps. It changes nothing,
//! here or in any game.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use leasehold_aggregates::allowance::DayMeter;
use leasehold_aggregates::authorise::{Asker, Invocation, Meter, may_invoke};
use leasehold_aggregates::body::Fault as BodyFault;

use leasehold_aggregates::definition::Content;
use leasehold_aggregates::keys::perform_key;
use leasehold_aggregates::run::{PlannedStep, RunPlan, Scheduled};
use leasehold_aggregates::schedule::{Schedule, occurrences, place};
use leasehold_aggregates::zones::Zones;
use leasehold_module::{Failure, LeaseApplied, LeaseApply, Perform, Performed};
use serde::Serialize;
use serde_json::{Map, Value};

use super::Reading;
use super::controls::MAIN;
use super::planning::plan_run;
use crate::engine::folds::Look;
use crate::engine::{Engine, Fault};

/// What a dry run found. Findings are answers, not errors.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DryRun {
    /// Nothing was found.
    pub ok: bool,
    pub findings: Vec<Finding>,
    /// What the whole plan would spend, against the cap that holds now.
    pub cost: Vec<Spending>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Where in the definition.
    pub pointer: String,
    pub step: Option<String>,
    pub code: String,
    pub detail: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Spending {
    pub dimension: String,
    pub asked: u64,
    pub cap: Option<u64>,
    pub cap_from: Option<String>,
}

impl Engine {
    /// Goes through the plan as a run with `params` in `scope` (unset: `main`) would, asking every module to verify.
    pub async fn dry_run(&self, content: &Content, scope: Option<&str>, params: &Map<String, Value>) -> Result<DryRun, Fault> {
        let planned = match plan_run(&self.registry(), content, params, self.settings.stall_seconds) {
            Ok(planned) => planned,
            Err(rejected) => return Ok(DryRun::of(rejected.faults().iter().map(of_fault).collect(), Vec::new())),
        };
        let scheduled = self.imagined(content, scope.unwrap_or(MAIN), planned.plan).await?;
        let reading = Reading::of_new(self, &scheduled, Look::Fresh).await?;
        let meters = reading.budget(&scheduled.plan);
        let mut findings = Vec::new();
        for (p, phase) in scheduled.plan.phases.iter().enumerate() {
            for (s, step) in phase.steps.iter().enumerate() {
                let pointer = format!("/spec/phases/{p}/steps/{s}");
                if let Some((code, detail)) = self.objection(&reading, &scheduled, step, &meters).await {
                    findings.push(Finding { pointer, step: Some(step.key.clone()), code, detail });
                }
            }
        }
        let cost = spending(&scheduled.plan, &meters);
        findings.extend(cost.iter().filter_map(over_in_all));
        findings.extend(cost.iter().filter_map(|spending| over_the_day(spending, &reading.facts.day)));
        findings.extend(nothing_ahead(content, self.zones(), scheduled.scheduled_for));
        Ok(DryRun::of(findings, cost))
    }

    /// A run that is never written down.
    async fn imagined(&self, content: &Content, scope: &str, plan: RunPlan) -> Result<Scheduled, Fault> {
        Ok(Scheduled {
            run_id: format!("dry-run-{}", crate::engine::mint::id()),
            definition_id: String::new(),
            definition_version: 0,
            title: content.title.clone(),
            scope: scope.to_owned(),
            slot: None,
            generation: 0,
            scheduled_for: self.clock.now().await?,
            timezone: content.timezone.clone(),
            moved_from: None,
            dst_adjusted: None,
            grace_seconds: u64::from(content.grace_seconds),
            concurrency_key: None,
            rehearsal: true,
            hops: 0,
            params: Map::new(),
            plan,
        })
    }

    /// What speaks against this step: the deployment first, then the module.
    async fn objection(
        &self,
        reading: &Reading,
        scheduled: &Scheduled,
        step: &PlannedStep,
        meters: &[Meter],
    ) -> Option<(String, String)> {
        let Some(facts) = reading.facts.actions.get(&step.action) else {
            return Some(("module_missing".into(), format!("no installed module offers {}", step.action)));
        };
        if facts.version != step.action_version {
            let detail = format!(
                "it was authored against version {} of {}, and version {} is installed",
                step.action_version, step.action, facts.version
            );
            return Some(("action_version".into(), detail));
        }
        // Neither a stop nor what the day has seen so far says anything about the plan.
        let (cost, day) = (&step.cost, &BTreeMap::new());
        let invocation = Invocation { asker: Asker::Runner, action: facts, cost, meters, day, stopped: None, rehearsal: false };
        if let Err(denied) = may_invoke(&invocation) {
            return Some((denied.code().into(), denied.to_string()));
        }
        let budget = Duration::from_millis(step.budget_ms);
        let asked = tokio::time::timeout(budget, self.ask_to_verify(scheduled, step)).await;
        let failure =
            asked.unwrap_or_else(|_| Some(Failure::unknown("no_answer", format!("no answer within {} ms", step.budget_ms))));
        failure.map(|failure| (failure.code, failure.reason))
    }

    async fn ask_to_verify(&self, scheduled: &Scheduled, step: &PlannedStep) -> Option<Failure> {
        let key = perform_key(&scheduled.run_id, &step.key);
        let missing = || Failure::refused("module_missing", format!("module {} is not installed", step.module));
        if let Some(lease) = &step.lease {
            let registry = self.registry();
            let Some((_, module)) = registry.lease(&lease.id) else { return Some(missing()) };
            let request = LeaseApply {
                lease: lease.id.clone(),
                scope: scheduled.scope.clone(),
                run_id: scheduled.run_id.clone(),
                value: lease.value.clone(),
                hold_ms: lease.hold_seconds.saturating_mul(1_000),
                until_ms: 0,
                idempotency_key: key,
                fence: 0,
                ttl_ms: step.budget_ms,
                verify: true,
                mark: None,
            };
            return match module.lease_apply(request).await {
                LeaseApplied::Acceptable { .. } => None,
                LeaseApplied::Applied { .. } => {
                    Some(Failure::refused("odd_answer", "the module changed the value although it was asked to verify only"))
                }
                LeaseApplied::Failed(failure) => Some(failure),
            };
        }
        let registry = self.registry();
        let Some((_, module)) = registry.action(&step.action) else { return Some(missing()) };
        let request = Perform {
            action: step.action.clone(),
            run_id: scheduled.run_id.clone(),
            step: step.key.clone(),
            idempotency_key: key,
            scope: scheduled.scope.clone(),
            params: step.params.clone(),
            fence: 0,
            ttl_ms: step.budget_ms,
            actor: "runner".into(),
            verify: true,
            mark: None,
            ceiling: None,
        };
        match module.perform(request).await {
            Performed::Done(_) => None,
            Performed::Failed(failure) => Some(failure),
        }
    }
}

impl DryRun {
    fn of(findings: Vec<Finding>, cost: Vec<Spending>) -> Self {
        Self { ok: findings.is_empty(), findings, cost }
    }
}

fn of_fault(fault: &BodyFault) -> Finding {
    Finding { pointer: fault.pointer.clone(), step: None, code: fault.code.to_owned(), detail: fault.detail.clone() }
}

/// A schedule whose last instant is over, grace and all, starts nothing.
fn nothing_ahead(content: &Content, zones: &Zones, now: DateTime<Utc>) -> Option<Finding> {
    let schedule = &content.plan.schedule;
    let zone = zones.find(&content.timezone).ok()?;
    let reaches = now - TimeDelta::seconds(i64::from(content.grace_seconds));
    if !schedule.starts_by_itself() || occurrences(schedule, &zone, reaches).next().is_some() {
        return None;
    }
    let (pointer, what) = match schedule {
        Schedule::Once { at } => {
            ("/spec/schedule/at", format!("{at} in {} was at {}, and the grace", content.timezone, place(*at, &zone).at))
        }
        _ => ("/spec/schedule", "the last occurrence was before now, and its grace".to_owned()),
    };
    let detail = format!("{what} is over: the schedule starts nothing any more");
    Some(Finding { pointer: pointer.into(), step: None, code: "nothing_ahead".into(), detail })
}

/// Three steps that each fit may together be too much; only a look at the whole plan tells.
fn over_in_all(spending: &Spending) -> Option<Finding> {
    let cap = spending.cap.filter(|cap| spending.asked > *cap)?;
    let from = spending.cap_from.as_deref().unwrap_or("the deployment");
    let detail =
        format!("the whole plan spends {} of {}, and {from} allows {cap} in one run", spending.asked, spending.dimension);
    Some(Finding { pointer: "/spec".into(), step: None, code: "over_cap".into(), detail })
}

/// More than a whole day may see cannot be spent on any.
fn over_the_day(spending: &Spending, day: &BTreeMap<String, DayMeter>) -> Option<Finding> {
    let cap = day.get(&spending.dimension).map(|meter| meter.cap).filter(|cap| spending.asked > *cap)?;
    let detail = format!(
        "the whole plan spends {} of {}, and the deployment allows {cap} in one day, all runs together",
        spending.asked, spending.dimension
    );
    Some(Finding { pointer: "/spec".into(), step: None, code: "over_day_cap".into(), detail })
}

fn spending(plan: &RunPlan, meters: &[Meter]) -> Vec<Spending> {
    let mut asked: BTreeMap<&str, u64> = BTreeMap::new();
    for (_, step) in plan.steps() {
        for (dimension, amount) in &step.cost {
            let sum = asked.entry(dimension).or_default();
            *sum = sum.saturating_add(*amount);
        }
    }
    let of = |meter: &Meter| Spending {
        dimension: meter.dimension.clone(),
        asked: asked.get(meter.dimension.as_str()).copied().unwrap_or(0),
        cap: meter.cap,
        cap_from: meter.cap_from.clone(),
    };
    meters.iter().map(of).collect()
}

//! What all runs together may draw in a day.

use std::collections::BTreeSet;

use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, Utc};
use leasehold_aggregates::allowance::{Allowance, Counted};
use leasehold_aggregates::decide::{Refusal, RefusalKind};
use leasehold_aggregates::deployment::{DEPLOYMENT, Deployment, DeploymentCommand};
use serde::Serialize;

use super::again::again;
use super::streams::{Loaded, load, stream};
use super::{Act, Engine, Fault};
use crate::log::{Log, LogError};

/// One dimension with what bounds a day of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DayAllowance {
    pub dimension: String,
    /// The dimension's id where no module declares it any more.
    pub label: String,
    pub unit: Option<String>,
    /// Absent: the day bounds nothing.
    pub per_day: Option<u64>,
    /// Today, in UTC.
    pub day: NaiveDate,
    /// Today so far, whether the day is bounded or not.
    pub drawn: u64,
}

/// A day of what no module declares is not bounded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no module declares the dimension {0:?}")]
pub struct UnknownDimension(pub String);

impl Refusal for UnknownDimension {
    fn code(&self) -> &'static str {
        "unknown_dimension"
    }

    fn kind(&self) -> RefusalKind {
        RefusalKind::Invalid
    }

    fn pointer(&self) -> Option<String> {
        Some("/dimension".to_owned())
    }
}

/// What was drawn on a day before its stream was kept, where that is not in the stream yet: nobody counts what nothing bounds.
///
/// It rests on the log alone, up to where the day was bounded or the stream ends, whichever comes later: from there on every draw
/// is in the stream, or conflicts with whoever decides by this.
pub(in crate::engine) async fn counted(
    log: &Log,
    deployment: &Deployment,
    allowance: &Loaded<Allowance>,
    dimension: &str,
    at: DateTime<Utc>,
) -> Result<Option<Counted>, LogError> {
    let Some(capped_by) = deployment.day_capped_by(dimension).filter(|by| !allowance.state.is_counted(*by)) else {
        return Ok(None);
    };
    let bounded = log.position_of(&stream::<Deployment>(DEPLOYMENT), capped_by).await?.unwrap_or(0);
    let kept = log.position_of(&allowance.stream(), allowance.sequence).await?.unwrap_or(0);
    let drawn = drawn_until(log, dimension, at.date_naive(), bounded.max(kept)).await?;
    Ok(Some(Counted { capped_by, drawn }))
}

/// What the claims of a day have drawn on a dimension, up to a position.
async fn drawn_until(log: &Log, dimension: &str, day: NaiveDate, position: u64) -> Result<u64, LogError> {
    let begins = day.and_time(NaiveTime::MIN).and_utc();
    if log.instant_of(position).await?.is_none_or(|at| at < begins) {
        return Ok(0);
    }
    // Commands that overtook each other are recorded in their other order, and clocks are set: a day more is looked at.
    let from = log.reached(begins - TimeDelta::days(1), position).await?.unwrap_or(0);
    log.drawn_between(dimension, day, from, position).await
}

impl Engine {
    /// Every dimension that a module declares or a day bounds, by its id.
    pub async fn allowances(&self) -> Result<Vec<DayAllowance>, Fault> {
        let (now, deployment): (_, Loaded<Deployment>) = (self.clock.now().await?, load(&self.log, DEPLOYMENT).await?);
        let caps = deployment.state.day_caps();
        let registry = self.registry();
        let dimensions: BTreeSet<String> = registry.dimensions().into_iter().chain(caps.keys().cloned()).collect();
        let head = self.log.head().await?.map_or(0, |head| head.position);
        let mut allowances = Vec::new();
        for dimension in dimensions {
            let budget = registry.budget(&dimension);
            allowances.push(DayAllowance {
                label: budget.map_or_else(|| dimension.clone(), |budget| budget.label.clone()),
                unit: budget.map(|budget| budget.unit.clone()),
                per_day: caps.get(&dimension).copied(),
                day: now.date_naive(),
                drawn: drawn_until(&self.log, &dimension, now.date_naive(), head).await?,
                dimension,
            });
        }
        Ok(allowances)
    }

    /// Bounds a day of one dimension, or takes the bound away; gives the log's position. What the day has seen drawn already
    /// counts.
    pub async fn cap_day(&self, act: &Act, dimension: &str, cap: Option<u64>) -> Result<u64, Fault> {
        if cap.is_some() && self.registry().budget(dimension).is_none() {
            return Err(Fault::refused(UnknownDimension(dimension.to_owned())));
        }
        let command = || DeploymentCommand::CapDay { dimension: dimension.to_owned(), cap };
        again(self, || self.deploy(act, command(), None)).await
    }
}

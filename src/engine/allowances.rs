//! What all runs together may draw in a day.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use leasehold_aggregates::allowance::{Allowance, allowance_id};
use leasehold_aggregates::decide::{Refusal, RefusalKind};
use leasehold_aggregates::deployment::{DEPLOYMENT, Deployment, DeploymentCommand};
use serde::Serialize;

use super::again::again;
use super::streams::{Loaded, load};
use super::{Act, Engine, Fault};

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
    /// Today so far, since the day is bounded.
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

impl Engine {
    /// Every dimension that a module declares or a day bounds, by its id.
    pub async fn allowances(&self) -> Result<Vec<DayAllowance>, Fault> {
        let (now, deployment): (_, Loaded<Deployment>) = (self.clock.now().await?, load(&self.log, DEPLOYMENT).await?);
        let caps = deployment.state.day_caps();
        let dimensions: BTreeSet<String> = self.registry().dimensions().into_iter().chain(caps.keys().cloned()).collect();
        let mut allowances = Vec::new();
        for dimension in dimensions {
            let today: Loaded<Allowance> = load(&self.log, &allowance_id(&dimension, now)).await?;
            let registry = self.registry();
            let budget = registry.budget(&dimension);
            allowances.push(DayAllowance {
                label: budget.map_or_else(|| dimension.clone(), |budget| budget.label.clone()),
                unit: budget.map(|budget| budget.unit.clone()),
                per_day: caps.get(&dimension).copied(),
                day: now.date_naive(),
                drawn: today.state.drawn(),
                dimension,
            });
        }
        Ok(allowances)
    }

    /// Bounds a day of one dimension, or takes the bound away; gives the log's position. What was drawn before it was bounded
    /// is not counted.
    pub async fn cap_day(&self, act: &Act, dimension: &str, cap: Option<u64>) -> Result<u64, Fault> {
        if cap.is_some() && self.registry().budget(dimension).is_none() {
            return Err(Fault::refused(UnknownDimension(dimension.to_owned())));
        }
        let command = || DeploymentCommand::CapDay { dimension: dimension.to_owned(), cap };
        again(self, || self.deploy(act, command(), None)).await
    }
}

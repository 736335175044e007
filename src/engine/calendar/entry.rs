use chrono::{DateTime, NaiveDateTime, Utc};
use leasehold_aggregates::zones::{DstAdjusted, Zones};
use leasehold_projections::runs::RunEntry;
use schemars::JsonSchema;
use serde::Serialize;

use super::Forecast;

/// One line of a calendar.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    Run(Box<RunEntry>),
    Forecast(Box<Forecast>),
}

/// Which of the two it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// There is a run: it has a status, and somebody can cancel it.
    Run,
    /// There is none yet: this is what the schedule says.
    Projection,
}

impl Entry {
    pub fn kind(&self) -> Kind {
        match self {
            Self::Run(_) => Kind::Run,
            Self::Forecast(_) => Kind::Projection,
        }
    }

    /// The id of the run; of a forecast, the id that its run would have.
    pub fn id(&self) -> &str {
        match self {
            Self::Run(run) => &run.summary.id,
            Self::Forecast(forecast) => &forecast.id,
        }
    }

    pub fn definition_id(&self) -> &str {
        match self {
            Self::Run(run) => &run.summary.definition_id,
            Self::Forecast(forecast) => &forecast.listing.id,
        }
    }

    pub fn at(&self) -> DateTime<Utc> {
        match self {
            Self::Run(run) => run.summary.scheduled_for,
            Self::Forecast(forecast) => forecast.occurrence.at,
        }
    }

    /// Of the definition.
    pub fn version(&self) -> u64 {
        match self {
            Self::Run(run) => run.summary.version,
            Self::Forecast(forecast) => forecast.listing.version,
        }
    }

    pub fn title(&self) -> &str {
        match self {
            Self::Run(run) => &run.summary.title,
            Self::Forecast(forecast) => &forecast.listing.content.title,
        }
    }

    pub fn timezone(&self) -> &str {
        match self {
            Self::Run(run) => &run.summary.timezone,
            Self::Forecast(forecast) => &forecast.listing.content.timezone,
        }
    }

    pub fn dst_adjusted(&self) -> Option<DstAdjusted> {
        match self {
            Self::Run(run) => run.summary.dst_adjusted,
            Self::Forecast(forecast) => forecast.occurrence.dst_adjusted,
        }
    }

    /// The authored wall clock that it stands for; none for a start by hand.
    pub fn slot(&self) -> Option<String> {
        match self {
            Self::Run(run) => run.summary.slot.clone(),
            Self::Forecast(forecast) => Some(forecast.occurrence.local.to_string()),
        }
    }

    /// What the clocks of its own zone show at its instant; none where the zone is not known any more.
    pub fn local(&self, zones: &Zones) -> Option<NaiveDateTime> {
        zones.find(self.timezone()).ok().map(|zone| zone.wall_clock(self.at()))
    }

    pub fn run(&self) -> Option<&RunEntry> {
        match self {
            Self::Run(run) => Some(run),
            Self::Forecast(_) => None,
        }
    }
}

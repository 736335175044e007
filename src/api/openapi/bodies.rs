//! Bodies that handlers read field by field: their schemas, which nothing is read into.

#![allow(dead_code, reason = "schemas are made of these, and never values")]

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use leasehold_aggregates::definition::Content;
use leasehold_aggregates::deployment::StopRuns;
use leasehold_aggregates::schedule::{LocalDateTime, Schedule};
use schemars::JsonSchema;
use serde_json::{Map, Value};

/// A definition, as it is posted and as its draft is read.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct DefinitionBody {
    #[schemars(flatten)]
    content: Content,
    slug: String,
    series_id: Option<String>,
    series_order: Option<i64>,
}

/// Which run is to be started.
#[derive(JsonSchema)]
pub struct Start {
    params: Option<Map<String, Value>>,
    scope: Option<String>,
    rehearsal: Option<bool>,
}

/// Where and with what a version is tried.
#[derive(JsonSchema)]
pub struct DryRun {
    params: Option<Map<String, Value>>,
    scope: Option<String>,
}

/// Why a run ends, and whether what it holds is given back (it is, where left out).
#[derive(JsonSchema)]
pub struct Cancel {
    reason: Option<String>,
    cleanup: Option<bool>,
}

/// Whose account a member of events is; null: nobody's.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct Link {
    #[schemars(required)]
    account_id: Option<String>,
}

/// Why somebody does it, if that is to be kept.
#[derive(JsonSchema)]
pub struct Why {
    /// At most 2,000 characters.
    reason: Option<String>,
}

/// What somebody has to say about what they did.
#[derive(JsonSchema)]
pub struct Confirm {
    note: Option<String>,
}

/// One row of the switchboard.
#[derive(JsonSchema)]
pub struct Switch {
    action: String,
    enabled: bool,
    /// What one run may spend, by dimension; null is no bound.
    caps: Option<BTreeMap<String, Option<u64>>>,
}

/// A schedule that is looked at before it is saved.
#[derive(JsonSchema)]
pub struct Preview {
    schedule: Schedule,
    timezone: String,
    from: DateTime<Utc>,
    to: DateTime<Utc>,
}

/// An arc that definitions belong to.
#[derive(JsonSchema)]
pub struct Arc {
    /// Frozen once it is made; another one than it has is refused.
    slug: Option<String>,
    name: String,
    /// At most 2,000 characters.
    description: Option<String>,
    /// Its place among the arcs, 0 to 1,000,000.
    order: Option<u32>,
}

/// What becomes another in a copy.
#[derive(JsonSchema)]
pub struct Copy {
    slug: String,
    title: Option<String>,
    /// Of this version; of the draft where it is left out.
    version: Option<u64>,
}

/// Why something is done.
#[derive(JsonSchema)]
pub struct Reason {
    /// 1 to 2,000 characters.
    reason: String,
}

/// Where an occurrence is moved, and why.
#[derive(JsonSchema)]
pub struct Move {
    /// A wall clock in the definition's zone.
    to: LocalDateTime,
    reason: String,
}

/// One stop for everything, and why.
#[derive(JsonSchema)]
pub struct Stop {
    /// Paused, where left out.
    runs: Option<StopRuns>,
    /// 1 to 2,000 characters.
    reason: String,
}

/// What all runs together may draw of a dimension in a day of UTC; null is no bound.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct DayCap {
    dimension: String,
    per_day: Option<u64>,
}

/// A plan as far as it is typed.
#[derive(JsonSchema)]
pub struct Price {
    /// As in a definition; what is missing in it is told, and not refused.
    spec: Value,
    /// Values of its parameters; its defaults, where left out.
    params: Option<Map<String, Value>>,
}

/// A window in which nothing starts, and why.
#[derive(JsonSchema)]
pub struct Freeze {
    from: DateTime<Utc>,
    to: DateTime<Utc>,
    reason: String,
}

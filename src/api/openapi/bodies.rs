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

/// What a link that dials in asks: what is wanted of it. Without a session it begins one.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct LinkPoll {
    session: Option<String>,
    /// The last request that it has taken; those up to it are not given again.
    #[schemars(range(min = 0, max = i64::MAX))]
    after: Option<i64>,
    /// For how long it waits where there is nothing, in milliseconds.
    #[schemars(range(min = 0, max = 30_000))]
    wait_ms: Option<i64>,
}

/// What is wanted of a link.
#[derive(JsonSchema)]
pub struct LinkPolled {
    session: String,
    requests: Vec<LinkRequest>,
}

/// One request, as it would have been made of a link that is reached.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct LinkRequest {
    n: u64,
    method: String,
    path: String,
    headers: BTreeMap<String, String>,
    /// Null where there is none.
    body: Value,
    /// For how long it has waited here.
    held_ms: u64,
}

/// What came of requests, by their numbers.
#[derive(JsonSchema)]
pub struct LinkAnswers {
    session: String,
    #[schemars(length(max = 256))]
    answers: Vec<LinkAnswer>,
}

/// What came of one.
#[derive(JsonSchema)]
pub struct LinkAnswer {
    #[schemars(range(min = 0, max = i64::MAX))]
    n: i64,
    #[schemars(range(min = 200, max = 599))]
    status: u16,
    body: Value,
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

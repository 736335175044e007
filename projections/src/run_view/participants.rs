//! Who took part.

use chrono::{DateTime, Utc};
use leasehold_aggregates::run::{Run, standings};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use uuid::Uuid;

/// The most that a view names.
const MOST: usize = 100;

/// Somebody who took part.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ParticipantView {
    pub member: Uuid,
    /// What the game calls the member, told as it lies beside the log now: null where it was erased, or may not be read.
    pub member_key: Option<String>,
    /// The account of the person, where one is linked now.
    pub account_id: Option<String>,
    /// A decimal as text.
    pub score: String,
    /// Null until the result is published.
    pub rank: Option<u64>,
    pub joined_at: Option<DateTime<Utc>>,
    pub meta: Map<String, Value>,
}

pub(super) fn participants(run: &Run) -> Vec<ParticipantView> {
    let rank = |member: Uuid| run.places.iter().position(|place| place.member == member).map(|nth| nth as u64 + 1);
    let view = |member: Uuid| {
        let told = run.participants.get(&member)?;
        let (score, joined_at, meta) = (told.score.clone(), told.joined_at, told.meta.clone());
        Some(ParticipantView { member, member_key: None, account_id: None, score, rank: rank(member), joined_at, meta })
    };
    standings(run).into_iter().take(MOST).filter_map(|place| view(place.member)).collect()
}

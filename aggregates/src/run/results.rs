//! Who took part, and the result. A module tells, and the engine orders by a number that it never interprets.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use leasehold_module::{ParamType, compare};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::Run;
use super::event::{Placing, Reported, RunEvent};
use super::refusal::{Decided, RunRefusal};
use super::status::RunStatus;

/// The engine's own action that publishes the result.
pub const PUBLISH_ACTION: &str = "core.results.publish";
/// The most that one run may have.
pub const MOST_PARTICIPANTS: usize = 100_000;

/// What was told of one member last.
#[derive(Debug, Clone, PartialEq)]
pub struct Participation {
    pub score: String,
    pub joined_at: Option<DateTime<Utc>>,
    pub meta: Map<String, Value>,
    /// The step whose answer told it.
    pub step: String,
}

/// Whether the run would have more than it may.
pub(super) fn too_many(run: &Run, told: &[Reported]) -> bool {
    let new: BTreeSet<Uuid> = told.iter().map(|one| one.member).filter(|member| !run.participants.contains_key(member)).collect();
    run.participants.len() + new.len() > MOST_PARTICIPANTS
}

/// What of this is new, each member once: of several the last counts.
pub(super) fn reported(run: &Run, at: DateTime<Utc>, step: &str, told: Vec<Reported>) -> Option<RunEvent> {
    let last: BTreeMap<Uuid, Reported> = told.into_iter().map(|one| (one.member, one)).collect();
    let known = |one: &Reported| {
        let same = |known: &Participation| known.score == one.score && known.joined_at == one.joined_at && known.meta == one.meta;
        run.participants.get(&one.member).is_some_and(same)
    };
    let participants: Vec<Reported> = last.into_values().filter(|one| !known(one)).collect();
    (!participants.is_empty()).then(|| RunEvent::ParticipantsReported { at, step: step.to_owned(), participants })
}

/// The same result again is no news.
pub(super) fn published(run: &Run, at: DateTime<Utc>, step: Option<&str>) -> Option<RunEvent> {
    let places = standings(run);
    let news = run.results_published_at.is_none() || *run.places != places;
    news.then(|| RunEvent::ResultsPublished { at, step: step.map(str::to_owned), places })
}

/// A person publishes what was told so far.
pub(super) fn publish(run: &Run, at: DateTime<Utc>) -> Decided {
    if run.started_at.is_none() || run.status == RunStatus::Scheduled {
        return Err(RunRefusal::NotNow { verb: "publish results of", status: run.status });
    }
    Ok(published(run, at, None).into_iter().collect())
}

/// Everybody in order: the higher score first, of equal scores who came earlier, and of those too the lower member id.
pub fn standings(run: &Run) -> Vec<Placing> {
    let mut all: Vec<(&Uuid, &Participation)> = run.participants.iter().collect();
    all.sort_by(|a, b| before(*a, *b));
    all.into_iter().map(|(member, told)| Placing { member: *member, score: told.score.clone() }).collect()
}

fn before((a, one): (&Uuid, &Participation), (b, other): (&Uuid, &Participation)) -> Ordering {
    let higher = compare(ParamType::Float, &other.score, &one.score).unwrap_or(Ordering::Equal);
    let earlier = match (one.joined_at, other.joined_at) {
        (Some(one), Some(other)) => one.cmp(&other),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    };
    higher.then(earlier).then(a.cmp(b))
}

pub(super) fn keep(run: &mut Run, step: &str, told: Vec<Reported>) {
    let participants = std::sync::Arc::make_mut(&mut run.participants);
    for Reported { member, score, joined_at, meta } in told {
        participants.insert(member, Participation { score, joined_at, meta, step: step.to_owned() });
    }
}

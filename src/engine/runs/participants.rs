//! From what a module tells of whoever took part to what the log may keep: members by ids of our own.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use chrono::{DateTime, Datelike, Utc};
use leasehold_aggregates::run::{MOST_PARTICIPANTS, Reported};
use leasehold_module::{Participant, score};
use serde_json::{Map, Value};

use crate::engine::{Engine, Fault, mint};

/// Most characters of a member's key, and of a name among the numbers.
const LONGEST_KEY: usize = 128;
const LONGEST_NAME: usize = 64;
/// The years in which anybody can have come.
const YEARS: RangeInclusive<i32> = 1970..=2099;
/// Most numbers that a score is made of.
const MOST_NUMBERS: usize = 16;

/// Why an answer that tells this is no answer.
pub(super) fn check(told: &[Participant]) -> Result<(), String> {
    if told.len() > MOST_PARTICIPANTS {
        return Err(format!("the module told of {} participants; at most {MOST_PARTICIPANTS} are taken", told.len()));
    }
    told.iter().try_for_each(check_one)
}

fn check_one(told: &Participant) -> Result<(), String> {
    let characters = told.member_key.chars().count();
    if !(1..=LONGEST_KEY).contains(&characters) || told.member_key.contains('\0') {
        return Err(format!(
            "the module told of a participant whose key has {characters} characters; 1 to {LONGEST_KEY} are taken"
        ));
    }
    score(&told.score).map_err(|fault| format!("the module told of a score that is none: {fault}"))?;
    if told.joined_at.is_some_and(|at| !YEARS.contains(&at.year())) {
        return Err(format!("the module told of a participant who came outside the years {} to {}", YEARS.start(), YEARS.end()));
    }
    numbers(&told.meta)
}

fn numbers(meta: &Map<String, Value>) -> Result<(), String> {
    let named = |name: &String| (1..=LONGEST_NAME).contains(&name.chars().count()) && !name.contains('\0');
    if meta.len() <= MOST_NUMBERS && meta.iter().all(|(name, value)| named(name) && value.is_number()) {
        return Ok(());
    }
    Err(format!("what the module told a score to be made of is not at most {MOST_NUMBERS} numbers by name"))
}

impl Engine {
    /// What was told, by member ids; a key that is new is given one. Of a key that is told twice the last counts.
    pub(super) async fn told_of(&self, module: &str, told: &[Participant], at: DateTime<Utc>) -> Result<Vec<Reported>, Fault> {
        let by_key: BTreeMap<&String, &Participant> = told.iter().map(|one| (&one.member_key, one)).collect();
        let keys: Vec<String> = by_key.keys().map(|key| (*key).clone()).collect();
        let ids: Vec<_> = keys.iter().map(|_| mint::id()).collect();
        let members = self.log.members_of(module, &keys, &ids, at).await?;
        let reported = |(key, one): (&String, &Participant)| {
            Some(Reported {
                member: *members.get(key)?,
                score: score(&one.score).ok()?,
                joined_at: one.joined_at,
                meta: one.meta.clone(),
            })
        };
        Ok(by_key.into_iter().filter_map(|(key, one)| reported((key, one))).collect())
    }
}

//! The judge: what the log says against what the calendar wanted and what the game's audit saw.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, SecondsFormat, Utc};

use super::days::Days;
use super::programme::{BOSSES, CAP, FREEZE, Item, SATURDAY, SUNDAY};
use super::recorded::{Fact, Told, facts, runs};
use super::world;

pub async fn judge(days: &Days) {
    let facts = facts(days.world.log().await).await;
    let runs = runs(&facts);
    let outcomes = every_occurrence_is_told(days, &facts, &runs);
    the_engine_tells_the_same(days, &outcomes).await;
    nothing_is_early_or_twice(&runs);
    nobody_is_where_somebody_else_is(&runs);
    nothing_starts_in_the_freeze(&runs);
    gates_take_what_they_need(days, &runs);
    no_cap_is_exceeded(&runs);
    what_is_confirmed_and_held_waits(days, &runs);
    world::judge(days, &facts, &runs).await;
    it_was_a_fortnight_of_mixed_events(days, &outcomes, &runs);
}

/// What became of one slot: begun, or the reason why not.
pub type Outcomes = BTreeMap<(String, String), String>;

/// Executed and not executed are together what the calendar says, no more and no less, each with one story.
fn every_occurrence_is_told(days: &Days, facts: &[Fact], runs: &BTreeMap<String, Told>) -> Outcomes {
    let mut outcomes = Outcomes::new();
    for item in &days.items {
        let expected = item.slots(days.from, days.to);
        let of_item = || runs.values().filter(|told| told.definition == item.id);
        for (slot, at) in &expected {
            let told: Vec<&Told> = of_item().filter(|told| told.slot.as_deref() == Some(slot)).collect();
            assert!(told.len() <= 1, "{} {slot} has several runs: {told:#?}", item.slug);
            let outcome = match told.first() {
                Some(told) => outcome_of_run(told, item, slot),
                None => outcome_without_run(facts, item, slot),
            };
            let moved = item.slug == "night" && *slot == format!("{SUNDAY}T12:30");
            let due = told.first().and_then(|told| told.scheduled_for);
            assert!(moved || due.is_none_or(|due| due == *at), "{} {slot} is due at {due:?} and not at {at}", item.slug);
            outcomes.insert((item.slug.to_owned(), slot.clone()), outcome);
        }
        let known: BTreeSet<&str> = expected.iter().map(|(slot, _)| slot.as_str()).collect();
        for told in of_item().filter(|told| told.started.is_some()) {
            let slot = told.slot.as_deref();
            assert!(slot.is_none_or(|slot| known.contains(slot)), "{} has begun at {slot:?}, which nobody wanted", item.slug);
            assert!(slot.is_some() || item.by_hand(), "{} was started by nobody's hand", item.slug);
        }
    }
    outcomes
}

fn outcome_of_run(told: &Told, item: &Item, slot: &str) -> String {
    if told.started.is_some() {
        return "executed".to_owned();
    }
    let Some((_, end, cause)) = &told.ended else { panic!("{} {slot} neither began nor says why not", item.slug) };
    let cause = cause.as_str().or_else(|| cause["cause"].as_str()).unwrap_or(end);
    cause.to_owned()
}

fn outcome_without_run(facts: &[Fact], item: &Item, slot: &str) -> String {
    let of_slot = |fact: &&Fact| fact.stream == ("definition".to_owned(), item.id.clone()) && fact.payload["slot"] == slot;
    let mut said = facts.iter().filter(of_slot).map(|fact| match fact.name.as_str() {
        "occurrence_withheld" => fact.payload["cause"].as_str().unwrap().to_owned(),
        "occurrence_skipped" => "skipped".to_owned(),
        other => panic!("{} {slot}: {other}", item.slug),
    });
    said.next().unwrap_or_else(|| panic!("{} {slot} has no run, and nothing says why", item.slug))
}

/// The engine's own account has the same rows with the same ends.
async fn the_engine_tells_the_same(days: &Days, outcomes: &Outcomes) {
    let head = days.world.log().await.head().await.unwrap().unwrap().position;
    let text = |instant: &DateTime<Utc>| instant.to_rfc3339_opts(SecondsFormat::Secs, true);
    let (mut told, mut token) = (Outcomes::new(), String::new());
    loop {
        let path = format!("/occurrences?from={}&to={}&minPosition={head}{token}", text(&days.from), text(&days.to));
        let page = days.world.engine.api.get(&path).await.yes();
        for row in page["items"].as_array().unwrap() {
            let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
            let outcome = if row["outcome"] == "executed" { "executed".to_owned() } else { text("cause") };
            assert_ne!(row["outcome"], "ahead", "{row}");
            let known = told.insert((text("slug"), text("slot")), outcome);
            assert_eq!(known, None, "told twice: {row}");
        }
        match page["nextPageToken"].as_str() {
            Some(next) => token = format!("&pageToken={next}"),
            None => break,
        }
    }
    let spoken = outcomes.iter().map(|(slot, outcome)| {
        let outcome = if outcome == "grace_passed" { "missed" } else { outcome };
        (slot.clone(), outcome.to_owned())
    });
    assert_eq!(told, spoken.collect(), "the engine's account, and what its log says");
}

fn nothing_is_early_or_twice(runs: &BTreeMap<String, Told>) {
    for (id, told) in runs {
        assert!(told.starts <= 1, "{id} began {} times", told.starts);
        let Some((_, at)) = told.started else {
            assert!(told.claims.is_empty(), "{id} did something and never began");
            continue;
        };
        assert!(told.slot.is_none() || Some(at) >= told.scheduled_for, "{id} began early: {told:#?}");
        assert!(told.ended.is_some(), "{id} never ended: {told:#?}");
        let steps: BTreeSet<&str> = told.claims.iter().map(|claim| claim.step.as_str()).collect();
        for step in steps {
            let attempts: Vec<u64> = told.claims.iter().filter(|claim| claim.step == step).map(|claim| claim.attempt).collect();
            assert!(attempts.is_sorted_by(|a, b| a < b), "{id} {step}: attempts {attempts:?}");
            assert!(told.settled.contains(step), "{id} {step} was claimed and never settled: {told:#?}");
        }
    }
}

/// Runs of one concurrency key follow each other in the log.
fn nobody_is_where_somebody_else_is(runs: &BTreeMap<String, Told>) {
    let mut held: BTreeMap<&str, Vec<(i64, i64, &str)>> = BTreeMap::new();
    for (id, told) in runs {
        if let (Some(key), Some((from, _)), Some((to, _, _))) = (&told.concurrency_key, told.started, &told.ended) {
            held.entry(key).or_default().push((from, *to, id));
        }
    }
    assert!(held.contains_key(super::programme::ORCHARD));
    for (key, mut spans) in held {
        spans.sort_unstable();
        for pair in spans.windows(2) {
            assert!(pair[0].1 <= pair[1].0, "{key} was held by two at once: {pair:?}");
        }
    }
}

fn nothing_starts_in_the_freeze(runs: &BTreeMap<String, Told>) {
    let instant = |text: &str| text.parse::<DateTime<Utc>>().unwrap();
    let (from, to) = (instant(FREEZE.0), instant(FREEZE.1));
    for (id, told) in runs {
        assert!(told.started.is_none_or(|(_, at)| at < from || at >= to), "{id} began while nothing was to start: {told:#?}");
    }
}

/// What opened by signals took exactly as many as it needed, and nothing else took more; every gate opened once.
fn gates_take_what_they_need(days: &Days, runs: &BTreeMap<String, Told>) {
    let hunt = &days.items.iter().find(|item| item.slug == "hunt").unwrap().id;
    for (id, told) in runs {
        for (phase, by) in &told.gates {
            assert_eq!(by.len(), 1, "{id}: the gate of {phase} opened by {by:?}");
        }
        for (phase, ranges) in &told.counted {
            let (matched, tally) = (ranges.iter().map(|range| range.0).sum::<u64>(), ranges.last().unwrap().1);
            assert_eq!(matched, tally, "{id} {phase}: the ranges and the tally");
            let open = told.gates.get(phase).is_some_and(|by| by[0] == "condition");
            assert!(told.definition == *hunt && if open { tally == BOSSES } else { tally < BOSSES }, "{id} {phase}: {told:#?}");
        }
    }
}

/// By the log; the audit is asked for the same by [`world`].
fn no_cap_is_exceeded(runs: &BTreeMap<String, Told>) {
    for (id, told) in runs.iter().filter(|(_, told)| told.started.is_some()) {
        assert!(told.cap.is_none_or(|cap| cap == CAP), "{id} has another cap: {told:#?}");
        assert!(told.drawn() <= CAP, "{id} drew {}: {told:#?}", told.drawn());
    }
}

fn what_is_confirmed_and_held_waits(days: &Days, runs: &BTreeMap<String, Told>) {
    let of = |slug: &str| &days.items.iter().find(|item| item.slug == slug).unwrap().id;
    let first = |told: &Told, step: &str| told.claims.iter().find(|claim| claim.step == step).map(|claim| claim.at);
    for (id, told) in runs {
        if told.definition == *of("harvest") {
            let (held, next) = (told.held.get("raid"), first(told, "farewell"));
            assert!(next.is_none_or(|next| held.is_some_and(|held| next >= *held)), "{id} did not wait: {told:#?}");
        }
        if told.definition == *of("trust") {
            let next = first(told, "cue");
            assert!(next.is_none() || told.confirmed.contains("raid"), "{id} went on without a person: {told:#?}");
        }
    }
}

/// A judge who has seen nothing has nothing to say: each of these has to have come.
fn it_was_a_fortnight_of_mixed_events(days: &Days, outcomes: &Outcomes, runs: &BTreeMap<String, Told>) {
    let times = |outcome: &str| outcomes.values().filter(|told| *told == outcome).count();
    let mut told: BTreeMap<&str, usize> = BTreeMap::new();
    for outcome in outcomes.values() {
        *told.entry(outcome).or_default() += 1;
    }
    println!("{} runs; occurrences {told:?}; {:?}", runs.len(), days.struck);
    for outcome in ["executed", "grace_passed", "frozen", "never_verified", "skipped"] {
        assert!(times(outcome) > 0, "none was {outcome}: {told:?}");
    }
    assert_eq!(outcomes[&("night".to_owned(), format!("{SATURDAY}T12:30"))], "skipped");
    assert_eq!(outcomes[&("parade".to_owned(), format!("{SUNDAY}T17:30"))], "frozen");
    assert!(days.items.iter().filter(|item| !item.verified && !item.by_hand()).all(|item| {
        outcomes.iter().filter(|((slug, _), _)| slug == item.slug).all(|(_, outcome)| outcome == "never_verified")
    }));
    for kind in [
        "an engine is killed",
        "an engine is killed and doomed",
        "an engine sleeps",
        "the game is killed",
        "the link is killed",
        "PostgreSQL is stopped",
    ] {
        assert!(days.struck.contains_key(kind), "{kind}: not by this seed; draw another");
    }
    let by_hand = |slug: &str| {
        let id = &days.items.iter().find(|item| item.slug == slug).unwrap().id;
        runs.values().filter(|told| told.definition == *id && told.started.is_some()).count()
    };
    assert!(by_hand("trust") > 0 && by_hand("greedy") > 0);
    let opened = runs.values().flat_map(|told| told.gates.values().flatten()).filter(|by| *by == "condition").count();
    assert!(opened > 0, "no gate opened by signals");
}

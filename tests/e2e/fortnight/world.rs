//! The world's side of it: the audit against the claims of the log, and what is left against the ledger.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest, Sha256};

use super::days::Days;
use super::programme::CAP;
use super::recorded::{Fact, Told};
use crate::world::Row;

pub async fn judge(days: &Days, facts: &[Fact], runs: &BTreeMap<String, Told>) {
    let audit = days.world.shard.audit();
    let applied: Vec<&Row> = audit.iter().filter(|row| row.outcome == "applied").collect();
    every_effect_is_once_and_on_record(&applied, runs);
    every_creature_is_in_the_ledger(&applied, facts);
    no_run_has_more_than_its_cap(&applied);
    nothing_is_left(days, facts, &audit).await;
}

/// The key that the specification gives a step's effect.
fn perform_key(run: &str, step: &str) -> String {
    let mut key = hex::encode(Sha256::digest(format!("{run}|{step}")));
    key.truncate(40);
    key
}

fn every_effect_is_once_and_on_record(applied: &[&Row], runs: &BTreeMap<String, Told>) {
    for (id, told) in runs {
        for claim in &told.claims {
            assert_eq!(claim.key, perform_key(id, &claim.step), "{id} {}", claim.step);
        }
    }
    let claimed = |told: &Told, key: &str| told.claims.iter().any(|claim| claim.key == key) || told.undo_keys.contains(key);
    let mut seen: BTreeMap<&str, &Row> = BTreeMap::new();
    for row in applied {
        let (Some(key), Some(run)) = (&row.key, &row.run_id) else { continue };
        let before = seen.insert(key, row);
        assert!(before.is_none_or(|before| row.repeats_in_vain(before)), "applied twice: {before:?}, {row:?}");
        let told = runs.get(run).unwrap_or_else(|| panic!("the log knows no such run: {row:?}"));
        assert!(claimed(told, key), "nobody has claimed {row:?}");
    }
    assert!(!seen.is_empty());
}

/// Each creature that a command made is a target of its own in the ledger, or is there under the step's key, which its undo
/// named: where the answer was lost, nobody has heard of its number.
fn every_creature_is_in_the_ledger(applied: &[&Row], facts: &[Fact]) {
    let named: BTreeSet<&str> =
        facts.iter().filter(|fact| fact.stream.0 == "ledger").map(|fact| fact.stream.1.as_str()).collect();
    let known = |reference: &str| named.iter().any(|stream| stream.ends_with(reference));
    let mut creatures = 0;
    for row in applied.iter().filter(|row| row.kind == "world.spawn") {
        for serial in row.detail["serials"].as_array().unwrap_or_else(|| panic!("{row:?}")) {
            creatures += 1;
            let by_key = row.key.as_deref().is_some_and(known);
            assert!(by_key || known(&format!("/{}", serial.as_str().unwrap())), "no ledger has {serial} of {row:?}");
        }
    }
    assert!(creatures > 0);
}

fn no_run_has_more_than_its_cap(applied: &[&Row]) {
    let mut made: BTreeMap<&str, u64> = BTreeMap::new();
    for row in applied.iter().filter(|row| row.kind == "world.spawn") {
        let count = row.detail["serials"].as_array().unwrap().len() as u64;
        *made.entry(row.run_id.as_deref().unwrap_or_default()).or_default() += count;
    }
    for (run, made) in made {
        assert!(made <= CAP, "{run} made {made} creatures");
    }
}

/// Nothing is up that the ledger does not name as unresolved, the value that was borrowed is what it was, and nothing is due.
async fn nothing_is_left(days: &Days, facts: &[Fact], audit: &[Row]) {
    let mut last: BTreeMap<&str, &str> = BTreeMap::new();
    for fact in facts.iter().filter(|fact| fact.stream.0 == "ledger") {
        last.insert(&fact.stream.1, &fact.name);
    }
    let unresolved: Vec<&str> = last.iter().filter(|(_, name)| **name != "target_reverted").map(|(stream, _)| *stream).collect();
    // Taken away after the game's last save, and brought back by it: that the game has forgotten, and nobody else can know.
    let boot = &days.world.shard.boot_id;
    let taken = audit.iter().filter(|row| row.kind == "world.despawn" && row.outcome == "applied" && row.boot_id != *boot);
    let returned: BTreeSet<&str> =
        taken.flat_map(|row| row.detail["removed"].as_array().into_iter().flatten()).filter_map(|one| one.as_str()).collect();
    let owned = days.world.shard.console("creatures --owned").await;
    for creature in owned["creatures"].as_array().unwrap() {
        let text = |place: &str| creature.pointer(place).and_then(|text| text.as_str()).unwrap_or_default();
        let named = |reference: &str| unresolved.iter().any(|stream| stream.ends_with(reference));
        let known = named(text("/serial")) || named(text("/owner/key"));
        assert!(known || returned.contains(text("/serial")), "nobody owns up to {creature}");
    }
    let leases = days.world.shard.console("leases").await;
    let held: Vec<_> = leases["leases"].as_array().unwrap().iter().filter(|lease| lease["held"]["expired"] == false).collect();
    assert!(held.is_empty(), "still borrowed: {held:?}");
    assert_eq!(days.world.shard.config("PlayerCaps.SkillCap").await, "1000");
    println!("{} ledger entries, {} unresolved; {} rows of audit", last.len(), unresolved.len(), audit.len());
}

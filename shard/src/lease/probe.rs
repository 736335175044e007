//! The self-check: does a value take effect? *Set, read back, restore* proves nothing, because a setting that does nothing reads back
//! too. Each value is changed on a copy, and what is looked at is what the game then does.

use super::{CATALOGUE, Offered};
use crate::{
    config::{Config, Rules},
    game::{blow_of, new_character},
    world::{Dial, Dials, Map, Place, Season, Status, World},
};
use std::collections::BTreeSet;

/// The longest that a spawner is watched, in seconds of its own time.
const WATCHED_SEC: i64 = 4000;

/// A value that was offered and is so no longer, or that was not and is now.
#[derive(Debug, PartialEq, Eq)]
pub struct Withdrawn {
    pub key: String,
    /// It takes effect again.
    pub back: bool,
}

/// What takes effect now, and what differs from before.
pub fn probe(before: &Offered, config: &Config, rules: &Rules, world: &World) -> (Offered, Vec<Withdrawn>) {
    let config_keys = CATALOGUE.iter().map(|lease| (lease.key, lease.min, lease.max));
    let offered = Offered {
        config: config_keys.filter(|(key, min, max)| key_works(config, rules, key, *min, *max)).map(|(key, ..)| key).collect(),
        dials: Dial::ALL.into_iter().filter(|dial| dial_works(*dial, &world.spawners.inert)).collect(),
        seasons: Season::ALL.into_iter().filter(|season| season_works(*season, &world.seasons.inert)).collect(),
    };
    let mut changed = Vec::new();
    differing(&before.config, &offered.config, |key| (*key).to_owned(), &mut changed);
    differing(&before.dials, &offered.dials, |dial| format!("object:*.{}", dial.name()), &mut changed);
    differing(&before.seasons, &offered.seasons, |season| format!("season:{season}.Status"), &mut changed);
    (offered, changed)
}

fn differing<T: Ord>(before: &BTreeSet<T>, now: &BTreeSet<T>, key: impl Fn(&T) -> String, into: &mut Vec<Withdrawn>) {
    into.extend(before.symmetric_difference(now).map(|of| Withdrawn { key: key(of), back: now.contains(of) }));
}

/// Whether the game does something else once the key is set, and the first thing again once it is put back.
fn key_works(config: &Config, rules: &Rules, key: &str, min: i64, max: i64) -> bool {
    let mut copy = config.clone();
    let Some(current) = copy.get(key).map(str::to_owned) else { return false };
    let other = if current == max.to_string() { min } else { max };
    let before = seen(&copy, rules, key);
    let moved = copy.set(key, &other.to_string()).is_ok() && seen(&copy, rules, key) != before;
    moved && copy.set(key, &current).is_ok() && seen(&copy, rules, key) == before
}

/// What an onlooker sees of a key: what a character comes to be like, how hard a blow lands, how many come in from one address.
fn seen(config: &Config, rules: &Rules, key: &str) -> i64 {
    let mut world = World::empty(1);
    let mut made = |name: &str| {
        let new = new_character(config, name.to_owned(), Some("192.0.2.1".to_owned()));
        world.create_player(new, rules.max_characters, rules.accounts_per_ip).ok()
    };
    match key {
        "PlayerCaps.SkillCap" => made("Aa").map_or(-1, |player| player.skill_cap),
        "PlayerCaps.StatCap" => made("Aa").map_or(-1, |player| player.stat_cap),
        "Combat.DamagePercent" => i64::from(blow_of(config, 100)),
        "Accounts.AccountsPerIp" => ["Aa", "Bb", "Cc"].into_iter().filter_map(&mut made).map(|_| 1).sum(),
        _ => -1,
    }
}

/// A spawner of one's own in an empty world, watched before and after its dial is turned.
fn dial_works(dial: Dial, inert: &BTreeSet<Dial>) -> bool {
    let turned = match dial {
        Dial::MaxCount => "5",
        Dial::MinDelay => "3600",
        Dial::MaxDelay => "86400",
        Dial::Running => "false",
    };
    watched(inert, None) != watched(inert, Some((dial, turned)))
}

/// How many creatures it has made in the end, and when the first one came.
fn watched(inert: &BTreeSet<Dial>, turn: Option<(Dial, &str)>) -> (usize, Option<i64>) {
    let mut world = World::empty(1);
    world.spawners.inert.clone_from(inert);
    let dials = Dials { max_count: 2, min_delay: 1, max_delay: 1, running: true };
    let spawner = world.place_spawner(None, Place { map: Map::Felucca, x: 100, y: 100 }, "deer".to_owned(), dials);
    if let Some((dial, text)) = turn {
        world.turn(spawner, dial, text);
    }
    let mut first = None;
    for second in (1..=WATCHED_SEC).step_by(2) {
        world.tick(second * 1000);
        if first.is_none() && world.creatures().count() > 0 {
            first = Some(second);
        }
    }
    (world.creatures().count(), first)
}

fn season_works(season: Season, inert: &BTreeSet<Season>) -> bool {
    let mut world = World::empty(1);
    world.seasons.inert.clone_from(inert);
    let before = world.seasons.pieces(season);
    world.set_season(season, Status::Active);
    let during = world.seasons.pieces(season);
    world.set_season(season, Status::Inactive);
    during > before && world.seasons.pieces(season) == before
}

//! Every wall clock within 26 hours of a change of the clocks.

use std::collections::BTreeMap;

use chrono_tz::Tz;
use leasehold_aggregates::zones::{Step, Zone, Zones};

use crate::clock::{ASKED, Walk, wall};
use crate::{placed, soak};

/// 1970-01-01 and 2100-01-01.
const YEARS: std::ops::Range<i64> = 0..4_102_444_800;

fn zones() -> Vec<(Tz, Zone)> {
    let zones = Zones::default();
    zones.names().into_iter().map(|name| (name.parse().unwrap(), zones.find(name).unwrap())).collect()
}

/// Walks around a change; the number of wall clocks that were asked for.
fn walk(tz: Tz, zone: &Zone, change: i64) -> usize {
    let walk = Walk::around(tz, change);
    let expected = walk.expected();
    for (local, second, adjusted) in &expected {
        let found = placed(zone, *local);
        assert_eq!(found, (*second, *adjusted), "{tz}, {local} on the wall, around {change}, by {} s", walk.step());
    }
    expected.len()
}

/// Seconds to either side of a change that a walk around it can see.
const SEEN: i128 = 4 * ASKED as i128 * 3_600;

/// What the walk around a change can see: offsets, and when they begin, counted from the change.
fn shape(steps: &[Step], index: usize) -> Vec<(i64, i64)> {
    let change = steps[index].from;
    let seen =
        |step: &&Step| i128::from(step.from) - i128::from(change) <= SEEN && i128::from(change) - i128::from(step.from) <= SEEN;
    let near = steps.iter().filter(seen).map(|step| (step.from - change, step.offset));
    [(change.rem_euclid(60), steps[index - 1].offset)].into_iter().chain(near).collect()
}

#[test]
fn the_first_instant_at_or_past_is_found_around_changes() {
    let zones = zones();
    let mut shapes = BTreeMap::new();
    let (mut changes, mut asked) = (0, 0);
    for (tz, zone) in &zones {
        for (index, step) in zone.steps().iter().enumerate().filter(|(_, step)| YEARS.contains(&step.from)) {
            changes += 1;
            if soak() {
                asked += walk(*tz, zone, step.from);
            } else {
                shapes.entry(shape(zone.steps(), index)).or_insert((*tz, zone, step.from));
            }
        }
    }
    for (tz, zone, change) in shapes.values() {
        asked += walk(*tz, zone, *change);
    }
    println!("{} zones, {changes} changes, {} shapes walked, {asked} wall clocks", zones.len(), shapes.len());
    assert!(zones.len() > 400 && changes > 20_000, "the zones are there");
    assert!(asked >= if soak() { changes * 3_000 } else { 100 * 3_000 }, "they were walked");
}

/// Looks between the changes of a table, too: nothing may be missing from it.
#[test]
fn no_change_is_missing() {
    let hours = if soak() { 1 } else { 24 * 13 + 5 };
    let mut looks = 0;
    for (tz, zone) in zones() {
        for second in YEARS.step_by(hours * 3_600) {
            let at = chrono::DateTime::from_timestamp(second, 0).unwrap();
            assert_eq!(second + zone.offset(at).num_seconds(), wall(tz, second), "{tz} at {at}");
            looks += 1;
        }
        for step in zone.steps().iter().filter(|step| YEARS.contains(&step.from)) {
            assert_eq!(wall(tz, step.from) - step.from, step.offset, "{tz} from {}", step.from);
            assert_ne!(wall(tz, step.from - 1) - (step.from - 1), step.offset, "{tz} before {}", step.from);
        }
    }
    assert!(looks > 1_000_000);
}

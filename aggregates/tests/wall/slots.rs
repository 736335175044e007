//! Slots at random: a million of them against what the zone data says of a wall clock directly, some by a walk.

use chrono_tz::Tz;
use leasehold_aggregates::zones::{Zone, Zones};

use crate::chance::Chance;
use crate::clock::{said, walked};
use crate::{placed, soak};

/// Minutes from 1970 to 2099.
const MINUTES: i64 = 4_102_444_800 / 60;

/// One slot of any minute, or of one within four hours of some change: those are what can go wrong.
fn slot(chance: &mut Chance, zone: &Zone) -> i64 {
    let any = chance.below(MINUTES) * 60;
    let steps = zone.steps();
    let near = usize::try_from(chance.below(2 * i64::try_from(steps.len()).unwrap())).unwrap();
    let near = steps.get(near).filter(|step| step.from > 86_400 && step.from < MINUTES * 60);
    near.map_or(any, |step| (step.from + step.offset + 14_400 - chance.below(480) * 60) / 60 * 60)
}

#[test]
fn slots_at_random_fall_where_the_zone_data_says() {
    let zones = Zones::default();
    let names = zones.names();
    let mut chance = Chance(20_270_328);
    let count = if soak() { 1_000_000 } else { 60_000 };
    let (mut gaps, mut folds) = (0, 0);
    for _ in 0..count {
        let name = *chance.of(&names);
        let (tz, zone): (Tz, Zone) = (name.parse().unwrap(), zones.find(name).unwrap());
        let local = slot(&mut chance, &zone);
        let found = placed(&zone, local);
        assert_eq!(found, said(tz, local), "{name}, {local} on the wall");
        gaps += i64::from(found.1 == Some("gap"));
        folds += i64::from(found.1 == Some("fold"));
        if soak() || chance.below(100) == 0 {
            assert_eq!(found.0, walked(tz, local), "{name}, {local} on the wall, by a walk");
        }
    }
    println!("{count} slots, {gaps} in a gap, {folds} shown twice");
    assert!(gaps > count / 200 && folds > count / 200, "the odd ones are among them");
}

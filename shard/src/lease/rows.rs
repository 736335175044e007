//! What may be borrowed, and who has what.

use super::{
    CATALOGUE, Ground, LeasePlane, Target,
    catalogue::{reach_of, sort_of},
    plane::Hold,
    sort::Sort,
};
use crate::world::{Dial, Season};
use leasehold_link::wire::{Held, LeaseRow};

impl LeasePlane {
    /// Every value that may be borrowed and has a name, and every other that is held, with the hold in force or, where there is none,
    /// the newest that is past. With a key, that one only: a spawner may then be named by its serial.
    pub fn rows(&self, ground: &Ground<'_>, key: Option<&str>) -> Vec<LeaseRow> {
        let targets = match key {
            Some(key) => Target::find(key, ground.world).into_iter().collect(),
            None => self.targets(ground),
        };
        let listed = targets.into_iter().filter(|target| self.offered.has(target) || self.is_held(target, ground));
        listed.filter_map(|target| self.row(&target, ground)).collect()
    }

    fn targets(&self, ground: &Ground<'_>) -> Vec<Target> {
        let config = CATALOGUE.iter().map(|lease| Target::Config(lease.key));
        let named = ground.world.spawners.all().filter(|spawner| spawner.unique_id.is_some());
        let dials = named.flat_map(|spawner| Dial::ALL.map(|dial| Target::Dial(spawner.serial, dial)));
        let seasons = Season::ALL.into_iter().map(Target::Season);
        let mut targets: Vec<Target> = config.chain(dials).chain(seasons).collect();
        targets.extend(self.holds.values().filter_map(|hold| hold.target));
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    fn is_held(&self, target: &Target, ground: &Ground<'_>) -> bool {
        self.holds.contains_key(&target.key(ground.world))
    }

    fn row(&self, target: &Target, ground: &Ground<'_>) -> Option<LeaseRow> {
        let (key, sort) = (target.key(ground.world), sort_of(target));
        let current = ground.read(target)?;
        let in_force = self.holds.get(&key).map(|hold| held(hold, false, false));
        let newest = self.past.iter().filter(|((other, _), _)| *other == key).max_by_key(|(_, past)| past.order);
        let held = in_force.or_else(|| newest.map(|(_, past)| held(&past.hold, true, past.restored)));
        let default = match target {
            Target::Config(key) => ground.config.loaded(key).unwrap_or_default().to_owned(),
            _ => held.as_ref().map_or_else(|| current.clone(), |held| held.baseline.clone()),
        };
        let (min, max) = match sort {
            Sort::Int { min, max } => (min.to_string(), max.to_string()),
            Sort::Bool | Sort::Status => (String::new(), String::new()),
        };
        Some(LeaseRow {
            key,
            plane: target.plane().to_owned(),
            value_type: sort.name().to_owned(),
            current,
            default,
            min,
            max,
            choices: sort.choices(),
            max_hold_ms: self.max_hold_ms,
            reaches: reach_of(target),
            restart_restores: target.restart_restores(),
            held,
        })
    }
}

fn held(hold: &Hold, expired: bool, restored: bool) -> Held {
    let Hold { run, baseline, applied, deadline_ms, .. } = hold.clone();
    Held { run_id: run, baseline, applied, until_ms: deadline_ms, expired, restored }
}

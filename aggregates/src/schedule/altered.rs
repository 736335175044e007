//! What people have changed in a schedule, slot by slot: some are left out, some happen at another time. A slot stays the
//! slot that it is, whatever becomes of it.

use std::collections::BTreeMap;
use std::iter;
use std::ops::Range;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::expand::placed;
use super::{LocalDateTime, Occurrence, Schedule, place};
use crate::zones::Zone;

/// What became of one slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Alteration {
    /// It does not happen.
    Skipped,
    /// It happens at this wall clock of the same zone.
    Moved(LocalDateTime),
}

/// The slots that people have changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Altered(BTreeMap<LocalDateTime, Alteration>);

impl Altered {
    pub fn of(&self, slot: LocalDateTime) -> Option<Alteration> {
        self.0.get(&slot).copied()
    }

    pub(crate) fn set(&mut self, slot: LocalDateTime, alteration: Alteration) {
        self.0.insert(slot, alteration);
    }

    pub(crate) fn unset(&mut self, slot: LocalDateTime) {
        self.0.remove(&slot);
    }

    /// Where a slot happens; none where it is skipped. Says nothing of whether a schedule has the slot.
    pub fn place(&self, slot: LocalDateTime, zone: &Zone) -> Option<Occurrence> {
        match self.of(slot) {
            None => Some(place(slot, zone)),
            Some(Alteration::Skipped) => None,
            Some(Alteration::Moved(to)) => {
                let moved_from = Some(place(slot, zone).at);
                Some(Occurrence { local: slot, moved_from, ..place(to, zone) })
            }
        }
    }

    /// The occurrences from an instant on, ascending: those of the schedule that nobody has touched, and those that were
    /// moved. Slots of one instant are one occurrence, under the earliest wall clock. What lies before costs nothing.
    pub fn occurrences<'a>(
        &'a self,
        schedule: &'a Schedule,
        zone: &'a Zone,
        from: DateTime<Utc>,
    ) -> impl Iterator<Item = Occurrence> + Send + 'a {
        let untouched = placed(schedule, zone, from)
            .filter(move |occurrence| occurrence.at >= from && !self.0.contains_key(&occurrence.local));
        let mut moved: Vec<Occurrence> = self.moved(schedule, zone).filter(|occurrence| occurrence.at >= from).collect();
        moved.sort_by_key(Occurrence::order);
        let (mut untouched, mut moved) = (untouched.peekable(), moved.into_iter().peekable());
        let mut all = iter::from_fn(move || match (untouched.peek(), moved.peek()) {
            (Some(one), Some(other)) if other.order() < one.order() => moved.next(),
            (None, _) => moved.next(),
            (Some(_), _) => untouched.next(),
        })
        .peekable();
        iter::from_fn(move || {
            let mut occurrence = all.next()?;
            while let Some(same) = all.next_if(|next| next.at == occurrence.at) {
                occurrence.merged.push(same.local);
            }
            Some(occurrence)
        })
    }

    /// The occurrences whose instant is in the window (its start included, its end not), ascending.
    pub fn expand(&self, schedule: &Schedule, zone: &Zone, window: Range<DateTime<Utc>>) -> Vec<Occurrence> {
        self.occurrences(schedule, zone, window.start).take_while(|occurrence| occurrence.at < window.end).collect()
    }

    /// The first instant at `from` or later at which something happens.
    pub fn next(&self, schedule: &Schedule, zone: &Zone, from: DateTime<Utc>) -> Option<DateTime<Utc>> {
        self.occurrences(schedule, zone, from).next().map(|occurrence| occurrence.at)
    }

    /// The slots of a schedule that are left out, where they would have happened, ascending by wall clock.
    pub fn skipped<'a>(&'a self, schedule: &'a Schedule, zone: &'a Zone) -> impl Iterator<Item = Occurrence> + Send + 'a {
        let skipped = self.0.iter().filter(|(_, alteration)| **alteration == Alteration::Skipped);
        skipped.filter(|(slot, _)| schedule.yields(**slot)).map(|(slot, _)| place(*slot, zone))
    }

    fn moved<'a>(&'a self, schedule: &'a Schedule, zone: &'a Zone) -> impl Iterator<Item = Occurrence> + 'a {
        let moved = self.0.iter().filter(|(_, alteration)| matches!(alteration, Alteration::Moved(_)));
        moved.filter(|(slot, _)| schedule.yields(**slot)).filter_map(|(slot, _)| self.place(*slot, zone))
    }
}

impl Occurrence {
    fn order(&self) -> (DateTime<Utc>, LocalDateTime) {
        (self.at, self.local)
    }
}

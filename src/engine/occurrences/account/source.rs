//! The schedules that were in force, and the slots that they name.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::iter::Peekable;
use std::ops::Range;

use chrono::{DateTime, TimeDelta, Utc};
use leasehold_aggregates::schedule::{LocalDateTime, Occurrence, occurrences, place};
use leasehold_aggregates::zones::{DstAdjusted, Zone, Zones};
use leasehold_projections::definitions::InForceSchedule;
use leasehold_projections::runs::SlotRun;

/// Every schedule whose zone is known; the others name no instants.
pub struct Sources {
    schedules: Vec<(InForceSchedule, Zone)>,
    by_definition: BTreeMap<String, Vec<usize>>,
}

/// One slot that a schedule names while it is in force.
pub struct Named<'a> {
    pub source: &'a InForceSchedule,
    pub zone: &'a Zone,
    pub slot: LocalDateTime,
    pub at: DateTime<Utc>,
    pub dst_adjusted: Option<DstAdjusted>,
}

type Occurrences<'a> = Peekable<Box<dyn Iterator<Item = Occurrence> + Send + 'a>>;

/// The slots of all schedules, by instant.
pub struct Slots<'a> {
    each: Vec<(&'a InForceSchedule, &'a Zone, Occurrences<'a>)>,
    next: BinaryHeap<Reverse<(DateTime<Utc>, usize)>>,
}

impl Sources {
    pub fn of(schedules: Vec<InForceSchedule>, zones: &Zones) -> Self {
        let known = |schedule: InForceSchedule| zones.find(&schedule.timezone).ok().map(|zone| (schedule, zone));
        let schedules: Vec<_> = schedules.into_iter().filter_map(known).collect();
        let mut by_definition: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (nth, (schedule, _)) in schedules.iter().enumerate() {
            by_definition.entry(schedule.definition_id.clone()).or_default().push(nth);
        }
        Self { schedules, by_definition }
    }

    /// The slots whose instant lies in the window and in the time in which their schedule was in force.
    pub fn named(&self, window: Range<DateTime<Utc>>) -> Slots<'_> {
        let mut slots = Slots { each: Vec::new(), next: BinaryHeap::new() };
        for (source, zone) in &self.schedules {
            let end = source.until.map_or(window.end, |until| until.min(window.end));
            let all = occurrences(&source.schedule, zone, window.start.max(source.published_at));
            let inside: Box<dyn Iterator<Item = Occurrence> + Send + '_> =
                Box::new(all.take_while(move |occurrence| occurrence.at < end));
            slots.add(source, zone, inside.peekable());
        }
        slots
    }

    /// Whether a schedule names the slot of this run while it is in force, at whatever instant of the window.
    pub fn names(&self, run: &SlotRun, window: Range<DateTime<Utc>>) -> bool {
        let Ok(slot) = run.slot.parse::<LocalDateTime>() else { return false };
        let of_definition = self.by_definition.get(&run.definition_id).into_iter().flatten();
        of_definition.map(|nth| &self.schedules[*nth]).any(|(source, zone)| {
            let at = place(slot, zone).at;
            let in_force = at >= source.published_at && source.until.is_none_or(|until| at < until);
            in_force && window.contains(&at) && source.schedule.yields(slot)
        })
    }
}

impl<'a> Slots<'a> {
    fn add(&mut self, source: &'a InForceSchedule, zone: &'a Zone, mut each: Occurrences<'a>) {
        if let Some(first) = each.peek() {
            self.next.push(Reverse((first.at, self.each.len())));
            self.each.push((source, zone, each));
        }
    }

    /// The next slots, `most` or a few more so that all of one instant are together, and the end of the span that they
    /// fill: `end` where there are no more.
    pub fn batch(&mut self, most: usize, end: DateTime<Utc>) -> (Vec<Named<'a>>, DateTime<Utc>) {
        let mut batch: Vec<Named<'a>> = Vec::new();
        while let Some(Reverse((at, nth))) = self.next.peek().copied() {
            if batch.len() >= most && batch.last().is_some_and(|last| last.at < at) {
                return (batch, at);
            }
            self.next.pop();
            let (source, zone, each) = &mut self.each[nth];
            if let Some(Occurrence { local, at, dst_adjusted, merged, .. }) = each.next() {
                let slots = std::iter::once(local).chain(merged);
                batch.extend(slots.map(|slot| Named { source, zone, slot, at, dst_adjusted }));
            }
            if let Some(following) = each.peek() {
                self.next.push(Reverse((following.at, nth)));
            }
        }
        (batch, end)
    }
}

impl Named<'_> {
    /// Whether it is over at `now` when it happens at `at`.
    pub fn is_over(&self, at: DateTime<Utc>, now: DateTime<Utc>) -> bool {
        at + TimeDelta::seconds(i64::from(self.source.grace_seconds)) < now
    }
}

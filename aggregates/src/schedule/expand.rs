//! From a schedule to its occurrences. Pure: the same schedule, zone and window give the same answer on any machine.

use std::iter;
use std::ops::Range;

use chrono::{DateTime, Days, Utc};

use super::{LocalDateTime, Schedule};
use crate::zones::{DstAdjusted, Zone};

/// One occurrence: the authored wall clock, and the instant that follows from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    /// As authored: its identity.
    pub local: LocalDateTime,
    pub at: DateTime<Utc>,
    /// `None` where the wall clock is shown exactly once.
    pub dst_adjusted: Option<DstAdjusted>,
    /// Later wall clocks that fall on the same instant: several times within an hour that clocks leave out, or those of a
    /// day that a territory skipped.
    pub merged: Vec<LocalDateTime>,
    /// The instant that the schedule gives it, where people have moved it to another.
    pub moved_from: Option<DateTime<Utc>>,
}

/// Days by which the dates looked at exceed the window: a clock may jump a day and lie a day from UTC.
const MARGIN: Days = Days::new(3);

/// The occurrences whose instant is in the window (its start included, its end not), ascending.
pub fn expand(schedule: &Schedule, zone: &Zone, window: Range<DateTime<Utc>>) -> Vec<Occurrence> {
    occurrences(schedule, zone, window.start).take_while(|occurrence| occurrence.at < window.end).collect()
}

/// The occurrences from an instant on, ascending, to the end of the schedule or of 2099. What lies before costs nothing.
///
/// No authored date loses its occurrence. Wall clocks of one instant are one occurrence, under the earliest.
pub fn occurrences<'a>(schedule: &'a Schedule, zone: &'a Zone, from: DateTime<Utc>) -> impl Iterator<Item = Occurrence> + 'a {
    let mut placed = placed(schedule, zone, from).peekable();
    let merged = iter::from_fn(move || {
        let mut occurrence = placed.next()?;
        while let Some(same) = placed.next_if(|next| next.at == occurrence.at) {
            occurrence.merged.push(same.local);
        }
        Some(occurrence)
    });
    merged.skip_while(move |occurrence| occurrence.at < from)
}

/// Every slot whose instant may lie at `from` or later, each where it falls, in the order of their wall clocks.
pub(super) fn placed<'a>(schedule: &'a Schedule, zone: &'a Zone, from: DateTime<Utc>) -> impl Iterator<Item = Occurrence> + 'a {
    let first = from.date_naive();
    let slots = schedule.slots(first.checked_sub_days(MARGIN).unwrap_or(first));
    slots.map(|slot| place(slot, zone))
}

/// Where one authored wall clock falls.
pub fn place(local: LocalDateTime, zone: &Zone) -> Occurrence {
    let at = zone.first_at_or_past(local.0);
    let dst_adjusted = if zone.wall_clock(at) != local.0 {
        Some(DstAdjusted::Gap)
    } else if zone.shows_again(local.0, at) {
        Some(DstAdjusted::Fold)
    } else {
        None
    };
    Occurrence { local, at, dst_adjusted, merged: Vec::new(), moved_from: None }
}

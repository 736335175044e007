//! The wall clocks that a schedule names, from any date on, without those before it.

use std::iter;

use chrono::{Datelike, NaiveDate, NaiveTime};

use super::local::YEARS;
use super::{End, Exception, LocalDate, LocalDateTime, LocalTime, Recurrence, Schedule};

impl Schedule {
    /// Every slot whose date is `first` or a later one, ascending, to the end of the schedule or of 2099. A single slot is
    /// told in any case.
    pub fn slots(&self, first: NaiveDate) -> Box<dyn Iterator<Item = LocalDateTime> + Send + '_> {
        match self {
            Self::Manual => Box::new(iter::empty()),
            Self::Once { at } => Box::new(iter::once(*at)),
            Self::Recurring(recurrence) => Box::new(recurrence.slots(first)),
        }
    }
}

impl Schedule {
    /// Whether the schedule has this slot.
    pub fn yields(&self, slot: LocalDateTime) -> bool {
        self.slots(slot.0.date()).take_while(|named| *named <= slot).any(|named| named == slot)
    }
}

impl Recurrence {
    /// Every slot whose date is `first` or a later one, but those excepted.
    pub fn slots(&self, first: NaiveDate) -> impl Iterator<Item = LocalDateTime> + '_ {
        self.named(first).filter(|slot| !self.excepts(*slot))
    }

    /// Every slot of `first` or a later date, those excepted among them.
    pub fn named(&self, first: NaiveDate) -> impl Iterator<Item = LocalDateTime> + '_ {
        let first = self.from.map_or(first, |from| first.max(from.0));
        let last = self.last();
        let slots = self.dates(first).flat_map(|date| self.times.iter().map(move |time| LocalDate(date).at(*time)));
        slots.take_while(move |slot| last.is_none_or(|last| *slot <= last))
    }

    /// The last slot, excepted or not; none where the schedule goes on.
    pub fn last(&self) -> Option<LocalDateTime> {
        match self.end? {
            End::Until(date) => Some(date.at(LocalTime(self.times.last().map_or(NaiveTime::MIN, |time| time.0)))),
            End::Count(count) => self.nth(self.from?, i64::from(count)),
        }
    }

    /// The `count`th slot from `from` on, counted by whole turns.
    fn nth(&self, from: LocalDate, count: i64) -> Option<LocalDateTime> {
        let times = i64::try_from(self.times.len()).ok()?;
        let turn = self.pattern.turn(from.0);
        let begun: Vec<NaiveDate> = self.pattern.dates(turn).into_iter().filter(|date| *date >= from.0).collect();
        let beyond = count - 1 - i64::try_from(begun.len()).ok()? * times;
        let (dates, index) = if beyond < 0 {
            (begun, count - 1)
        } else {
            let in_turn = times * i64::try_from(self.pattern.dates(turn).len()).ok()?;
            let turns = beyond.checked_div(in_turn)? + 1;
            (self.pattern.dates(turn + turns * i64::from(self.every)), beyond % in_turn)
        };
        let date = dates.get(usize::try_from(index / times).ok()?)?;
        Some(LocalDate(*date).at(*self.times.get(usize::try_from(index % times).ok()?)?))
    }

    /// Dates of the pattern from `first` on, in the years that may be authored.
    fn dates(&self, first: NaiveDate) -> impl Iterator<Item = NaiveDate> + '_ {
        let first = NaiveDate::from_ymd_opt(*YEARS.start(), 1, 1).map_or(first, |earliest| first.max(earliest));
        let every = i64::from(self.every.max(1));
        let wanted = self.pattern.turn(first);
        let counted_from = self.from.map_or(wanted, |from| self.pattern.turn(from.0));
        let start = wanted + (counted_from - wanted).rem_euclid(every);
        let turns = iter::successors(Some(start), move |turn| turn.checked_add(every));
        let dates = turns.map(|turn| self.pattern.dates(turn)).take_while(|dates| !dates.is_empty()).flatten();
        dates.skip_while(move |date| *date < first).take_while(|date| date.year() <= *YEARS.end())
    }

    fn excepts(&self, slot: LocalDateTime) -> bool {
        let (date, time) = (slot.date(), LocalTime(slot.0.time()));
        [None, Some(time)].iter().any(|time| self.except.binary_search(&Exception { date, time: *time }).is_ok())
    }
}

//! When a definition happens: a closed set of shapes, authored in local wall clocks.
//!
//! A schedule is read from a posted body ([`Schedule::read`]) into its one spelling, which is also how it is stored, told
//! as a sentence ([`Schedule::sentence`]), and expanded into occurrences in a zone ([`occurrences`]).

mod altered;
mod expand;
mod identity;
mod local;
mod pattern;
mod read;
mod sense;
mod slots;
mod spelling;
mod stored;
mod words;

pub use altered::{Alteration, Altered};
pub use expand::{Occurrence, expand, occurrences, place};
pub use identity::{manual_run_id, occurrence_id};
pub use local::{LocalDate, LocalDateTime, LocalFault, LocalTime};
pub use pattern::{MonthDay, Pattern, Weekday};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use stored::Stored;

/// Most weeks or months from one turn of a pattern to the next.
pub const MAX_EVERY: u32 = 100;
/// Most times of one day.
pub const MAX_TIMES: usize = 24;
/// Most occurrences that a schedule may count.
pub const MAX_COUNT: u32 = 10_000;
/// Most exceptions.
pub const MAX_EXCEPT: usize = 366;

/// A schedule in its one spelling.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Stored", into = "Stored")]
pub enum Schedule {
    /// Never by itself: somebody starts it.
    Manual,
    /// One wall clock.
    Once { at: LocalDateTime },
    /// Again and again.
    Recurring(Recurrence),
}

/// A pattern of dates, the times of each of them, and which of those count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recurrence {
    pub pattern: Pattern,
    /// Turns of the pattern (weeks or months) from one that counts to the next, 1 to [`MAX_EVERY`]; more than 1 are
    /// counted from the turn that holds `from`.
    pub every: u32,
    /// Ascending, none twice, 1 to [`MAX_TIMES`].
    pub times: Vec<LocalTime>,
    /// The first date that counts.
    pub from: Option<LocalDate>,
    pub end: Option<End>,
    /// Ascending, none told twice.
    pub except: Vec<Exception>,
}

/// Where a recurrence ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The last date that counts.
    Until(LocalDate),
    /// So many slots from `from` on, 1 to [`MAX_COUNT`]; those that are excepted are counted, so that an exception moves
    /// no end.
    Count(u32),
}

/// What a recurrence leaves out: a date with all its times, `2027-04-02`, or one of several, `2027-04-02T12:00`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(extend("pattern" = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2})?$"))]
pub struct Exception {
    pub date: LocalDate,
    pub time: Option<LocalTime>,
}

impl Schedule {
    /// Whether runs start without anybody's hand.
    pub fn starts_by_itself(&self) -> bool {
        !matches!(self, Self::Manual)
    }
}

#[cfg(test)]
mod tests;

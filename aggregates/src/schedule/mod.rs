//! When a definition happens: a closed set of shapes, authored in local wall clocks.

mod expand;
mod identity;
mod local;
mod read;

pub use expand::{Occurrence, expand, place};
pub use identity::{manual_run_id, occurrence_id};
pub use local::{LocalDateTime, LocalFault, LocalTime};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A schedule in its one stored spelling.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Schedule {
    /// One wall clock.
    Once { at: LocalDateTime },
    /// The same time on each of these days; at least one day, in week order, none twice.
    Weekly { days: Vec<Weekday>, time: LocalTime },
    /// The `nth` (1 to 4, or -1 for the last) such weekday of every month.
    Monthly { nth: i8, weekday: Weekday, time: LocalTime },
    /// Never by itself: somebody starts it.
    Manual {},
}

/// A day of the week; a week starts on Monday.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, strum::EnumIter, strum::IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Weekday {
    Monday,
    Tuesday,
    Wednesday,
    Thursday,
    Friday,
    Saturday,
    Sunday,
}

impl Schedule {
    /// Whether a version with this schedule may be published yet, else why not. Expansion knows every shape; the calendar
    /// that shows and moves recurring occurrences opens the rest.
    pub fn available(&self) -> Result<(), &'static str> {
        match self {
            Self::Once { .. } | Self::Manual {} => Ok(()),
            Self::Weekly { .. } | Self::Monthly { .. } => {
                Err("weekly and monthly schedules cannot be published yet: use once or manual")
            }
        }
    }

    /// Whether runs start without anybody's hand.
    pub fn starts_by_itself(&self) -> bool {
        !matches!(self, Self::Manual {})
    }
}

#[cfg(test)]
mod tests;

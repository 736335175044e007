//! A schedule as a sentence, for whoever proofreads it.

use super::{End, Exception, LocalTime, MonthDay, Pattern, Recurrence, Schedule, Weekday};

/// Exceptions that are named one by one.
const NAMED: usize = 12;

impl Schedule {
    /// What it says, e.g. `every 2 weeks on Friday at 20:00, from 2027-03-05, 10 times`.
    pub fn sentence(&self) -> String {
        match self {
            Self::Manual => "whenever somebody starts it".into(),
            Self::Once { at } => {
                let (date, time) = (at.0.date(), at.to_string());
                let time = time.split_once('T').map_or("", |(_, time)| time);
                format!("once, on {} {date} at {time}", weekday(Weekday::of(date)))
            }
            Self::Recurring(recurrence) => recurrence.sentence(),
        }
    }
}

impl Recurrence {
    fn sentence(&self) -> String {
        let times = list(self.times.iter().map(LocalTime::to_string));
        let end = self.end.map(|end| match end {
            End::Until(until) => format!("until {until}"),
            End::Count(1) => "once".into(),
            End::Count(count) => format!("{count} times"),
        });
        let parts = [
            Some(format!("{} at {times}", self.dates_in_words())),
            self.from.map(|from| format!("from {from}")),
            end,
            (!self.except.is_empty()).then(|| format!("except {}", exceptions(&self.except))),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    fn dates_in_words(&self) -> String {
        let each = |unit: &str| if self.every > 1 { format!("every {} {unit}s", self.every) } else { format!("every {unit}") };
        match &self.pattern {
            Pattern::Weekly { days } if days.len() == 7 && self.every == 1 => "every day".into(),
            Pattern::Weekly { days } => format!("{} on {}", each("week"), list(days.iter().map(|day| weekday(*day).into()))),
            Pattern::Monthly { day: MonthDay::Nth { nth, weekday: day } } => {
                format!("{} on the {} {}", each("month"), place(*nth), weekday(*day))
            }
            Pattern::Monthly { day: MonthDay::Day(-1) } => format!("{} on the last day", each("month")),
            Pattern::Monthly { day: MonthDay::Day(day) } => format!("{} on day {day}", each("month")),
        }
    }
}

fn exceptions(except: &[Exception]) -> String {
    let named = except.iter().take(NAMED).map(Exception::to_string);
    let more = except.len().saturating_sub(NAMED);
    list(named.chain((more > 0).then(|| format!("{more} more"))))
}

fn place(nth: i8) -> &'static str {
    match nth {
        1 => "first",
        2 => "second",
        3 => "third",
        4 => "fourth",
        _ => "last",
    }
}

/// The name of a day, as people write it.
pub fn weekday(day: Weekday) -> &'static str {
    match day {
        Weekday::Monday => "Monday",
        Weekday::Tuesday => "Tuesday",
        Weekday::Wednesday => "Wednesday",
        Weekday::Thursday => "Thursday",
        Weekday::Friday => "Friday",
        Weekday::Saturday => "Saturday",
        Weekday::Sunday => "Sunday",
    }
}

fn list(parts: impl IntoIterator<Item = String>) -> String {
    let mut parts: Vec<String> = parts.into_iter().collect();
    let last = parts.pop().unwrap_or_default();
    if parts.is_empty() { last } else { format!("{} and {last}", parts.join(", ")) }
}

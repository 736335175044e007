//! The one spelling of a recurrence: two bodies that mean the same are stored as the same.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use super::{Exception, LocalDate, LocalDateTime, LocalFault, LocalTime, Pattern, Recurrence};

impl Recurrence {
    /// The same recurrence in its one spelling: days in week order and times ascending, each once; exceptions ascending,
    /// a day whose every time is left out as its date.
    #[must_use]
    pub fn settled(mut self) -> Self {
        if let Pattern::Weekly { days } = &mut self.pattern {
            days.sort_unstable();
            days.dedup();
        }
        self.times.sort_unstable();
        self.times.dedup();
        self.except = settled_exceptions(&self.except, &self.times);
        self
    }
}

fn settled_exceptions(except: &[Exception], times: &[LocalTime]) -> Vec<Exception> {
    let mut by_date: BTreeMap<LocalDate, BTreeSet<Option<LocalTime>>> = BTreeMap::new();
    for exception in except {
        by_date.entry(exception.date).or_default().insert(exception.time);
    }
    let of_date = |(date, left_out): (LocalDate, BTreeSet<Option<LocalTime>>)| {
        let whole = left_out.contains(&None) || times.iter().all(|time| left_out.contains(&Some(*time)));
        let times = if whole { BTreeSet::from([None]) } else { left_out };
        times.into_iter().map(move |time| Exception { date, time })
    };
    by_date.into_iter().flat_map(of_date).collect()
}

impl FromStr for Exception {
    type Err = LocalFault;

    fn from_str(text: &str) -> Result<Self, LocalFault> {
        if !text.contains('T') {
            return Ok(Self { date: text.parse()?, time: None });
        }
        let slot: LocalDateTime = text.parse()?;
        Ok(Self { date: slot.date(), time: Some(LocalTime(slot.0.time())) })
    }
}

impl fmt::Display for Exception {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.time {
            Some(time) => write!(f, "{}", self.date.at(time)),
            None => write!(f, "{}", self.date),
        }
    }
}

impl TryFrom<String> for Exception {
    type Error = LocalFault;

    fn try_from(text: String) -> Result<Self, LocalFault> {
        text.parse()
    }
}

impl From<Exception> for String {
    fn from(exception: Exception) -> Self {
        exception.to_string()
    }
}

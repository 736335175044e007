//! Time zones, reduced to the two questions that are asked of them: what the clocks on the wall show at an instant,
//! and when they first show a given time or a later one.
//!
//! Rules come from the data that is compiled in, or from compiled zone files that somebody has read; either way a zone
//! becomes one table of the seconds at which its offset changed, and everything is answered from that.

mod built_in;
mod compiled;
mod name;
mod table;

pub use compiled::{MAX_FILE_BYTES, ZoneFileFault};
pub use name::{ZoneFault, is_zone_area, is_zone_name};
pub use table::{FIRST_SECOND, LAST_SECOND, Step};

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use table::Table;

/// Last year for which rules are kept.
pub const LAST_YEAR: i32 = 2099;

/// A set of zone rules, of one release. The default is the compiled-in one. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Zones(Source);

#[derive(Debug, Clone, Default)]
enum Source {
    #[default]
    BuiltIn,
    Compiled(Arc<Compiled>),
}

#[derive(Debug)]
struct Compiled {
    release: String,
    tables: BTreeMap<String, Arc<Table>>,
}

/// One zone's rules. Cheap to clone; two zones are equal where their clocks always show the same.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Zone(Arc<Table>);

/// How an authored wall clock was adjusted or chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum DstAdjusted {
    /// It does not exist: the first one after it is taken.
    Gap,
    /// It is shown twice: the first pass is taken.
    Fold,
}

impl Zones {
    /// Rules of compiled zone files (`TZif`, RFC 9636) in place of the compiled-in ones: each with the zone's name and
    /// the file's bytes. `release` is what [`Zones::release`] tells.
    ///
    /// `UTC` and `Etc/UTC` need no file. A file that cannot be used, or whose name is none of a zone, fails the whole.
    pub fn compiled(
        release: impl Into<String>,
        files: impl IntoIterator<Item = (String, Vec<u8>)>,
    ) -> Result<Self, ZoneFileFault> {
        let utc = Arc::new(Table::utc());
        let mut tables: BTreeMap<String, Arc<Table>> = name::UTC.map(|name| (name.to_owned(), utc.clone())).into();
        for (name, bytes) in files {
            let table = compiled::read(&name, &bytes)?;
            tables.insert(name, Arc::new(table));
        }
        Ok(Self(Source::Compiled(Arc::new(Compiled { release: release.into(), tables }))))
    }

    /// Release of the zone data, e.g. `2025b`.
    pub fn release(&self) -> &str {
        match &self.0 {
            Source::BuiltIn => built_in::RELEASE,
            Source::Compiled(compiled) => &compiled.release,
        }
    }

    /// The zone of this exact name, letter case included. Abbreviations, fixed offsets and names of one country's habit
    /// are refused, for they say less than an author means; names that were given to a zone in earlier releases are taken.
    pub fn find(&self, name: &str) -> Result<Zone, ZoneFault> {
        let table = if is_zone_name(name) { self.table(name) } else { None };
        table.map(Zone).ok_or_else(|| ZoneFault::of(name, self))
    }

    /// Every name that [`Zones::find`] takes, ascending.
    pub fn names(&self) -> Vec<&str> {
        match &self.0 {
            Source::BuiltIn => built_in::names(),
            Source::Compiled(compiled) => compiled.tables.keys().map(String::as_str).collect(),
        }
    }

    fn table(&self, name: &str) -> Option<Arc<Table>> {
        match &self.0 {
            Source::BuiltIn => built_in::table(name),
            Source::Compiled(compiled) => compiled.tables.get(name).cloned(),
        }
    }
}

impl Zone {
    /// What the wall shows at an instant.
    pub fn wall_clock(&self, at: DateTime<Utc>) -> NaiveDateTime {
        at.naive_utc() + self.offset(at)
    }

    /// Offset from UTC in force at an instant.
    pub fn offset(&self, at: DateTime<Utc>) -> TimeDelta {
        TimeDelta::seconds(self.0.offset(at.timestamp()))
    }

    /// The first instant whose wall clock is at or past `local`: in a gap the transition itself, of two passes the
    /// first. Whole seconds go in, whole seconds come out.
    pub fn first_at_or_past(&self, local: NaiveDateTime) -> DateTime<Utc> {
        let second = self.0.first_at_or_past(local.and_utc().timestamp());
        DateTime::from_timestamp(second, 0).unwrap_or(DateTime::<Utc>::MAX_UTC)
    }

    /// Whether the wall shows `local` once more after `first`.
    pub fn shows_again(&self, local: NaiveDateTime, first: DateTime<Utc>) -> bool {
        self.0.shows_again(local.and_utc().timestamp(), first.timestamp())
    }

    /// Every change of the offset, ascending; the first step is what was in force before any of them.
    pub fn steps(&self) -> &[Step] {
        self.0.steps()
    }
}

#[cfg(test)]
mod tests;

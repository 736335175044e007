//! Places in the log as people name them: a position, or an instant.

use std::str::FromStr;

use chrono::{DateTime, SecondsFormat, Utc};
use leasehold_aggregates::decide::{Refusal, RefusalKind};
use leasehold_projections::{Placed, SeenEvent};

use crate::engine::Fault;
use crate::log::Log;

/// How far a story goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Until {
    Now,
    /// Up to and with this position of the log.
    Position(u64),
    /// Up to and with this instant of the engine's clock.
    Instant(DateTime<Utc>),
}

/// Why a text names no place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoPlace {
    #[error("{0:?} lies beyond every position")]
    TooLarge(String),
    #[error("{0:?} is neither a position nor an instant such as 2027-03-28T18:00:00Z")]
    Neither(String),
}

impl FromStr for Until {
    type Err = NoPlace;

    fn from_str(text: &str) -> Result<Self, NoPlace> {
        if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            let position = text.parse().ok().filter(|position| *position <= i64::MAX.unsigned_abs());
            return position.map(Self::Position).ok_or_else(|| NoPlace::TooLarge(text.to_owned()));
        }
        let instant = DateTime::parse_from_rfc3339(text).map_err(|_| NoPlace::Neither(text.to_owned()))?;
        Ok(Self::Instant(instant.to_utc()))
    }
}

/// A place that the log has not come to, or at which there was nothing of what was asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotThere {
    #[error("position {asked} lies beyond the log, whose newest position is {head}")]
    BeyondHead { asked: u64, head: u64 },
    #[error("{} has not come yet, and what it will find is not known; the log's newest position is {head}", spelled(.asked))]
    InFuture { asked: DateTime<Utc>, head: u64 },
    #[error("run {run_id} was not there by then: it came into being at position {} ({})", .first.position, spelled(&.first.at))]
    NotYet { run_id: String, first: Placed },
    #[error("{} comes after {}: name the earlier place first", .from.position, .to.position)]
    Backwards { from: Placed, to: Placed },
}

fn spelled(at: &DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

impl Refusal for NotThere {
    fn code(&self) -> &'static str {
        match self {
            Self::BeyondHead { .. } | Self::InFuture { .. } => "beyond_head",
            Self::NotYet { .. } => "run_not_yet",
            Self::Backwards { .. } => "wrong_order",
        }
    }

    fn kind(&self) -> RefusalKind {
        match self {
            Self::NotYet { .. } => RefusalKind::Missing,
            Self::BeyondHead { .. } | Self::InFuture { .. } | Self::Backwards { .. } => RefusalKind::Invalid,
        }
    }
}

impl Until {
    /// The position that it names for the whole log, whose newest event lies at `head`. Refused where the log has not come
    /// so far; none where an instant lies before its first event. `now`: by the engine's clock.
    pub async fn position(self, log: &Log, head: u64, now: DateTime<Utc>) -> Result<Option<u64>, Fault> {
        match self {
            Self::Now => Ok(Some(head)),
            Self::Position(asked) if asked > head => Err(Fault::refused(NotThere::BeyondHead { asked, head })),
            Self::Position(asked) => Ok(Some(asked)),
            Self::Instant(asked) => {
                let newest = log.instant_of(head).await?.unwrap_or(now);
                if asked > now.max(newest) {
                    return Err(Fault::refused(NotThere::InFuture { asked, head }));
                }
                Ok(log.reached(asked, head).await?)
            }
        }
    }

    /// The same for one stream, whose events are `events`: an instant parts them exactly, whatever else was recorded
    /// around it in another order.
    pub(super) async fn position_in(self, log: &Log, events: &[SeenEvent], head: u64, now: DateTime<Utc>) -> Result<u64, Fault> {
        let position = self.position(log, head, now).await?.unwrap_or(0);
        let Self::Instant(instant) = self else { return Ok(position) };
        let later = events.iter().position(|event| event.at() > instant).unwrap_or(events.len());
        let least = later.checked_sub(1).map_or(0, |last| events[last].position);
        let most = events.get(later).map_or(head, |next| next.position - 1);
        Ok(position.clamp(least, most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_position_or_an_instant() {
        let instant = DateTime::from_timestamp_micros(1_800_000_000_000_001).unwrap();
        assert_eq!("17".parse(), Ok(Until::Position(17)));
        assert_eq!("2027-01-15T09:00:00.000001+01:00".parse(), Ok(Until::Instant(instant)));
        for wrong in ["", "x", "-1", "+1", "1.5", "9223372036854775808", "99999999999999999999", "2027-01-15", "now"] {
            assert!(wrong.parse::<Until>().is_err(), "{wrong}");
        }
    }
}

//! A zone as a `VTIMEZONE`: every change of its clocks around a span of time, each by itself, so that no rule has to be
//! guessed from them. Spelled here, as the library that spells the rest would give it a stamp and a name of chance; no line is
//! long or has anything in it that would have to be escaped.

use std::fmt::Write;

use chrono::{DateTime, TimeDelta, Utc};
use leasehold_aggregates::zones::Zone;

/// How far around the span changes are told.
const AROUND: TimeDelta = TimeDelta::days(366);

/// The clocks of the zone `name` from well before `first` to well after `last`.
pub fn of(name: &str, zone: &Zone, first: DateTime<Utc>, last: DateTime<Utc>) -> String {
    let mut told = format!("BEGIN:VTIMEZONE\r\nTZID:{name}\r\n");
    let (from, to) = ((first - AROUND).timestamp(), (last + AROUND).timestamp());
    let steps = zone.steps();
    let begins = steps.partition_point(|step| step.from <= from).saturating_sub(1);
    let mut before = steps[begins].offset;
    observance(&mut told, from.max(steps[begins].from), before, before);
    for step in steps[begins + 1..].iter().take_while(|step| step.from <= to) {
        observance(&mut told, step.from, before, step.offset);
        before = step.offset;
    }
    told.push_str("END:VTIMEZONE\r\n");
    told
}

/// From this second of UTC on the clocks have another offset; when that was, they say by the offset from before.
fn observance(told: &mut String, second: i64, before: i64, after: i64) {
    let kind = if after > before { "DAYLIGHT" } else { "STANDARD" };
    let local = DateTime::from_timestamp(second + before, 0).unwrap_or_default().format("%Y%m%dT%H%M%S");
    let (before, after) = (spelled(before), spelled(after));
    // Writing to a string does not fail.
    let _ = write!(told, "BEGIN:{kind}\r\nDTSTART:{local}\r\nTZOFFSETFROM:{before}\r\nTZOFFSETTO:{after}\r\nEND:{kind}\r\n");
}

fn spelled(offset: i64) -> String {
    let (sign, of) = (if offset < 0 { '-' } else { '+' }, offset.abs());
    let (hours, minutes, seconds) = (of / 3_600, of / 60 % 60, of % 60);
    if seconds == 0 { format!("{sign}{hours:02}{minutes:02}") } else { format!("{sign}{hours:02}{minutes:02}{seconds:02}") }
}

#[cfg(test)]
mod tests {
    use leasehold_aggregates::zones::Zones;

    use super::*;

    #[test]
    fn each_change_is_told_by_the_clock_before_it() {
        let zone = Zones::default().find("Europe/Berlin").unwrap();
        let at = "2027-03-01T00:00:00Z".parse().unwrap();
        let told = of("Europe/Berlin", &zone, at, at);
        assert!(
            told.starts_with("BEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\nBEGIN:STANDARD\r\nDTSTART:20260228T010000\r\n"),
            "{told}"
        );
        let summer = "BEGIN:DAYLIGHT\r\nDTSTART:20270328T020000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\nEND:DAYLIGHT\r\n";
        let winter = "BEGIN:STANDARD\r\nDTSTART:20271031T030000\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\nEND:STANDARD\r\n";
        assert!(told.contains(summer) && told.contains(winter), "{told}");
        assert!(told.lines().all(|line| line.len() <= 75), "{told}");
    }

    #[test]
    fn offsets_are_spelled_to_the_second_where_they_have_one() {
        assert_eq!([0, 19_800, -12_600, -28_378].map(spelled), ["+0000", "+0530", "-0330", "-075258"]);
    }
}

//! Reading dates and wall clocks of exactly one shape each.

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};

/// `HH:MM` or `HH:MM:SS`, two digits each: `8:00` and `24:00` are refused, a leap second too.
pub fn time(text: &str) -> Option<NaiveTime> {
    let parts = numbers(text, ':', &[2, 2, 2]).or_else(|| numbers(text, ':', &[2, 2]))?;
    NaiveTime::from_hms_opt(parts[0], parts[1], parts.get(2).copied().unwrap_or(0))
}

/// `YYYY-MM-DD`, of a day that the calendar has.
pub fn date(text: &str) -> Option<NaiveDate> {
    let parts = numbers(text, '-', &[4, 2, 2])?;
    NaiveDate::from_ymd_opt(i32::try_from(parts[0]).ok()?, parts[1], parts[2])
}

/// A date, `T`, and a time.
pub fn date_time(text: &str) -> Option<NaiveDateTime> {
    let (day, clock) = text.split_once('T')?;
    Some(date(day)?.and_time(time(clock)?))
}

/// Exactly as many numbers as `widths`, each of exactly that many ASCII digits.
fn numbers(text: &str, separator: char, widths: &[usize]) -> Option<Vec<u32>> {
    let parts: Vec<&str> = text.split(separator).collect();
    let shaped = parts.len() == widths.len()
        && parts.iter().zip(widths).all(|(part, width)| part.len() == *width && part.bytes().all(|b| b.is_ascii_digit()));
    if !shaped {
        return None;
    }
    parts.iter().map(|part| part.parse().ok()).collect()
}

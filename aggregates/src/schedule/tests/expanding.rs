//! What no matter of zones decides: windows, turns, counting, leaving out, merging.

use chrono::Duration;
use serde_json::{Value, json};

use super::{at, expand, good, locals, occurrences, zone};

fn in_utc(schedule: &Value, from: &str, to: &str) -> Vec<String> {
    locals(&expand(&good(schedule), &zone("UTC"), at(from)..at(to)))
}

#[test]
fn windows_add_up_wherever_they_are_cut() {
    let apia = zone("Pacific/Apia");
    for schedule in [
        json!({"kind": "weekly", "days": ["thursday", "friday"], "time": "09:00"}),
        json!({"kind": "weekly", "days": ["thursday", "friday", "saturday"], "times": ["00:00", "09:00"], "from": "2011-12-22", "count": 11}),
        json!({"kind": "monthly", "day": -1, "times": ["00:00", "23:59"], "until": "2011-12-31"}),
    ] {
        let schedule = good(&schedule);
        let (from, to) = (at("2011-12-20T00:00:00Z"), at("2012-01-10T00:00:00Z"));
        let whole = expand(&schedule, &apia, from..to);
        let cuts = (0..21 * 24).map(|hour| from + Duration::hours(hour)).chain(whole.iter().map(|o| o.at));
        for cut in cuts {
            let mut parts = expand(&schedule, &apia, from..cut);
            parts.extend(expand(&schedule, &apia, cut..to));
            assert_eq!(parts, whole, "{cut}");
        }
    }
}

#[test]
fn a_week_has_its_occurrence_in_every_zone_and_year() {
    let schedule = good(&json!({"kind": "weekly", "days": ["sunday"], "time": "02:30"}));
    for name in ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Antarctica/Troll", "Africa/Casablanca"] {
        let (from, weeks) = (at("1970-01-07T12:00:00Z"), 6_750);
        let found = expand(&schedule, &zone(name), from..from + Duration::weeks(weeks));
        assert_eq!(found.len(), usize::try_from(weeks).unwrap(), "{name}");
    }
}

#[test]
fn a_window_without_length_or_at_the_ends_of_time_is_empty() {
    let friday = json!({"kind": "weekly", "days": ["friday"], "time": "20:00"});
    assert!(in_utc(&friday, "2027-03-05T20:00:00Z", "2027-03-05T20:00:00Z").is_empty());
    assert!(in_utc(&friday, "2027-03-12T00:00:00Z", "2027-03-05T00:00:00Z").is_empty());
    assert_eq!(in_utc(&friday, "2027-03-05T20:00:00Z", "2027-03-05T20:00:01Z").len(), 1);
    assert_eq!(in_utc(&friday, "-9999-01-01T00:00:00Z", "1970-01-03T00:00:00Z"), ["1970-01-02T20:00"]);
    assert_eq!(in_utc(&friday, "2099-12-20T00:00:00Z", "9999-01-01T00:00:00Z"), ["2099-12-25T20:00"]);
    assert!(in_utc(&friday, "2100-01-05T00:00:00Z", "9999-01-01T00:00:00Z").is_empty());
}

#[test]
fn every_other_week_is_counted_from_the_week_of_its_first_date() {
    let weekends = |from: &str| json!({"kind": "weekly", "every": 2, "days": ["monday", "friday", "saturday"], "time": "20:00", "from": from});
    let march = |schedule: &Value| in_utc(schedule, "2027-03-01T00:00:00Z", "2027-03-28T00:00:00Z");
    let whole =
        ["2027-03-01T20:00", "2027-03-05T20:00", "2027-03-06T20:00", "2027-03-15T20:00", "2027-03-19T20:00", "2027-03-20T20:00"];
    assert_eq!(march(&weekends("2027-03-01")), whole);
    assert_eq!(march(&weekends("2027-03-05")), whole[1..], "the Monday of that week lies before the first date");
    assert_eq!(march(&weekends("2027-03-07")), whole[3..]);
    assert_eq!(march(&weekends("2021-01-11")), whole, "an even number of weeks before");
    let others =
        ["2027-03-08T20:00", "2027-03-12T20:00", "2027-03-13T20:00", "2027-03-22T20:00", "2027-03-26T20:00", "2027-03-27T20:00"];
    assert_eq!(march(&weekends("2021-01-04")), others, "an odd number of them");
}

#[test]
fn every_third_month_has_its_day() {
    let quarter = json!({"kind": "monthly", "every": 3, "nth": -1, "weekday": "friday", "time": "20:00", "from": "2027-01-30"});
    assert_eq!(
        in_utc(&quarter, "2027-01-01T00:00:00Z", "2028-01-01T00:00:00Z"),
        ["2027-04-30T20:00", "2027-07-30T20:00", "2027-10-29T20:00"],
        "January's last Friday lies before the first date"
    );
    let last_days = json!({"kind": "monthly", "day": -1, "time": "20:00", "from": "2028-01-01", "count": 3});
    let days = ["2028-01-31T20:00", "2028-02-29T20:00", "2028-03-31T20:00"];
    assert_eq!(in_utc(&last_days, "2027-01-01T00:00:00Z", "2029-01-01T00:00:00Z"), days);
    let century = json!({"kind": "monthly", "every": 100, "day": 28, "time": "20:00", "from": "2027-02-28"});
    assert_eq!(in_utc(&century, "2027-01-01T00:00:00Z", "2036-01-01T00:00:00Z"), ["2027-02-28T20:00", "2035-06-28T20:00"]);
}

#[test]
fn what_is_counted_ends_in_the_middle_of_a_day_and_no_exception_moves_that() {
    let twice = |except: Value| json!({"kind": "weekly", "days": ["tuesday", "friday"], "times": ["12:00", "20:00"], "from": "2027-03-03", "count": 5, "except": except});
    let all = ["2027-03-05T12:00", "2027-03-05T20:00", "2027-03-09T12:00", "2027-03-09T20:00", "2027-03-12T12:00"];
    let found = |except: Value| in_utc(&twice(except), "2027-03-01T00:00:00Z", "2028-03-01T00:00:00Z");
    assert_eq!(found(json!([])), all);
    assert_eq!(found(json!(["2027-03-09"])), [&all[..2], &all[4..]].concat());
    assert_eq!(found(json!(["2027-03-05T20:00", "2027-03-12"])), [all[0], all[2], all[3]]);
}

#[test]
fn a_late_window_is_reached_without_what_lies_before() {
    let schedule = good(&json!({"kind": "weekly", "days": ["friday"], "time": "20:00", "from": "1970-01-01", "count": 6_782}));
    let utc = zone("UTC");
    let last: Vec<_> = occurrences(&schedule, &utc, at("2099-12-01T00:00:00Z")).collect();
    assert_eq!(locals(&last), ["2099-12-04T20:00", "2099-12-11T20:00", "2099-12-18T20:00"]);
}

#[test]
fn times_within_a_gap_are_one_occurrence_and_the_others_are_told() {
    let night = json!({"kind": "weekly", "days": ["sunday"], "times": ["01:59", "02:10", "02:50", "03:00", "03:01"]});
    let found = expand(&good(&night), &zone("Europe/Berlin"), at("2027-03-27T12:00:00Z")..at("2027-03-28T12:00:00Z"));
    assert_eq!(locals(&found), ["2027-03-28T01:59", "2027-03-28T02:10", "2027-03-28T03:01"]);
    assert_eq!(found[1].at, at("2027-03-28T01:00:00Z"));
    let merged: Vec<String> = found[1].merged.iter().map(ToString::to_string).collect();
    assert_eq!(merged, ["2027-03-28T02:50", "2027-03-28T03:00"]);
    assert!(found[0].merged.is_empty() && found[2].merged.is_empty());
}

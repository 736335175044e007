//! One meaning has one spelling, in what is stored and in what is said.

use serde_json::{Value, json};

use super::{Schedule, good};

#[test]
fn two_spellings_of_one_schedule_are_one() {
    for (one, other, stored) in [
        (
            json!({"kind": "weekly", "days": ["friday", "monday", "friday"], "time": "20:00"}),
            json!({"kind": "weekly", "days": ["monday", "friday"], "times": ["20:00:00"], "every": 1}),
            json!({"kind": "weekly", "days": ["monday", "friday"], "time": "20:00"}),
        ),
        (
            json!({"kind": "weekly", "days": ["friday"], "times": ["20:00", "12:00", "20:00"], "except": []}),
            json!({"kind": "weekly", "days": ["friday"], "times": ["12:00", "20:00"], "until": null}),
            json!({"kind": "weekly", "days": ["friday"], "times": ["12:00", "20:00"]}),
        ),
        (
            json!({"kind": "weekly", "days": ["friday"], "time": "20:00", "except": ["2027-03-12T20:00", "2027-03-05"]}),
            json!({"kind": "weekly", "days": ["friday"], "time": "20:00", "except": ["2027-03-05", "2027-03-12", "2027-03-05T20:00"]}),
            json!({"kind": "weekly", "days": ["friday"], "time": "20:00", "except": ["2027-03-05", "2027-03-12"]}),
        ),
        (
            json!({"kind": "weekly", "days": ["friday"], "times": ["12:00", "20:00"],
                   "except": ["2027-03-12T20:00", "2027-03-05T20:00", "2027-03-05T12:00"]}),
            json!({"kind": "weekly", "days": ["friday"], "times": ["12:00", "20:00"], "except": ["2027-03-05", "2027-03-12T20:00:00"]}),
            json!({"kind": "weekly", "days": ["friday"], "times": ["12:00", "20:00"], "except": ["2027-03-05", "2027-03-12T20:00"]}),
        ),
        (
            json!({"kind": "monthly", "nth": -1, "weekday": "friday", "time": "20:00", "every": 3, "from": "2027-01-01", "count": 8}),
            json!({"count": 8, "from": "2027-01-01", "every": 3, "times": ["20:00"], "weekday": "friday", "nth": -1, "kind": "monthly"}),
            json!({"kind": "monthly", "nth": -1, "weekday": "friday", "every": 3, "time": "20:00", "from": "2027-01-01", "count": 8}),
        ),
    ] {
        let (one, other) = (good(&one), good(&other));
        assert_eq!(one, other);
        assert_eq!(serde_json::to_value(&one).unwrap(), stored);
        assert_eq!(serde_json::from_value::<Schedule>(stored.clone()).unwrap(), one, "what is stored is read back");
        assert_eq!(good(&stored), one, "what is shown may be posted");
    }
}

#[test]
fn a_stored_schedule_that_means_nothing_is_not_read() {
    for (wrong, says) in [
        (json!({"kind": "once"}), "missing field"),
        (json!({"kind": "weekly", "days": [], "time": "20:00"}), "needs days"),
        (json!({"kind": "weekly", "days": ["friday"]}), "time or times"),
        (json!({"kind": "weekly", "days": ["friday"], "times": []}), "time or times"),
        (json!({"kind": "weekly", "days": ["friday"], "time": "12:00", "times": ["20:00"]}), "time or times"),
        (json!({"kind": "monthly", "nth": 5, "weekday": "friday", "time": "20:00"}), "1 to 4"),
        (json!({"kind": "monthly", "nth": 1, "weekday": "friday", "day": 1, "time": "20:00"}), "or else day"),
        (json!({"kind": "monthly", "day": 31, "time": "20:00"}), "1 to 28"),
        (json!({"kind": "weekly", "days": ["friday"], "time": "20:00", "every": 0}), "1 or more"),
        (json!({"kind": "weekly", "days": ["friday"], "time": "20:00", "every": 2}), "need from"),
        (json!({"kind": "weekly", "days": ["friday"], "time": "20:00", "from": "2027-03-05", "count": 0}), "1 or more"),
        (
            json!({"kind": "weekly", "days": ["friday"], "time": "20:00", "from": "2027-03-05", "count": 1, "until": "2027-03-05"}),
            "or with",
        ),
        (json!({"kind": "weekly", "days": ["friday"], "time": "20:00", "at": "2027-03-05T20:00"}), "unknown field"),
        (json!({"kind": "manual", "every": 2}), "unknown field"),
        (json!({"kind": "manual", "cron": "0 20 * * 5"}), "unknown field"),
    ] {
        let error = serde_json::from_value::<Schedule>(wrong.clone()).unwrap_err().to_string();
        assert!(error.contains(says), "{wrong}: {error}");
    }
}

#[test]
fn a_schedule_is_said_in_one_sentence() {
    let say = |value: &Value| good(value).sentence();
    assert_eq!(say(&json!({"kind": "manual"})), "whenever somebody starts it");
    assert_eq!(say(&json!({"kind": "once", "at": "2027-03-28T20:00"})), "once, on Sunday 2027-03-28 at 20:00");
    let every_day = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    assert_eq!(say(&json!({"kind": "weekly", "days": every_day, "times": ["08:00", "20:00"]})), "every day at 08:00 and 20:00");
    assert_eq!(
        say(
            &json!({"kind": "weekly", "every": 2, "days": ["saturday", "friday"], "time": "20:00", "from": "2027-03-05", "count": 10,
                    "except": ["2027-03-19"]})
        ),
        "every 2 weeks on Friday and Saturday at 20:00, from 2027-03-05, 10 times, except 2027-03-19"
    );
    assert_eq!(
        say(&json!({"kind": "monthly", "nth": -1, "weekday": "friday", "time": "20:00", "until": "2027-12-31"})),
        "every month on the last Friday at 20:00, until 2027-12-31"
    );
    assert_eq!(
        say(&json!({"kind": "monthly", "day": 15, "every": 3, "from": "2027-01-01", "time": "20:00"})),
        "every 3 months on day 15 at 20:00, from 2027-01-01"
    );
    assert_eq!(say(&json!({"kind": "monthly", "day": -1, "time": "20:00"})), "every month on the last day at 20:00");
    let fridays: Vec<String> = (0..14)
        .map(|week| (chrono::NaiveDate::from_ymd_opt(2027, 1, 1).unwrap() + chrono::Days::new(7 * week)).to_string())
        .collect();
    let many = say(&json!({"kind": "weekly", "days": ["friday"], "time": "20:00", "except": fridays}));
    assert!(many.ends_with("2027-03-19 and 2 more"), "{many}");
}

//! Fields that are right each and mean nothing together.

use serde_json::{Value, json};

use super::{good, only_fault};

fn fridays(more: &Value) -> Value {
    let mut schedule = json!({"kind": "weekly", "days": ["friday"], "time": "20:00"});
    for (field, value) in more.as_object().unwrap() {
        schedule[field] = value.clone();
    }
    schedule
}

#[test]
fn what_means_nothing_together_is_refused_in_words() {
    for (more, pointer, code, says) in [
        (json!({"every": 2}), "/from", "required", "every is counted from a date"),
        (json!({"count": 3}), "/from", "required", "count is counted from a date"),
        (json!({"every": 2, "count": 3}), "/from", "required", "every is counted"),
        (json!({"from": "2027-03-05", "until": "2027-12-31", "count": 3}), "/count", "not_allowed", "not with both"),
        (json!({"from": "2027-03-05", "until": "2027-03-04"}), "/until", "out_of_range", "must not lie before from"),
        (json!({"from": "2027-03-06", "until": "2027-03-11"}), "/until", "yields_nothing", "no occurrence at all"),
        (json!({"until": "1970-01-01"}), "/until", "yields_nothing", "no occurrence at all"),
        (json!({"every": 3, "from": "2027-03-06", "until": "2027-03-25"}), "/until", "yields_nothing", "no occurrence at all"),
        (json!({"from": "2099-12-26"}), "/from", "yields_nothing", "no occurrence at all"),
        (json!({"from": "2099-12-01", "count": 9}), "/count", "out_of_range", "after 2099"),
        (json!({"from": "1970-01-01", "every": 100, "count": 10_000}), "/count", "out_of_range", "after 2099"),
        (json!({"except": ["2027-03-06"]}), "/except/0", "never_yielded", "a Saturday"),
        (json!({"except": ["2027-03-05", "2027-03-08"]}), "/except/1", "never_yielded", "next is on 2027-03-12"),
        (json!({"from": "2027-03-05", "except": ["2027-02-26"]}), "/except/0", "never_yielded", "first is on 2027-03-05"),
        (json!({"until": "2027-03-05", "except": ["2027-03-12"]}), "/except/0", "never_yielded", "last is on 2027-03-05"),
        (
            json!({"every": 2, "from": "2027-03-05", "except": ["2027-03-12"]}),
            "/except/0",
            "never_yielded",
            "next is on 2027-03-19",
        ),
        (
            json!({"from": "2027-03-05", "count": 2, "except": ["2027-03-19"]}),
            "/except/0",
            "never_yielded",
            "last is on 2027-03-12",
        ),
        (json!({"except": ["2027-03-05T12:00"]}), "/except/0", "never_yielded", "none of the day's times"),
        (json!({"except": ["2027-03-05T20:00:30"]}), "/except/0", "never_yielded", "none of the day's times"),
        (
            json!({"from": "2027-03-05", "count": 1, "except": ["2027-03-05"]}),
            "/except",
            "yields_nothing",
            "everything is left out",
        ),
    ] {
        let (found, told, detail) = only_fault(&fridays(&more));
        assert_eq!((found.as_str(), told), (pointer, code), "{more}: {detail}");
        assert!(detail.contains(says), "{more}: {detail}");
    }
}

#[test]
fn the_narrowest_that_mean_something_are_taken() {
    for more in [
        json!({"from": "2027-03-05", "until": "2027-03-05"}),
        json!({"from": "2027-03-06", "until": "2027-03-12"}),
        json!({"from": "2099-12-25", "count": 1}),
        json!({"from": "1970-01-01", "count": 6_782}),
        json!({"from": "2027-03-05", "count": 2, "except": ["2027-03-12"]}),
        json!({"every": 1, "from": null, "until": null, "count": null, "except": null, "times": null}),
        json!({"every": 100, "from": "1970-01-01", "except": []}),
    ] {
        good(&fridays(&more));
    }
    good(&json!({"kind": "monthly", "day": -1, "nth": null, "weekday": null, "time": "00:00"}));
}

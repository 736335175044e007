//! Whether a value may be borrowed: what its declaration admits. Judged when a plan is saved, and again when it is sent, for a
//! declaration may have changed in between.

use std::cmp::Ordering;

use serde_json::Value;

use crate::manifest::Lease;
use crate::value::{canonical, compare};

/// What the declaration of a value to borrow does not admit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outside {
    /// The parameter of the borrowing step: `value` or `minutes`.
    pub param: &'static str,
    pub code: &'static str,
    pub detail: String,
}

impl Lease {
    /// The longest hold, in whole minutes.
    pub fn longest_minutes(&self) -> u64 {
        self.max_duration_ms / 60_000
    }

    /// The value's type and bounds, which are inclusive. Nothing is clamped.
    pub fn admits(&self, value: &Value) -> Result<(), Outside> {
        let outside = |code, detail| Outside { param: "value", code, detail };
        let text =
            canonical(self.value_type, value).map_err(|fault| outside("wrong_value", format!("{} {fault}", self.label)))?;
        let past = |bound: &Option<String>, side| {
            bound.as_ref().is_some_and(|bound| compare(self.value_type, &text, bound) == Some(side))
        };
        if past(&self.min, Ordering::Less) || past(&self.max, Ordering::Greater) {
            let told = |bound: &Option<String>| bound.clone().unwrap_or_else(|| "any".to_owned());
            let (min, max) = (told(&self.min), told(&self.max));
            return Err(outside("out_of_range", format!("{} must be {min} to {max}, not {text}", self.label)));
        }
        Ok(())
    }

    /// A hold of so many minutes; the parameter as it was written.
    pub fn admits_minutes(&self, minutes: &Value) -> Result<(), Outside> {
        let longest = self.longest_minutes();
        if minutes.as_u64().is_some_and(|asked| (1..=longest).contains(&asked)) {
            return Ok(());
        }
        let detail = format!("{} may be borrowed for 1 to {longest} minutes, not {minutes}", self.label);
        Err(Outside { param: "minutes", code: "out_of_range", detail })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn rate() -> Lease {
        serde_json::from_value(
            json!({"id": "demo.rate.gather", "label": "Gathering rate", "type": "float", "min": "0.5", "max": "5",
            "maxDurationMs": 86_400_000, "reaches": "everyone", "budgetMs": 5_000}),
        )
        .unwrap()
    }

    #[test]
    fn bounds_are_inclusive_and_nothing_is_clamped() {
        let rate = rate();
        for good in [json!(0.5), json!("0.5"), json!(5), json!("5"), json!("2")] {
            assert_eq!(rate.admits(&good), Ok(()), "{good}");
        }
        for far in [json!(7.5), json!(0.49), json!("5.0000001"), json!(-1), json!("7.5")] {
            assert_eq!(rate.admits(&far).unwrap_err().code, "out_of_range", "{far}");
        }
        for odd in [json!(null), json!("NaN"), json!("1e309"), json!(true), json!([2]), json!(""), json!("5.0")] {
            assert_eq!(rate.admits(&odd).unwrap_err().code, "wrong_value", "{odd}");
        }
    }

    #[test]
    fn a_hold_is_whole_minutes_up_to_the_longest() {
        let rate = rate();
        for good in [1, 60, 1_440] {
            assert_eq!(rate.admits_minutes(&json!(good)), Ok(()));
        }
        for odd in [json!(0), json!(-1), json!(1_441), json!(1.5), json!("60"), json!(null)] {
            assert_eq!(rate.admits_minutes(&odd).unwrap_err().param, "minutes", "{odd}");
        }
    }
}

//! What is borrowed is judged once more when it is sent: a declaration may have changed since the plan was published.

use leasehold_module::{Lease, ParamType, Reaches};

use super::super::*;
use super::bench::*;
use crate::authorise::Denied;

/// What a module lets be borrowed: from the least to the most, for so many minutes.
pub fn lendable(min: &str, max: &str, minutes: u64) -> Lease {
    Lease {
        id: "demo.rate".into(),
        label: "The rate".into(),
        value_type: ParamType::Float,
        min: Some(min.into()),
        max: Some(max.into()),
        max_duration_ms: minutes * 60_000,
        reaches: Reaches::Everyone,
        object: None,
        budget_ms: 5_000,
    }
}

/// A run that borrows the value 2 for an hour, begun where the module lends this.
fn begun(lends: Option<Lease>) -> Bench {
    let mut bench = Bench::new(vec![phase("one", vec![borrowing("rate")], None)]);
    let leases = lends.into_iter().map(|lease| (lease.id.clone(), lease)).collect();
    bench.start(0, Facts { leases, ..facts() });
    bench
}

#[test]
fn a_value_past_bounds_that_were_narrowed_is_refused_with_both_and_nothing_is_taken() {
    for (lends, param, told) in [
        (lendable("0.5", "1.5", 120), "value", "The rate must be 0.5 to 1.5, not 2"),
        (lendable("2.5", "5", 120), "value", "The rate must be 2.5 to 5, not 2"),
        (lendable("0.5", "5", 59), "minutes", "The rate may be borrowed for 1 to 59 minutes, not 60"),
    ] {
        let bench = begun(Some(lends));
        assert_eq!(bench.types(), ["run_started", "phase_entered", "step_refused", "run_degraded", "run_paused"], "{told}");
        let why = bench.run.step("rate").unwrap().refused.clone().unwrap();
        assert_eq!(why.code(), "out_of_bounds");
        assert!(why.to_string().ends_with(told), "{why}");
        assert!(matches!(why, Denied::OutOfBounds { param: named, .. } if named == param));
        assert!(bench.run.holdings.is_empty() && bench.run.step("rate").unwrap().attempts == 0);
    }
}

#[test]
fn what_just_fits_is_sent() {
    for lends in [lendable("2", "2", 60), lendable("2.00", "3", 60)] {
        assert_eq!(begun(Some(lends)).types(), ["run_started", "phase_entered", "step_claimed"]);
    }
}

#[test]
fn what_is_not_lent_any_more_is_not_sent() {
    let bench = begun(None);
    let error = bench.run.step("rate").unwrap().last_error.clone().unwrap();
    assert_eq!((error.code.as_str(), bench.run.status), ("lease_missing", RunStatus::Paused));
    assert!(bench.run.holdings.is_empty());
}

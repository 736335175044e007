use super::*;
use crate::config::Config;
use leasehold_link::wire::{ErrorName, Refusal};

const KEY: &str = "PlayerCaps.SkillCap";
const DAY_MS: u64 = 24 * 3600 * 1000;

struct Bench {
    plane: LeasePlane,
    config: Config,
}

impl Bench {
    fn new() -> Self {
        Self { plane: LeasePlane::new(DAY_MS), config: Config::default() }
    }

    fn apply(&mut self, run: &str, value: &str, hold_ms: u64) -> Result<Applied, Refusal> {
        self.plane.apply(1_000, &Order { run, key: KEY, value, hold_ms }, &mut self.config)
    }

    fn refused(&mut self, run: &str, value: &str, hold_ms: u64) -> ErrorName {
        let before = self.current();
        let refusal = self.apply(run, value, hold_ms).unwrap_err();
        assert_eq!(self.current(), before, "a refusal writes nothing");
        refusal.error
    }

    fn release(&mut self, run: &str, applied: &str) -> Released {
        self.plane.release(run, KEY, applied, &mut self.config).unwrap()
    }

    fn expire(&mut self, now_ms: i64) -> Vec<Expiry> {
        self.plane.expire(now_ms, &mut self.config)
    }

    fn current(&self) -> String {
        self.config.get(KEY).unwrap().to_owned()
    }

    fn staff_sets(&mut self, value: &str) {
        self.config.set(KEY, value).unwrap();
    }
}

#[test]
fn a_value_is_borrowed_and_given_back() {
    let mut bench = Bench::new();
    let applied = bench.apply("77", "1200", 600_000).unwrap();
    assert_eq!(applied, Applied { baseline: "1000".into(), applied: "1200".into(), until_ms: 601_000 });
    assert_eq!(bench.current(), "1200");
    assert_eq!(bench.release("77", "1200.0"), Released::Restored { baseline: "1000".into(), applied: "1200".into() });
    assert_eq!(bench.current(), "1000");
    assert_eq!(bench.release("77", "1200"), Released::NotHeld { current: "1000".into() });
}

#[test]
fn what_is_held_is_refused_to_everybody_also_to_its_holder() {
    let mut bench = Bench::new();
    bench.apply("77", "1200", 600_000).unwrap();
    for run in ["78", "77"] {
        let refusal = bench.apply(run, "1100", 600_000).unwrap_err();
        assert_eq!((refusal.error, &refusal.extra["holder"]), (ErrorName::Held, &"77".into()));
    }
    assert_eq!(bench.release("77", "1200"), Released::Restored { baseline: "1000".into(), applied: "1200".into() });
}

#[test]
fn limits_refuse_and_never_clamp() {
    let mut bench = Bench::new();
    for value in ["1201", "99", "0", "-1", "1200.0000001"] {
        let error = bench.refused("77", value, 1000);
        let whole = !value.contains('.');
        assert_eq!(error, if whole { ErrorName::OutOfRange } else { ErrorName::BadValue }, "{value}");
    }
    for value in ["", "many", "NaN", "1e3", "1000.5", " 1000", "0x400"] {
        assert_eq!(bench.refused("77", value, 1000), ErrorName::BadValue, "{value}");
    }
    assert_eq!(bench.refused("77", "1200", DAY_MS + 1), ErrorName::HoldTooLong);
    assert_eq!(bench.refused("77", "1200", u64::MAX), ErrorName::HoldTooLong);
    assert_eq!(bench.refused("77", "1200", 0), ErrorName::BadField);
    for value in ["100", "1200", "1200.0"] {
        bench.apply("77", value, DAY_MS).unwrap();
        bench.release("77", value);
    }
}

#[test]
fn a_key_that_is_read_at_start_may_not_be_borrowed() {
    let mut bench = Bench::new();
    let order = Order { run: "77", key: "Accounts.AccountsPerIp", value: "9", hold_ms: 1 };
    assert_eq!(bench.plane.apply(0, &order, &mut bench.config).unwrap_err().error, ErrorName::UnknownLease);
}

#[test]
fn what_staff_moved_stays_and_may_be_borrowed_again() {
    let mut bench = Bench::new();
    bench.apply("77", "1200", 600_000).unwrap();
    bench.staff_sets("1350");
    let drifted = Released::Drifted { current: "1350".into(), baseline: "1000".into(), applied: "1200".into() };
    assert_eq!(bench.release("77", "1200"), drifted);
    assert_eq!(bench.current(), "1350");
    assert_eq!(
        bench.release("77", "1200"),
        Released::NotHeld { current: "1350".into() },
        "asked again, nothing is written either"
    );
    assert_eq!(bench.apply("78", "1200", 1).unwrap().baseline, "1350");
}

#[test]
fn staff_who_write_the_applied_value_anew_have_not_drifted_it() {
    let mut bench = Bench::new();
    bench.apply("77", "1200", 600_000).unwrap();
    bench.staff_sets("1100");
    bench.staff_sets("1200");
    assert!(matches!(bench.release("77", "1200"), Released::Restored { .. }));
}

#[test]
fn the_deadline_puts_back_by_itself_and_tells_the_late_release() {
    let mut bench = Bench::new();
    bench.apply("77", "1200", 600_000).unwrap();
    assert_eq!(bench.expire(600_999), []);
    assert_eq!(bench.current(), "1200");
    let [expiry] = &bench.expire(601_000)[..] else { panic!("one") };
    assert!(expiry.restored && expiry.current == "1000" && expiry.run == "77");
    let held = bench.plane.rows(&bench.config)[0].held.clone().unwrap();
    assert_eq!((held.expired, held.restored, held.run_id.as_str()), (true, true, "77"));
    assert_eq!(bench.release("77", "1200"), Released::AlreadyRestored { current: "1000".into() });
    assert_eq!(bench.plane.rows(&bench.config)[0].held, None);
    assert_eq!(bench.expire(i64::MAX), []);
}

#[test]
fn a_deadline_that_finds_another_value_leaves_it() {
    let mut bench = Bench::new();
    bench.apply("77", "1200", 600_000).unwrap();
    bench.staff_sets("1350");
    assert!(!bench.expire(601_000)[0].restored);
    assert_eq!(bench.current(), "1350");
    let drifted = Released::Drifted { current: "1350".into(), baseline: "1000".into(), applied: "1200".into() };
    assert_eq!(bench.release("77", "1200"), drifted);
}

#[test]
fn a_hold_that_is_past_hinders_nobody_and_keeps_its_verdict() {
    let mut bench = Bench::new();
    bench.apply("77", "1200", 1).unwrap();
    bench.expire(2_000);
    assert_eq!(bench.apply("78", "1100", 600_000).unwrap().baseline, "1000", "the true baseline");
    assert_eq!(bench.release("77", "1200"), Released::AlreadyRestored { current: "1100".into() });
    assert_eq!(bench.current(), "1100", "the other run's value stays");
    assert!(matches!(bench.release("78", "1100"), Released::Restored { .. }));
}

#[test]
fn a_release_of_another_value_than_was_applied_writes_nothing() {
    let mut bench = Bench::new();
    bench.apply("77", "1200", 600_000).unwrap();
    let refusal = bench.plane.release("77", KEY, "1100", &mut bench.config).unwrap_err();
    assert_eq!((refusal.error, bench.current().as_str()), (ErrorName::AppliedMismatch, "1200"));
    assert_eq!(bench.release("78", "1200"), Released::NotHeld { current: "1200".into() }, "nor does another run's");
    assert_eq!(bench.current(), "1200");
}

#[test]
fn the_memory_of_past_holds_is_bounded() {
    let mut bench = Bench::new();
    for run in 0..2_000 {
        bench.apply(&run.to_string(), "1200", 1).unwrap();
        bench.expire(2_000);
    }
    assert_eq!(bench.release("0", "1200"), Released::NotHeld { current: "1000".into() });
    assert_eq!(bench.release("1999", "1200"), Released::AlreadyRestored { current: "1000".into() });
}

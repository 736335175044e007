use super::*;
use crate::{
    config::{Config, Rules},
    world::{Dial, Population, Season, Status, World},
};
use leasehold_link::wire::{ErrorName, Refusal};

const KEY: &str = "PlayerCaps.SkillCap";
const DAY_MS: u64 = 24 * 3600 * 1000;

struct Bench {
    plane: LeasePlane,
    config: Config,
    world: World,
}

impl Bench {
    fn new() -> Self {
        let world = World::populated(7, Population::default());
        Self { plane: LeasePlane::new(DAY_MS), config: Config::default(), world }
    }

    fn parts(&mut self) -> (&mut LeasePlane, Ground<'_>) {
        (&mut self.plane, Ground { config: &mut self.config, world: &mut self.world })
    }

    fn borrow(&mut self, run: &str, key: &str, value: &str, hold_ms: u64) -> Result<Applied, Refusal> {
        let (plane, mut ground) = self.parts();
        plane.apply(1_000, &Order { run, by: &format!("{run}-{key}"), key, value, hold_ms }, &mut ground)
    }

    fn give_back(&mut self, run: &str, key: &str, applied: &str) -> Result<Released, Refusal> {
        let (plane, mut ground) = self.parts();
        plane.release(run, key, applied, &mut ground)
    }

    fn held(&mut self) -> Option<leasehold_link::wire::Held> {
        let (plane, ground) = self.parts();
        plane.rows(&ground, Some(KEY)).remove(0).held
    }

    fn check(&mut self) {
        let rules = Rules::read(&self.config);
        self.plane.offered = probe(&self.plane.offered, &self.config, &rules, &self.world).0;
    }

    fn apply(&mut self, run: &str, value: &str, hold_ms: u64) -> Result<Applied, Refusal> {
        self.borrow(run, KEY, value, hold_ms)
    }

    fn refused(&mut self, run: &str, value: &str, hold_ms: u64) -> ErrorName {
        let before = self.current();
        let refusal = self.apply(run, value, hold_ms).unwrap_err();
        assert_eq!(self.current(), before, "a refusal writes nothing");
        refusal.error
    }

    fn release(&mut self, run: &str, applied: &str) -> Released {
        self.give_back(run, KEY, applied).unwrap()
    }

    fn expire(&mut self, now_ms: i64) -> Vec<Expiry> {
        let (plane, mut ground) = self.parts();
        plane.expire(now_ms, &mut ground)
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
fn a_key_that_is_read_at_start_is_found_out_and_may_not_be_borrowed() {
    let mut bench = Bench::new();
    bench.check();
    let refused = bench.borrow("77", "Accounts.AccountsPerIp", "9", 1).unwrap_err();
    assert_eq!(refused.error, ErrorName::UnknownLease, "it sets, reads back, restores, and does nothing");
    assert_eq!(bench.plane.offered.config.len(), CATALOGUE.len() - 1);
    let season = bench.borrow("77", "season:TokunoTreasures.Status", "Active", 1).unwrap_err();
    assert_eq!(season.error, ErrorName::UnknownLease, "it goes by its own era");
    assert_eq!((bench.plane.offered.dials.len(), bench.plane.offered.seasons.len()), (4, 8));
}

#[test]
fn whatever_is_made_inert_is_found_out_and_nothing_else_is() {
    for (key, name) in [
        ("PlayerCaps.StatCap", "200"),
        ("Combat.DamagePercent", "200"),
        ("object:*.MinDelay", "20"),
        ("object:*.Running", "false"),
        ("object:*.MaxCount", "1"),
        ("object:*.MaxDelay", "9"),
        ("season:HarvestFair.Status", "Active"),
    ] {
        let mut bench = Bench::new();
        bench.check();
        let before = bench.plane.offered.len();
        assert!(inert(key, true, &mut bench.parts().1), "{key}");
        bench.check();
        assert_eq!(bench.plane.offered.len(), before - 1, "{key}");
        let one = key.replace('*', "yew-orchard-1");
        assert_eq!(bench.borrow("77", &one, name, 1).unwrap_err().error, ErrorName::UnknownLease, "{key}");
        inert(key, false, &mut bench.parts().1);
        bench.check();
        bench.borrow("77", &one, name, 1).unwrap();
    }
    assert!(!inert("object:*.Amount", true, &mut Bench::new().parts().1));
}

#[test]
fn a_dial_is_borrowed_under_its_one_name_and_one_hold_is_one() {
    let mut bench = Bench::new();
    let serial = bench.world.spawners.find("yew-orchard-1").unwrap().serial;
    let (named, by_serial) = ("object:yew-orchard-1.MaxCount", format!("object:{serial}.MaxCount"));
    let refusal = bench.borrow("77", &by_serial, "12", 600_000).unwrap_err();
    assert_eq!((refusal.error, &refusal.extra["goesBy"]), (ErrorName::UnknownLease, &named.into()));
    let applied = bench.borrow("77", named, "12.0", 600_000).unwrap();
    assert_eq!((applied.baseline.as_str(), applied.applied.as_str()), ("4", "12"));
    assert_eq!(bench.borrow("78", named, "3", 1).unwrap_err().error, ErrorName::Held);
    assert!(
        matches!(bench.give_back("78", &by_serial, "12").unwrap(), Released::NotHeld { .. }),
        "and is given back under either"
    );
    assert_eq!(bench.world.spawners.find("yew-orchard-1").unwrap().dials.max_count, 12);
    assert!(matches!(bench.give_back("77", named, "12").unwrap(), Released::Restored { .. }));
    assert_eq!(bench.world.spawners.find("yew-orchard-1").unwrap().dials.max_count, 4);
    for (key, value, error) in [
        ("object:yew-orchard-1.Amount", "1", ErrorName::UnknownLease),
        ("object:nowhere.MaxCount", "1", ErrorName::UnknownLease),
        ("object:.MaxCount", "1", ErrorName::UnknownLease),
        (named, "51", ErrorName::OutOfRange),
        (named, "-1", ErrorName::OutOfRange),
        ("object:yew-orchard-1.Running", "yes", ErrorName::BadValue),
        ("season:HarvestFair.Status", "On", ErrorName::BadValue),
        ("season:Easter.Status", "Active", ErrorName::UnknownLease),
        ("season:HarvestFair", "Active", ErrorName::UnknownLease),
    ] {
        assert_eq!(bench.borrow("77", key, value, 1).unwrap_err().error, error, "{key}");
    }
}

#[test]
fn a_dial_that_staff_turn_is_left_and_a_spawner_that_is_gone_is_no_fault() {
    let mut bench = Bench::new();
    let serial = bench.world.spawners.find("yew-orchard-2").unwrap().serial;
    let key = "object:yew-orchard-2.Running";
    bench.borrow("77", key, "False", 600_000).unwrap();
    bench.world.turn(serial, Dial::Running, "true");
    assert!(matches!(bench.give_back("77", key, "false").unwrap(), Released::Drifted { .. }));
    bench.borrow("77", key, "false", 600_000).unwrap();
    bench.world.remove_spawner(serial);
    assert_eq!(bench.give_back("77", key, "false").unwrap(), Released::TargetGone);
    assert_eq!(bench.give_back("77", key, "false").unwrap(), Released::TargetGone, "twice succeeds twice");
    assert_eq!(bench.give_back("77", "object:yew-orchard-2.Amount", "1").unwrap_err().error, ErrorName::UnknownLease);
    assert_eq!(bench.expire(i64::MAX), []);
}

#[test]
fn a_season_brings_its_content_and_takes_it_away() {
    let mut bench = Bench::new();
    let pieces = |bench: &Bench| bench.world.seasons.pieces(Season::HarvestFair);
    bench.borrow("77", "season:HarvestFair.Status", "active", 600_000).unwrap();
    assert!(pieces(&bench) > 0);
    assert!(bench.expire(601_000)[0].restored);
    assert_eq!((pieces(&bench), bench.world.seasons.status(Season::HarvestFair)), (0, Status::Inactive));
}

#[test]
fn a_hold_that_is_saved_goes_on_for_what_is_left_of_it_and_one_that_ended_since_is_ended_again() {
    let key = "object:yew-orchard-1.MaxCount";
    let mut bench = Bench::new();
    bench.apply("77", "1200", 600_000).unwrap();
    bench.borrow("77", key, "9", 600_000).unwrap();
    let kept = bench.plane.kept(301_000);
    assert_eq!(kept.len(), 1, "of the configuration nothing is kept");
    let text = serde_json::to_string(&kept).unwrap();

    let after_a_start = |now_ms: i64, tombstones: &Tombstones| {
        let mut bench = Bench::new();
        let serial = bench.world.spawners.find("yew-orchard-1").unwrap().serial;
        bench.world.turn(serial, Dial::MaxCount, "9");
        bench.plane.tombstones = tombstones.clone();
        let (plane, mut ground) = bench.parts();
        let ended = plane.take_up(serde_json::from_str(&text).unwrap(), now_ms, &mut ground);
        (bench, ended)
    };
    let none = Tombstones::default();
    let (mut later, ended) = after_a_start(400_000, &none);
    assert_eq!((ended, later.expire(600_999), later.expire(601_000).len()), (vec![], vec![], 1));
    let (mut put_back, _) = after_a_start(0, &none);
    assert_eq!(put_back.expire(299_999), [], "the clock went back five minutes");
    assert!(put_back.expire(300_000)[0].restored, "what was left of it is not prolonged");

    bench.give_back("77", key, "9").unwrap();
    let (crashed, ended) = after_a_start(302_000, &bench.plane.tombstones);
    assert!(ended[0].restored);
    assert_eq!(crashed.world.spawners.find("yew-orchard-1").unwrap().dials.max_count, 4);
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
    let held = bench.held().unwrap();
    assert_eq!((held.expired, held.restored, held.run_id.as_str()), (true, true, "77"));
    assert_eq!(bench.release("77", "1200"), Released::AlreadyRestored { current: "1000".into() });
    assert_eq!(bench.held(), None);
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
    let refusal = bench.give_back("77", KEY, "1100").unwrap_err();
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

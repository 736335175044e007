//! The borrowed value: applied with its baseline, put back, left alone where somebody else moved it.

use leasehold_module::{InForce, LeaseApplied, LeaseApply, LeaseRead, LeaseRestored, Module};

use crate::common::{apply, claim, key, query, restore};
use crate::pair::{CONSENTS, Sidecar};

fn applied(value: &str, replayed: bool) -> LeaseApplied {
    LeaseApplied::Applied { baseline: "1000".into(), applied: value.into(), replayed }
}

fn let_go(reason: &str) -> LeaseRestored {
    LeaseRestored::LetGo { reason: reason.into(), current: "1000".into() }
}

#[tokio::test]
async fn a_value_is_borrowed_once_and_given_back() {
    let sidecar = Sidecar::start().await;
    let shard = sidecar.shard(&CONSENTS).await;
    let uo = sidecar.uo();
    assert_eq!(uo.lease_read(query("run-1")).await, LeaseRead::Value("1000".into()));
    assert_eq!(uo.lease_in_force(query("run-1")).await, InForce::No);
    assert_eq!(uo.lease_apply(apply("run-1", key(1), "1200")).await, applied("1200", false));
    assert_eq!(uo.lease_apply(apply("run-1", key(1), "1200")).await, applied("1200", true), "the baseline is not read again");
    assert_eq!(uo.lease_read(query("run-1")).await, LeaseRead::Value("1200".into()));
    assert_eq!(uo.lease_in_force(query("run-1")).await, InForce::Yes);
    assert_eq!(uo.lease_in_force(query("run-2")).await, InForce::No);
    assert_eq!(uo.lease_restore(restore("run-1", key(2), "1200")).await, LeaseRestored::Restored);
    assert_eq!(uo.lease_restore(restore("run-1", key(2), "1200")).await, LeaseRestored::Restored, "a repeat of the key");
    assert_eq!(uo.lease_read(query("run-1")).await, LeaseRead::Value("1000".into()));
    assert_eq!(shard.outcomes(&key(1)).await, ["applied", "replayed"]);
}

#[tokio::test]
async fn a_dry_run_tells_the_value_and_holds_nothing() {
    let sidecar = Sidecar::start().await;
    let _shard = sidecar.shard(&CONSENTS).await;
    let uo = sidecar.uo();
    let dry = |value: &str, hold_ms| LeaseApply { verify: true, hold_ms, ..apply("run-1", key(1), value) };
    assert_eq!(uo.lease_apply(dry("1200", 60_000)).await, LeaseApplied::Acceptable { current: "1000".into() });
    assert_eq!(uo.lease_in_force(query("run-1")).await, InForce::No);
    for (request, code) in [(dry("1201", 60_000), "out_of_range"), (dry("1200", 86_400_001), "hold_too_long")] {
        for verify in [true, false] {
            let LeaseApplied::Failed(failure) = uo.lease_apply(LeaseApply { verify, ..request.clone() }).await else {
                panic!("{code}")
            };
            assert_eq!(claim(&failure), (code, false, false));
        }
    }
}

#[tokio::test]
async fn what_staff_moved_is_left_as_they_left_it() {
    let sidecar = Sidecar::start().await;
    let shard = sidecar.shard(&CONSENTS).await;
    let uo = sidecar.uo();
    assert_eq!(uo.lease_apply(apply("run-1", key(1), "1200")).await, applied("1200", false));
    shard.console("config set PlayerCaps.SkillCap 1100").await;
    assert_eq!(uo.lease_restore(restore("run-1", key(2), "1200")).await, LeaseRestored::Drifted { current: "1100".into() });
    assert_eq!(uo.lease_read(query("run-1")).await, LeaseRead::Value("1100".into()));
    assert_eq!(uo.lease_in_force(query("run-1")).await, InForce::No, "it can be borrowed again");
}

#[tokio::test]
async fn a_deadline_that_passed_at_the_game_is_no_drift() {
    let sidecar = Sidecar::start().await;
    let shard = sidecar.shard(&CONSENTS).await;
    let uo = sidecar.uo();
    assert_eq!(uo.lease_apply(apply("run-1", key(1), "1200")).await, applied("1200", false));
    shard.console("clock +601").await;
    assert_eq!(uo.lease_restore(restore("run-1", key(2), "1200")).await, let_go("deadline"));
    assert_eq!(uo.lease_in_force(query("run-1")).await, InForce::No);
}

#[tokio::test]
async fn a_restart_that_put_it_back_is_no_drift() {
    let sidecar = Sidecar::start().await;
    let shard = sidecar.shard(&CONSENTS).await;
    let uo = sidecar.uo();
    assert_eq!(uo.lease_apply(apply("run-1", key(1), "1200")).await, applied("1200", false));
    shard.kill().await;
    let _shard = sidecar.shard(&CONSENTS).await;
    assert_eq!(uo.lease_in_force(query("run-1")).await, InForce::No);
    assert_eq!(uo.lease_restore(restore("run-1", key(2), "1200")).await, let_go("restart"));
}

#[tokio::test]
async fn two_runs_cannot_hold_one_value() {
    let sidecar = Sidecar::start().await;
    let _shard = sidecar.shard(&CONSENTS).await;
    let uo = sidecar.uo();
    assert_eq!(uo.lease_apply(apply("run-1", key(1), "1200")).await, applied("1200", false));
    let LeaseApplied::Failed(failure) = uo.lease_apply(apply("run-2", key(2), "1100")).await else { panic!("held") };
    assert_eq!(claim(&failure), ("held", false, false));
    assert_eq!(uo.lease_read(query("run-2")).await, LeaseRead::Value("1200".into()));
}

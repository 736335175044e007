//! Answers that are lost on the way, each made by a fault of the shard, and what asking again with the same key finds.

use leasehold_module::{LeaseApplied, Module};

use crate::common::{apply, claim, done, failed, key, spawn};
use crate::pair::{CONSENTS, Sidecar};

#[tokio::test]
async fn a_dropped_answer_is_unknown_and_the_repeat_tells_it() {
    let sidecar = Sidecar::impatient().await;
    let shard = sidecar.shard(&CONSENTS).await;
    let uo = sidecar.uo();
    shard.console("fault drop-ack world.spawn").await;
    assert_eq!(claim(&failed(uo.perform(spawn("run-1", key(1), 12)).await)), ("no_answer", true, true));
    let told = done(uo.perform(spawn("run-1", key(1), 12)).await);
    assert_eq!((told.replayed, told.resources.len()), (true, 12));
    assert_eq!(shard.outcomes(&key(1)).await, ["applied", "replayed"]);
}

#[tokio::test]
async fn a_dropped_apply_keeps_its_baseline() {
    let sidecar = Sidecar::impatient().await;
    let shard = sidecar.shard(&CONSENTS).await;
    let uo = sidecar.uo();
    shard.console("fault drop-ack lease.apply").await;
    let LeaseApplied::Failed(lost) = uo.lease_apply(apply("run-1", key(1), "1200")).await else { panic!("it was dropped") };
    assert_eq!(claim(&lost), ("no_answer", true, true));
    let told = uo.lease_apply(apply("run-1", key(1), "1200")).await;
    assert_eq!(told, LeaseApplied::Applied { baseline: "1000".into(), applied: "1200".into(), replayed: true });
}

#[tokio::test]
async fn what_is_being_worked_on_is_neither_a_yes_nor_a_no() {
    let sidecar = Sidecar::impatient().await;
    let shard = sidecar.shard(&CONSENTS).await;
    let uo = sidecar.uo();
    shard.console("fault hold world.spawn").await;
    assert_eq!(claim(&failed(uo.perform(spawn("run-1", key(1), 2)).await)), ("no_answer", true, true));
    assert_eq!(claim(&failed(uo.perform(spawn("run-1", key(1), 2)).await)), ("busy", true, true));
    shard.console("fault release").await;
    assert_eq!(done(uo.perform(spawn("run-1", key(1), 2)).await).resources.len(), 2);
    assert_eq!(shard.applied(&key(1)).await, 1);
}

#[tokio::test]
async fn a_command_cut_short_by_a_crash_is_unknown_for_good() {
    let sidecar = Sidecar::start().await;
    let shard = sidecar.shard(&CONSENTS).await;
    let uo = sidecar.uo();
    shard.console("fault crash-after world.spawn").await;
    assert_eq!(claim(&failed(uo.perform(spawn("run-1", key(1), 2)).await)), ("no_answer", true, true));
    assert_eq!(claim(&failed(uo.perform(spawn("run-1", key(1), 2)).await)), ("not_sent", true, false));
    let _again = sidecar.shard(&CONSENTS).await;
    assert_eq!(claim(&failed(uo.perform(spawn("run-1", key(1), 2)).await)), ("interrupted", false, true));
}

#[tokio::test]
async fn a_handler_that_fails_half_way_is_no_refusal() {
    for (fault, code) in [("throw", "handler_failed"), ("mute", "no_reply")] {
        let sidecar = Sidecar::start().await;
        let shard = sidecar.shard(&CONSENTS).await;
        let uo = sidecar.uo();
        shard.console(&format!("fault {fault} world.spawn")).await;
        assert_eq!(claim(&failed(uo.perform(spawn("run-1", key(1), 2)).await)), (code, false, true));
    }
}

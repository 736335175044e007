//! Who may reach the game at all: token, connection, and the operator's two switches.

use leasehold_module::{InForce, LeaseApplied, Module, Perform};
use serde_json::json;

use crate::common::{apply, claim, done, failed, key, perform, query, spawn};
use crate::pair::{CONSENTS, Sidecar};

fn hail(verify: bool) -> Perform {
    Perform { verify, ..perform("uo.broadcast", "run-1", key(9), &json!({"text": "hail"})) }
}

#[tokio::test]
async fn without_a_game_on_the_line_nothing_is_sent() {
    let sidecar = Sidecar::start().await;
    let uo = sidecar.uo();
    for verify in [true, false] {
        let raid = Perform { verify, ..spawn("run-1", key(1), 3) };
        assert_eq!(claim(&failed(uo.perform(raid).await)), ("not_sent", true, false));
    }
    assert_eq!(uo.key_memory_seconds("main").await, None);
    assert!(matches!(uo.lease_in_force(query("run-1")).await, InForce::Unknown(_)));
}

#[tokio::test]
async fn a_wrong_token_is_refused() {
    let sidecar = Sidecar::start().await;
    let uo = sidecar.uo_with_token("another");
    for verify in [true, false] {
        assert_eq!(claim(&failed(uo.perform(hail(verify)).await)), ("unauthorized", false, false));
    }
}

#[tokio::test]
async fn each_switch_is_the_operators() {
    let sidecar = Sidecar::start().await;
    let _shard = sidecar.shard(&[]).await;
    let uo = sidecar.uo();
    for verify in [true, false] {
        let raid = Perform { verify, ..spawn("run-1", key(1), 3) };
        assert_eq!(claim(&failed(uo.perform(raid).await)), ("events_disabled", false, false));
        let LeaseApplied::Failed(failure) = uo.lease_apply(apply("run-1", key(2), "1200")).await else { panic!("refused") };
        assert_eq!(claim(&failure), ("events_disabled", false, false));
    }
    assert_eq!(claim(&failed(uo.perform(hail(false)).await)), ("admin_disabled", false, false));
}

#[tokio::test]
async fn a_broadcast_is_said_once_for_one_key() {
    let sidecar = Sidecar::start().await;
    let shard = sidecar.shard(&CONSENTS).await;
    let uo = sidecar.uo();
    done(uo.perform(hail(true)).await);
    assert_eq!(shard.outcomes(&key(9)).await, [""; 0], "a dry run says nothing");
    assert!(!done(uo.perform(hail(false)).await).replayed);
    assert!(done(uo.perform(hail(false)).await).replayed);
    assert_eq!(shard.outcomes(&key(9)).await, ["applied", "replayed"]);
    assert_eq!(uo.key_memory_seconds("main").await, Some(3600));
}

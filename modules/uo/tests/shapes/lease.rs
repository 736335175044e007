//! Every answer to a lease, good and bad.

use leasehold_module::{InForce, LeaseApplied, LeaseRead, LeaseRestored, Module};
use serde_json::json;

use crate::canned::json_answer;
use crate::common::{apply, key, query, restore};
use crate::{against, catalogue, ok};

#[tokio::test]
async fn every_answer_to_a_lease() {
    let applied = |value: &str| json!({"kind": "lease.ok", "baseline": "1000", "applied": value, "untilMs": 5});
    let (uo, _canned) = against(vec![ok(&applied("1200")), ok(&applied("1100")), ok(&json!({"kind": "lease.ok"}))]).await;
    let expected = LeaseApplied::Applied { baseline: "1000".into(), applied: "1200".into(), replayed: false };
    assert_eq!(uo.lease_apply(apply("r", key(1), "1200")).await, expected);
    for what in ["another value", "no values"] {
        assert!(matches!(uo.lease_apply(apply("r", key(1), "1200")).await, LeaseApplied::Failed(f) if f.unknown), "{what}");
    }
    let let_go = |reason: &str| LeaseRestored::LetGo { reason: reason.into(), current: "1000".into() };
    let cases = [
        (json!({"kind": "lease.ok", "restored": true, "baseline": "1000", "current": "1000"}), LeaseRestored::Restored),
        (json!({"kind": "lease.ok", "alreadyRestored": true, "reason": "deadline", "current": "1000"}), let_go("deadline")),
        (json!({"kind": "lease.ok", "held": false, "current": "1000"}), let_go("restart")),
        (
            json!({"kind": "lease.drifted", "current": "1350", "baseline": "1000", "applied": "1200"}),
            LeaseRestored::Drifted { current: "1350".into() },
        ),
    ];
    for (body, expected) in cases {
        let (uo, _canned) = against(vec![ok(&body)]).await;
        assert_eq!(uo.lease_restore(restore("r", key(2), "1200")).await, expected);
    }
    for body in [json!({"kind": "lease.ok"}), json!({"kind": "lease.ok", "restored": false, "current": "1"})] {
        let (uo, _canned) = against(vec![ok(&body)]).await;
        assert!(matches!(uo.lease_restore(restore("r", key(2), "1200")).await, LeaseRestored::Failed(f) if f.unknown));
    }
}

#[tokio::test]
async fn only_an_explicit_no_takes_a_hold_out_of_force() {
    let held = |run: &str, expired: bool| json!({"runId": run, "baseline": "1000", "applied": "1200", "untilMs": 5, "expired": expired, "restored": expired});
    let cases = [
        (ok(&catalogue(&held("r", false))), Some(true)),
        (ok(&catalogue(&held("r", true))), Some(true)),
        (ok(&catalogue(&held("other", false))), Some(false)),
        (ok(&catalogue(&json!(null))), Some(false)),
        (ok(&json!({"kind": "lease.list.ok", "leases": []})), None),
        (ok(&json!({"kind": "lease.list.ok"})), None),
        (json_answer(503, &json!({"kind": "link.error", "error": "not_sent", "reason": "x"})), None),
    ];
    for (answer, expected) in cases {
        let (uo, _canned) = against(vec![answer]).await;
        let found = match uo.lease_in_force(query("r")).await {
            InForce::Yes => Some(true),
            InForce::No => Some(false),
            InForce::Unknown(_) => None,
        };
        assert_eq!(found, expected);
    }
}

#[tokio::test]
async fn a_read_is_the_value_now_or_a_failure() {
    let mut odd = catalogue(&json!(null));
    odd["leases"][0]["current"] = json!("plenty");
    let (uo, _canned) = against(vec![ok(&catalogue(&json!(null))), ok(&odd)]).await;
    assert_eq!(uo.lease_read(query("r")).await, LeaseRead::Value("1000".into()));
    assert!(matches!(uo.lease_read(query("r")).await, LeaseRead::Failed(f) if f.code == "nonsense"));
    let mut unknown = query("r");
    unknown.lease = "uo.config.gravity".into();
    assert!(matches!(uo.lease_read(unknown).await, LeaseRead::Failed(f) if f.code == "no_such_lease"));
}

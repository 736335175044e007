//! What the module makes of a game that answers what nobody may believe.

use leasehold_module::{Failure, Module, Perform, Performed};
use serde_json::{Value, json};

use crate::lanterns::{Lanterns, manifest};
use crate::link::Sidecar;

async fn hang(module: &dyn Module, key: &str) -> Failure {
    let order = Perform {
        action: "lanterns.hang".into(),
        run_id: "run-1".into(),
        step: "hang".into(),
        idempotency_key: key.into(),
        scope: "main".into(),
        params: json!({"place": "bridge", "count": 1}).as_object().cloned().unwrap(),
        fence: 1,
        ttl_ms: 60_000,
        actor: "runner".into(),
        verify: false,
        mark: None,
        ceiling: None,
    };
    match module.perform(order).await {
        Performed::Failed(failure) => failure,
        Performed::Done(success) => panic!("{success:?}"),
    }
}

#[tokio::test]
async fn a_yes_that_no_ledger_could_keep_is_unknown_and_a_no_by_any_name_is_a_no() {
    let sidecar = Sidecar::start().await;
    let lanterns = Lanterns::dial(&sidecar.game, "main", Some(manifest()));
    let module = sidecar.module(&manifest(), &lanterns).await;
    let thing = |kind: &str, reference: &str| json!({"kind": kind, "ref": reference});
    let yes = |resources: Value| json!({"kind": "act.ok", "resources": resources});
    let unbelievable = [
        yes(json!([thing("lantern", "1"), thing("lantern", "1")])),
        yes(json!([thing("", "1")])),
        yes(json!([thing("lantern", &"x".repeat(257))])),
        yes(json!([thing("lan\ntern", "1")])),
        yes(json!([{"kind": "lantern"}])),
        json!({"kind": "act.ok", "holdFor": 0}),
        json!({"kind": "act.ok", "holdFor": 604_801}),
        json!({"kind": "act.ok", "await": "godot"}),
        json!({"kind": "act.ok", "await": "human", "holdFor": 5}),
        json!({"kind": "act.ok", "participants": [{"memberKey": "", "score": "1"}]}),
        json!({"kind": "act.ok", "participants": [{"memberKey": "a", "score": "NaN"}]}),
        json!({"kind": "act.ok", "participants": [{"memberKey": "a", "score": "1", "joinedMs": i64::MAX}]}),
        json!({"kind": "act.revert.ok"}),
        json!({"kind": "lease.ok"}),
    ];
    for (number, answer) in unbelievable.into_iter().enumerate() {
        lanterns.say_next("act.perform", answer.clone());
        let failure = hang(&*module, &format!("{number:040x}")).await;
        assert_eq!((failure.code.as_str(), failure.unknown), ("nonsense", true), "{answer}: {failure:?}");
    }
    lanterns.say_next("act.perform", json!({"kind": "act.perform.error", "error": "wick_wet", "reason": "it rains"}));
    let failure = hang(&*module, &"e".repeat(40)).await;
    assert_eq!((failure.code.as_str(), failure.unknown, failure.retry), ("wick_wet", false, false));
}

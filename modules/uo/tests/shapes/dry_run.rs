//! A dry run reads, and fails where the real one would.

use leasehold_module::{LeaseApplied, Module};
use serde_json::json;

use crate::canned::json_answer;
use crate::common::{apply, done, failed, key, perform, spawn};
use crate::{against, catalogue, health, ok};

#[tokio::test]
async fn a_dry_run_only_reads() {
    let list = ok(&catalogue(&json!(null)));
    let (uo, canned) = against(vec![health(), list.clone(), health(), health(), list]).await;
    let mut raid = spawn("r", key(1), 12);
    raid.verify = true;
    assert!(done(uo.perform(raid).await).resources.is_empty());
    let mut hail = perform("uo.broadcast", "r", key(2), &json!({"text": "hail"}));
    hail.verify = true;
    done(uo.perform(hail).await);
    let mut hold = apply("r", key(3), "1200");
    hold.verify = true;
    assert_eq!(uo.lease_apply(hold).await, LeaseApplied::Acceptable { current: "1000".into() });
    let lines: Vec<_> = canned.requests().into_iter().map(|request| request.line).collect();
    assert!(lines.iter().all(|line| line.starts_with("GET ")), "{lines:?}");
    assert_eq!(lines.len(), 5);
}

#[tokio::test]
async fn a_dry_run_fails_where_the_real_one_would() {
    let disconnected = json!({"protocol": 7, "connected": false, "bootId": null, "keyMemorySec": null});
    let other = json!({"protocol": 6, "connected": true, "keyMemorySec": 3600});
    let off = json!({"kind": "lease.list.error", "error": "events_disabled", "reason": "EventsEnabled is off"});
    let turned_away = json!({"protocol": 7, "connected": false, "keyMemorySec": null, "refusedProtocol": 6});
    let cases = [
        (vec![ok(&turned_away)], "protocol_mismatch"),
        (vec![ok(&disconnected)], "not_sent"),
        (vec![ok(&other)], "protocol_mismatch"),
        (vec![ok(&json!({"protocol": 7}))], "nonsense"),
        (vec![json_answer(500, &json!({"protocol": 7, "connected": true, "keyMemorySec": 1}))], "nonsense"),
        (vec![json_answer(401, &json!({"kind": "link.error", "error": "unauthorized", "reason": "x"}))], "unauthorized"),
        (vec![health(), json_answer(403, &off)], "events_disabled"),
    ];
    for (answers, code) in cases {
        let (uo, _canned) = against(answers).await;
        let mut raid = spawn("r", key(1), 12);
        raid.verify = true;
        let failure = failed(uo.perform(raid).await);
        assert_eq!((failure.code.as_str(), failure.unknown), (code, false));
    }
    let (uo, canned) = against(Vec::new()).await;
    let mut horde = spawn("r", key(1), 31);
    horde.verify = true;
    assert_eq!(failed(uo.perform(horde).await).code, "ceiling_exceeded");
    assert!(canned.requests().is_empty());
}

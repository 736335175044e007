//! What the module makes of a sidecar that misbehaves: a listener that reads one request and answers with given bytes.

#[cfg(test)]
mod canned;
#[cfg(test)]
mod common;

use canned::{Canned, json_answer};
use common::{apply, claim, done, failed, key, perform, query, restore, revert, spawn};
use leasehold_module::{
    CloseRun, Closed, InForce, LeaseApplied, LeaseRead, LeaseRestored, Link, Module, Reverted, UndoneOutcome,
};
use leasehold_uo::{Uo, UoSettings};
use serde_json::{Value, json};

/// The module, whose scope `main` is answered by `answers` in turn.
async fn against(answers: Vec<Vec<u8>>) -> (Uo, Canned) {
    let canned = Canned::start(answers).await;
    (module(&canned.url, 10_000), canned)
}

fn module(url: &str, reply_timeout_ms: u64) -> Uo {
    let link = Link { scope: "main".into(), url: url.into(), token: "the-token".into() };
    Uo::with_settings(&[link], UoSettings { reply_timeout_ms })
}

fn ok(body: &Value) -> Vec<u8> {
    json_answer(200, body)
}

fn health() -> Vec<u8> {
    ok(&json!({"protocol": 7, "connected": true, "bootId": "b", "keyMemorySec": 3600, "since": 5}))
}

fn catalogue(held: &Value) -> Value {
    json!({"kind": "lease.list.ok", "leases": [{"key": "PlayerCaps.SkillCap", "type": "int", "current": "1000",
        "default": "1000", "min": "100", "max": "1200", "maxHoldMs": 86_400_000, "reaches": "new_joins", "held": held}]})
}

#[tokio::test]
async fn a_command_carries_token_key_fence_and_the_place_of_the_landmark() {
    let (uo, canned) = against(vec![ok(&json!({"kind": "world.spawn.ok", "serials": ["0x4000002a"], "t": 1}))]).await;
    let success = done(uo.perform(spawn("run-1", key(1), 1)).await);
    assert_eq!(success.resources[0].reference, "0x4000002A");
    assert!(!success.replayed);
    let [request] = &canned.requests()[..] else { panic!("one request") };
    assert_eq!(request.line, "POST /world/spawn HTTP/1.1");
    assert!(request.head.contains("authorization: Bearer the-token"), "{}", request.head);
    let expected = json!({"map": "Felucca", "creature": "orc", "count": 1, "runId": "run-1", "fence": 3, "ttlMs": 60_000,
        "idempotencyKey": key(1), "x": request.body["x"], "y": request.body["y"]});
    assert_eq!(request.body, expected);
}

#[tokio::test]
async fn a_lost_answer_is_unknown_however_it_is_lost() {
    let whole = String::from_utf8(ok(&json!({"kind": "world.spawn.ok", "serials": ["0x1"]}))).unwrap();
    let shapes: [(&str, Vec<u8>); 7] = [
        ("closed without a byte", Vec::new()),
        ("closed within the head", b"HTTP/1.1 200 OK\r\ncontent-".to_vec()),
        ("closed within the body", whole.as_bytes()[..whole.len() - 4].to_vec()),
        ("no HTTP at all", b"HELLO\n".to_vec()),
        ("a page", canned::answer(200, "text/html", "<html>fine</html>")),
        ("a redirect", b"HTTP/1.1 307 Gone\r\nlocation: /elsewhere\r\ncontent-length: 0\r\n\r\n".to_vec()),
        ("far too long", canned::answer(200, "application/json", &"x".repeat(2 * 1024 * 1024))),
    ];
    for (name, bytes) in shapes {
        let (uo, canned) = against(vec![bytes]).await;
        let failure = failed(uo.perform(spawn("run-1", key(1), 1)).await);
        assert!(failure.unknown && failure.retry, "{name}: {failure:?}");
        assert_eq!(canned.requests().len(), 1, "{name}: asked once, and nowhere else");
    }
}

#[tokio::test]
async fn an_answer_that_never_comes_is_unknown() {
    let canned = Canned::silent().await;
    let failure = failed(module(&canned.url, 100).perform(spawn("run-1", key(1), 1)).await);
    assert_eq!(claim(&failure), ("no_answer", true, true));
}

#[tokio::test]
async fn where_nobody_listens_nothing_happened() {
    let nobody = Canned::nobody().await;
    let failure = failed(module(&nobody, 10_000).perform(spawn("run-1", key(1), 1)).await);
    assert_eq!(claim(&failure), ("not_sent", true, false), "{failure}");
    let failure = failed(module("ftp://host", 10_000).perform(spawn("run-1", key(1), 1)).await);
    assert!(!failure.unknown, "{failure:?}");
}

#[tokio::test]
async fn a_scope_without_a_link_is_refused_by_every_verb() {
    let uo = Uo::new(&[]);
    assert_eq!(claim(&failed(uo.perform(spawn("run-1", key(1), 1)).await)), ("no_link", false, false));
    assert!(matches!(uo.revert(revert("r", key(2), key(1), &[])).await, Reverted::Failed(f) if f.code == "no_link"));
    assert!(matches!(uo.lease_read(query("r")).await, LeaseRead::Failed(f) if f.code == "no_link"));
    assert!(matches!(uo.lease_apply(apply("r", key(1), "1200")).await, LeaseApplied::Failed(f) if f.code == "no_link"));
    assert!(matches!(uo.lease_restore(restore("r", key(1), "1200")).await, LeaseRestored::Failed(f) if f.code == "no_link"));
    assert!(matches!(uo.lease_in_force(query("r")).await, InForce::Unknown(_)));
    let close = CloseRun { run_id: "r".into(), scope: "main".into(), fence: 3 };
    assert!(matches!(uo.close_run(close).await, Closed::Failed(f) if f.code == "no_link"));
    assert_eq!(uo.key_memory_seconds("main").await, None);
}

#[tokio::test]
async fn a_yes_to_a_spawn_names_what_it_placed() {
    for serials in [json!([]), json!(["0x1", "0x1"]), json!(["0x1", "0x2", "0x3"]), json!(["orc"]), json!([7]), json!(null)] {
        let (uo, _canned) = against(vec![ok(&json!({"kind": "world.spawn.ok", "serials": serials}))]).await;
        assert_eq!(claim(&failed(uo.perform(spawn("r", key(1), 2)).await)), ("nonsense", true, true), "{serials}");
    }
    let (uo, _canned) = against(vec![ok(&json!({"kind": "world.spawn.ok", "serials": ["0x1"], "replayed": true}))]).await;
    let fewer = done(uo.perform(spawn("r", key(1), 2)).await);
    assert_eq!((fewer.resources.len(), fewer.replayed), (1, true));
    assert!(fewer.words.unwrap().contains("1 of 2"));
}

#[tokio::test]
async fn wrong_parameters_are_refused_before_anything_is_sent() {
    let (uo, canned) = against(Vec::new()).await;
    let spawns = [
        (json!({"location": "nowhere", "creature": "orc", "count": 1}), "unknown_landmark"),
        (json!({"location": "yew-orchard", "creature": "unicorns", "count": 1}), "unknown_creature"),
        (json!({"location": "yew-orchard", "creature": "orc", "count": 0}), "wrong_params"),
        (json!({"location": "yew-orchard", "creature": "orc", "count": 5_000_000_000_i64}), "wrong_params"),
        (json!({"location": "yew-orchard", "creature": "orc", "count": 1, "hue": 3001}), "wrong_params"),
        (json!({"location": "yew-orchard", "creature": "orc", "count": 1, "name": "x".repeat(41)}), "wrong_params"),
        (json!({"location": "yew-orchard", "creature": "orc", "count": 1, "map": "Trammel"}), "wrong_params"),
        (json!({"creature": "orc", "count": 1}), "wrong_params"),
    ];
    for (params, code) in spawns {
        let failure = failed(uo.perform(perform("uo.creature.spawn", "r", key(1), &params)).await);
        assert_eq!(claim(&failure), (code, false, false), "{params}");
    }
    for params in [json!({"text": "x".repeat(201)}), json!({"text": "two\nlines"}), json!({"text": 5}), json!({})] {
        let failure = failed(uo.perform(perform("uo.broadcast", "r", key(1), &params)).await);
        assert_eq!(claim(&failure), ("wrong_params", false, false), "{params}");
    }
    assert_eq!(failed(uo.perform(perform("uo.dance", "r", key(1), &json!({}))).await).code, "no_such_action");
    assert!(canned.requests().is_empty());
}

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
    let cases = [
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

#[tokio::test]
async fn a_removal_says_once_what_became_of_each() {
    let three = ["0x1".to_owned(), "0x2".to_owned(), "0x3".to_owned()];
    let body = json!({"kind": "world.despawn.ok", "removed": ["0x1"], "gone": ["0x2"], "refused": ["0x3"]});
    let (uo, canned) = against(vec![ok(&body)]).await;
    let mut request = revert("r", key(2), key(1), &three);
    request.resources[1].reference = "0x02".into();
    request.resources.push(leasehold_module::RevertTarget { kind: "lamp".into(), reference: "0x9".into() });
    let Reverted::Done(undone) = uo.revert(request).await else { panic!("it answered") };
    let outcome = |reference: &str| &undone.iter().find(|undone| undone.reference == reference).unwrap().outcome;
    assert_eq!((undone.len(), outcome("0x1"), outcome("0x02")), (4, &UndoneOutcome::Removed, &UndoneOutcome::Gone));
    assert!(matches!(outcome("0x3"), UndoneOutcome::Refused(_)) && matches!(outcome("0x9"), UndoneOutcome::Refused(_)));
    let sent = &canned.requests()[0].body;
    assert_eq!(sent["serials"], json!(three));
    assert!(sent.get("forKey").is_none());
    for wrong in [
        json!({"kind": "world.despawn.ok"}),
        json!({"kind": "world.despawn.ok", "removed": [], "gone": [], "refused": []}),
        json!({"kind": "world.despawn.ok", "removed": ["0x1"], "gone": ["0x1"], "refused": []}),
    ] {
        let (uo, _canned) = against(vec![ok(&wrong)]).await;
        let Reverted::Failed(failure) = uo.revert(revert("r", key(2), key(1), &three[..1])).await else { panic!("{wrong}") };
        assert_eq!(claim(&failure), ("nonsense", true, true), "{wrong}");
    }
}

#[tokio::test]
async fn a_removal_without_references_goes_by_key() {
    let yes = json!({"kind": "world.despawn.ok", "removed": ["0x1"], "gone": [], "refused": []});
    let (uo, canned) = against(vec![ok(&yes)]).await;
    assert_eq!(uo.revert(revert("r", key(2), key(1), &[])).await, Reverted::Done(Vec::new()));
    let sent = &canned.requests()[0].body;
    assert_eq!((&sent["forKey"], &sent["serials"]), (&json!(key(1)), &json!([])));
    let kept = json!({"kind": "world.despawn.ok", "removed": [], "gone": [], "refused": ["0x1"]});
    let (uo, _canned) = against(vec![ok(&kept)]).await;
    assert!(matches!(uo.revert(revert("r", key(2), key(1), &[])).await, Reverted::Failed(f) if f.code == "not_owned"));
}

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

#[tokio::test]
async fn a_run_is_closed_only_where_the_game_says_so() {
    let close = || CloseRun { run_id: "r".into(), scope: "main".into(), fence: 7 };
    let (uo, canned) = against(vec![ok(&json!({"kind": "run.ok", "runId": "r", "fence": 7}))]).await;
    assert_eq!(uo.close_run(close()).await, Closed::Closed);
    assert_eq!(canned.requests()[0].body, json!({"runId": "r", "fence": 7}));
    for body in [
        json!({"kind": "run.ok"}),
        json!({"kind": "run.ok", "runId": "s", "fence": 7}),
        json!({"kind": "run.ok", "runId": "r", "fence": 6}),
    ] {
        let (uo, _canned) = against(vec![ok(&body)]).await;
        assert!(matches!(uo.close_run(close()).await, Closed::Failed(f) if f.unknown), "{body}");
    }
}

#[tokio::test]
async fn the_memory_for_keys_is_the_games_own_word() {
    let (uo, _canned) = against(vec![health()]).await;
    assert_eq!(uo.key_memory_seconds("main").await, Some(3600));
    let (uo, _canned) = against(vec![ok(&json!({"protocol": 7, "connected": false, "keyMemorySec": null}))]).await;
    assert_eq!(uo.key_memory_seconds("main").await, None);
}

#[test]
fn every_budget_exceeds_the_clients_own_patience() {
    for reply_timeout_ms in [100, 12_000, 60_000] {
        let uo = Uo::with_settings(&[], UoSettings { reply_timeout_ms });
        assert_eq!(uo.manifest().faults(), []);
        let budgets = (uo.manifest().actions.iter().map(|action| action.budget_ms))
            .chain(uo.manifest().leases.iter().map(|lease| lease.budget_ms));
        assert!(budgets.into_iter().all(|budget_ms| budget_ms > reply_timeout_ms));
    }
    assert!(Uo::new(&[]).manifest().actions.iter().all(|action| action.budget_ms == 15_000));
}

//! How a command goes out, and every way in which its answer may not come back.

use leasehold_module::{CloseRun, Closed, InForce, LeaseApplied, LeaseRead, LeaseRestored, Module, Reverted, Traced};
use leasehold_uo::{Uo, UoSettings};
use serde_json::json;

use crate::canned::{self, Canned};
use crate::common::{apply, claim, done, failed, key, query, restore, revert, spawn};
use crate::{against, health, module, ok};

#[tokio::test]
async fn a_command_carries_token_key_fence_and_the_place_of_the_landmark() {
    let (uo, canned) = against(vec![ok(&json!({"kind": "world.spawn.ok", "serials": ["0x4000002a"], "t": 1}))]).await;
    let success = done(uo.perform(spawn("run-1", key(1), 1)).await);
    assert_eq!(success.resources[0].reference, "0x4000002A");
    assert!(!success.replayed);
    let [request] = &canned.requests()[..] else { panic!("one request") };
    assert_eq!(request.line, "POST /world/spawn?scope=main HTTP/1.1");
    assert!(request.head.contains("authorization: Bearer the-token"), "{}", request.head);
    let expected = json!({"map": "Felucca", "creature": "orc", "count": 1, "runId": "run-1", "fence": 3, "ttlMs": 60_000,
        "idempotencyKey": key(1), "x": request.body["x"], "y": request.body["y"]});
    assert_eq!(request.body, expected);
}

#[tokio::test]
async fn a_command_that_is_part_of_a_trace_says_of_which() {
    let answer = || ok(&json!({"kind": "world.spawn.ok", "serials": ["0x1"]}));
    let (uo, canned) = against(vec![answer(), answer()]).await;
    let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    done(Traced::new(Some(parent.into()), uo.perform(spawn("run-1", key(1), 1))).await);
    done(uo.perform(spawn("run-1", key(2), 1)).await);
    let [traced, plain] = &canned.requests()[..] else { panic!("two requests") };
    assert!(traced.head.contains(&format!("traceparent: {parent}\r\n")), "{}", traced.head);
    assert!(!plain.head.contains("traceparent"), "{}", plain.head);
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
    let close = CloseRun { run_id: "r".into(), scope: "main".into(), fence: 3, mark: None };
    assert!(matches!(uo.close_run(close).await, Closed::Failed(f) if f.code == "no_link"));
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

#[tokio::test]
async fn the_memory_for_keys_is_the_games_own_word() {
    let (uo, _canned) = against(vec![health()]).await;
    assert_eq!(uo.key_memory_seconds("main").await, Some(3600));
    let (uo, _canned) = against(vec![ok(&json!({"protocol": 7, "connected": false, "keyMemorySec": null}))]).await;
    assert_eq!(uo.key_memory_seconds("main").await, None);
}

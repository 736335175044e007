//! What a sidecar has seen of the log: the marks that go out, and every shape that comes back.

use leasehold_module::{LastSeen, LeaseApply, Mark, Module, Perform};
use serde_json::{Value, json};

use crate::canned::{self, Canned, json_answer};
use crate::common::{apply, done, key, spawn};
use crate::{against, catalogue, health, module, ok};

fn mark(position: u64) -> Mark {
    Mark { log: "the-log".into(), position, hash: "ab".repeat(32) }
}

fn seen(marks: &[Mark]) -> Value {
    let shown = |mark: &Mark| json!({"log": mark.log, "position": mark.position, "hash": mark.hash});
    json!({ "seen": marks.iter().map(shown).collect::<Vec<_>>() })
}

#[tokio::test]
async fn a_command_names_the_place_that_it_comes_from_and_a_dry_run_names_none() {
    let (uo, canned) = against(vec![ok(&json!({"kind": "world.spawn.ok", "serials": ["0x1"], "t": 1}))]).await;
    done(uo.perform(Perform { mark: Some(mark(41)), ..spawn("run-1", key(1), 1) }).await);
    let [request] = &canned.requests()[..] else { panic!("one request") };
    for header in ["leasehold-log: the-log", "leasehold-position: 41", &format!("leasehold-hash: {}", "ab".repeat(32))] {
        assert!(request.head.contains(header), "{}", request.head);
    }
    let (uo, canned) = against(vec![health(), ok(&catalogue(&Value::Null))]).await;
    uo.lease_apply(LeaseApply { verify: true, mark: Some(mark(41)), ..apply("run-1", key(1), "1200") }).await;
    assert!(canned.requests().iter().all(|request| !request.head.contains("leasehold-log")), "{:?}", canned.requests());
}

#[tokio::test]
async fn the_newest_mark_is_the_one_in_front() {
    let (uo, canned) = against(vec![ok(&seen(&[mark(41), Mark { log: "older".into(), ..mark(90) }])), ok(&seen(&[]))]).await;
    assert_eq!(uo.last_seen("main").await, LastSeen::Mark(mark(41)));
    assert_eq!(uo.last_seen("main").await, LastSeen::Nothing);
    assert_eq!(canned.requests()[0].line, "GET /engine?scope=main HTTP/1.1");
    assert_eq!(uo.last_seen("elsewhere").await, LastSeen::Nothing, "no way leads there");
}

#[tokio::test]
async fn a_sidecar_that_does_not_remember_has_seen_nothing() {
    let answer = json!({"kind": "link.error", "error": "no_such_route", "reason": "there is no GET /engine"});
    let (uo, _canned) = against(vec![json_answer(404, &answer), json_answer(404, &answer)]).await;
    assert_eq!(uo.last_seen("main").await, LastSeen::Nothing);
    assert_eq!(uo.go_on_from("main", mark(1)).await, Ok(()));
}

#[tokio::test]
async fn whatever_is_no_answer_leaves_it_unknown() {
    let odd = json!({"seen": [{"log": "", "position": 1, "hash": "ab"}]});
    let shapes = [
        Vec::new(),
        ok(&json!({})),
        ok(&odd),
        ok(&json!([])),
        canned::answer(200, "text/html", "<html>fine</html>"),
        canned::answer(404, "text/html", "<html>not here</html>"),
        json_answer(401, &json!({"kind": "link.error", "error": "unauthorized"})),
        json_answer(500, &seen(&[])),
    ];
    for bytes in shapes {
        let (uo, _canned) = against(vec![bytes.clone()]).await;
        let answered = uo.last_seen("main").await;
        assert!(matches!(&answered, LastSeen::Unreached(failure) if !failure.unknown), "{answered:?}");
        let (uo, _canned) = against(vec![bytes]).await;
        assert!(uo.go_on_from("main", mark(1)).await.is_err());
    }
    let nobody = module(&Canned::nobody().await, 10_000);
    assert!(
        matches!(nobody.last_seen("main").await, LastSeen::Unreached(failure) if failure.code == "not_sent" && failure.retry)
    );
    let silent = module(&Canned::silent().await.url, 60);
    assert!(matches!(silent.last_seen("main").await, LastSeen::Unreached(_)));
}

#[tokio::test]
async fn where_history_goes_on_is_told_and_has_to_be_taken() {
    let (uo, canned) = against(vec![ok(&seen(&[mark(5)])), ok(&seen(&[mark(6)]))]).await;
    assert_eq!(uo.go_on_from("main", mark(5)).await, Ok(()));
    assert!(uo.go_on_from("main", mark(5)).await.is_err(), "it names another place");
    let [first, _] = &canned.requests()[..] else { panic!("two requests") };
    assert_eq!(first.line, "PUT /engine?scope=main HTTP/1.1");
    assert_eq!(first.body, json!({"log": "the-log", "position": 5, "hash": "ab".repeat(32)}));
}

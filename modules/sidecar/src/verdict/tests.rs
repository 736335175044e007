use serde_json::{Value, json};

use super::*;

fn told(kind: Kind, status: u16, body: &Value) -> Result<Reply, Failure> {
    judge(kind, Exchange::Answered { status, body: body.to_string().into_bytes() })
}

fn no(kind: &str, error: &str) -> Value {
    json!({"kind": kind, "error": error, "reason": "because of 31"})
}

/// What a failure claims: its code, whether asking again may help, whether it may have happened.
fn claim(failure: &Failure) -> (&str, bool, bool) {
    (&failure.code, failure.retry, failure.unknown)
}

#[test]
fn a_yes_needs_its_own_kind() {
    for kind in Kind::ALL {
        let reply = told(kind, 200, &json!({"kind": kind.ok_kind(), "t": 5, "replayed": true})).unwrap();
        assert!(reply.replayed);
    }
    let drifted = json!({"kind": "lease.drifted", "current": "1", "baseline": "2", "applied": "3"});
    assert!(told(Kind::LeaseRelease, 200, &drifted).is_ok());
    for kind in Kind::ALL.into_iter().filter(|kind| *kind != Kind::LeaseRelease) {
        assert_eq!(told(kind, 200, &drifted).unwrap_err().code, "nonsense", "{kind}");
    }
}

#[test]
fn every_row_of_the_status_table() {
    let own = "world.spawn.error";
    let table = [
        (425, json!({"kind": "bridge.busy", "busyKind": "world.spawn"}), ("busy", true, true)),
        (424, no("bridge.interrupted", "interrupted"), ("interrupted", false, true)),
        (410, no(own, "run_closed"), ("run_closed", false, false)),
        (410, no(own, "stale_fence"), ("stale_fence", false, false)),
        (408, no(own, "ttl_expired"), ("ttl_expired", true, false)),
        (408, no("link.error", "ttl_expired"), ("ttl_expired", true, false)),
        (403, no(own, "events_disabled"), ("events_disabled", false, false)),
        (400, no(own, "ceiling_exceeded"), ("ceiling_exceeded", false, false)),
        (400, no(own, "a_name_of_tomorrow"), ("a_name_of_tomorrow", false, false)),
        (400, no(own, "A name, in words"), ("refused", false, false)),
        (400, no("bridge.error", "key_reused"), ("key_reused", false, false)),
        (400, no("bridge.error", "handler_failed"), ("handler_failed", false, true)),
        (400, no("bridge.error", "no_reply"), ("no_reply", false, true)),
        (400, no("bridge.error", "key_store_full"), ("key_store_full", true, false)),
        (400, no("bridge.error", "journal_failed"), ("journal_failed", true, false)),
        (400, no("link.error", "bad_json"), ("bad_json", false, false)),
        (401, no("link.error", "unauthorized"), ("unauthorized", false, false)),
        (404, no("link.error", "no_such_route"), ("no_such_route", false, false)),
        (409, no("link.error", "protocol_mismatch"), ("protocol_mismatch", false, false)),
        (413, no("link.error", "too_large"), ("too_large", false, false)),
        (503, no("link.error", "not_sent"), ("not_sent", true, false)),
        (504, no("link.error", "no_answer"), ("no_answer", true, true)),
    ];
    for (status, body, expected) in table {
        let failure = told(Kind::WorldSpawn, status, &body).unwrap_err();
        assert_eq!(claim(&failure), expected, "{status} {body}");
    }
}

#[test]
fn a_connection_that_fails_before_and_one_that_fails_after() {
    let before = judge(Kind::WorldSpawn, Exchange::NotSent("refused".into())).unwrap_err();
    assert_eq!(claim(&before), ("not_sent", true, false));
    let after = judge(Kind::WorldSpawn, Exchange::Lost("closed".into())).unwrap_err();
    assert_eq!(claim(&after), ("no_answer", true, true));
}

#[test]
fn the_reason_of_the_game_is_kept_and_cut() {
    let mut body = no("world.spawn.error", "ceiling_exceeded");
    assert!(told(Kind::WorldSpawn, 400, &body).unwrap_err().reason.ends_with("because of 31"));
    body["reason"] = json!("no\u{0}\n".repeat(10_000));
    let reason = told(Kind::WorldSpawn, 400, &body).unwrap_err().reason;
    assert!(reason.ends_with('…') && reason.chars().count() < 450 && !reason.contains(char::is_control), "{reason}");
}

#[test]
fn no_garbage_reads_as_success_nor_as_a_definite_no() {
    let bodies: [&[u8]; 15] = [
        b"",
        b"OK",
        b"null",
        b"[]",
        b"true",
        b"\"world.spawn.ok\"",
        b"<html><body>502 Bad Gateway</body></html>",
        b"{\"kind\":\"world.spawn.ok\",\"serials\":[\"0x4",
        b"{}",
        b"{\"kind\":7}",
        b"{\"kind\":\"\"}",
        b"{\"kind\":\"world.despawn.ok\"}",
        b"{\"kind\":\"lease.apply.error\",\"error\":\"held\",\"reason\":\"x\"}",
        b"{\"kind\":\"world.spawn.error\",\"reason\":\"no name\"}",
        b"\xff\xfe\x00",
    ];
    for body in bodies {
        for status in (100..=599).chain([0, 999]) {
            let failure = judge(Kind::WorldSpawn, Exchange::Answered { status, body: body.to_vec() }).unwrap_err();
            assert_eq!(claim(&failure), ("nonsense", true, true), "{status} {}", String::from_utf8_lossy(body));
        }
    }
}

#[test]
fn a_status_that_the_body_contradicts_is_unknown() {
    let yes = json!({"kind": "world.spawn.ok", "serials": ["0x1"]});
    let closed = no("world.spawn.error", "run_closed");
    for status in 100..=599 {
        if status != 200 {
            assert_eq!(told(Kind::WorldSpawn, status, &yes).unwrap_err().code, "nonsense", "{status}");
        }
        if status != 410 {
            assert_eq!(told(Kind::WorldSpawn, status, &closed).unwrap_err().code, "nonsense", "{status}");
        }
    }
}

use super::*;
use serde_json::json;

#[test]
fn every_kind_is_read_back_from_its_word() {
    for kind in Kind::ALL {
        assert_eq!(Kind::parse(kind.as_str()), Some(kind));
        assert_eq!(kind.error_kind(), format!("{kind}.error"));
    }
    assert_eq!(Kind::parse("world.sPawn"), None);
}

#[test]
fn every_error_name_is_read_back_and_serialised_as_its_word() {
    for name in ErrorName::ALL {
        assert_eq!(ErrorName::parse(name.as_str()), Some(*name));
        assert_eq!(json!(name), json!(name.as_str()));
    }
}

#[test]
fn a_command_serialises_flat_and_is_read_back() {
    let stamp = Stamp { run_id: "77".into(), fence: u64::MAX, ttl_ms: 5000, idempotency_key: "ab".repeat(20) };
    let spawn = Spawn {
        map: "Felucca".into(),
        x: 535,
        y: 992,
        radius: None,
        creature: "orc".into(),
        count: 12,
        name: None,
        hue: Some(33),
        boss: None,
        stamp,
    };
    let body = json!({"map": "Felucca", "x": 535, "y": 992, "creature": "orc", "count": 12, "hue": 33, "runId": "77",
        "fence": 18_446_744_073_709_551_615_u64, "ttlMs": 5000, "idempotencyKey": "ab".repeat(20)});
    assert_eq!(serde_json::to_value(&spawn).unwrap(), body);
    assert_eq!(serde_json::from_value::<Spawn>(body).unwrap(), spawn);
}

#[test]
fn frames_of_the_handshake_carry_their_kind() {
    let hello = json!({"kind": "server.hello", "t": 5, "protocol": 7, "bootId": "b", "keyMemorySec": 3600, "keyCap": 4096,
        "game": "g", "scope": "main"});
    let read: Hello = serde_json::from_value(hello.clone()).unwrap();
    assert_eq!(serde_json::to_value(read).unwrap(), hello);
    assert_eq!(json!(Welcome::current()), json!({"kind": "link.welcome", "protocol": 7}));
}

#[test]
fn correlation_takes_the_first_field_and_no_other() {
    let of = |value: serde_json::Value| Correlation::of(value.as_object().unwrap());
    assert_eq!(of(json!({"id": "c", "code": "b", "reqId": "a"})).unwrap().field, "reqId");
    assert_eq!(of(json!({"id": "c", "code": "b"})).unwrap(), Correlation { field: "code", value: "b".into() });
    assert_eq!(of(json!({"reqId": 5, "id": "c"})), None, "a number correlates nothing, and does not fall through");
    assert_eq!(of(json!({"reqId": ""})), None);
    assert_eq!(of(json!({"id": "x".repeat(129)})), None);
}

#[test]
fn serials_are_hexadecimal_and_nothing_else() {
    assert_eq!("0x4000002a".parse::<Serial>().unwrap().to_string(), "0x4000002A");
    for wrong in ["", "0x", "4000", "0x+1", "0x123456789", "0xZZ", "-0x1", "0x 1"] {
        assert!(wrong.parse::<Serial>().is_err(), "{wrong}");
    }
}

#[test]
fn every_release_is_told_apart() {
    let read = |value| Reply::read(value).unwrap().released();
    assert_eq!(
        read(json!({"kind": "lease.ok", "restored": true, "baseline": "1000", "current": "1000"})).unwrap(),
        LeaseReleased::Restored { baseline: "1000".into(), current: "1000".into() }
    );
    assert_eq!(
        read(json!({"kind": "lease.ok", "alreadyRestored": true, "reason": "deadline", "current": "1000"})).unwrap(),
        LeaseReleased::AlreadyRestored { reason: "deadline".into(), current: "1000".into() }
    );
    assert_eq!(
        read(json!({"kind": "lease.ok", "held": false, "current": "1000"})).unwrap(),
        LeaseReleased::NotHeld { current: "1000".into() }
    );
    assert_eq!(
        read(json!({"kind": "lease.drifted", "current": "1350", "baseline": "1000", "applied": "1200"})).unwrap(),
        LeaseReleased::Drifted { current: "1350".into(), baseline: "1000".into(), applied: "1200".into() }
    );
    assert!(read(json!({"kind": "lease.ok", "current": "1000"})).is_err(), "no shape reads as success");
    assert!(read(json!({"kind": "lease.ok", "restored": true})).is_err());
}

#[test]
fn the_status_table_is_total_and_reads_back() {
    let table = [
        ("lease.ok", None, 200),
        ("lease.drifted", None, 200),
        ("bridge.busy", None, 425),
        ("bridge.interrupted", Some("interrupted"), 424),
        ("bridge.error", Some("handler_failed"), 400),
        ("world.spawn.error", Some("events_disabled"), 403),
        ("admin.broadcast.error", Some("admin_disabled"), 403),
        ("world.spawn.error", Some("run_closed"), 410),
        ("world.spawn.error", Some("stale_fence"), 410),
        ("world.spawn.error", Some("ttl_expired"), 408),
        ("world.save.error", Some("save_too_soon"), 429),
        ("world.spawn.error", Some("a_name_of_tomorrow"), 400),
        ("world.spawn.error", None, 400),
    ];
    for (kind, error, status) in table {
        let fate = Disposition::of_answer(kind, error);
        assert_eq!(fate.status(), status, "{kind} {error:?}");
        assert_eq!(Disposition::of_status(status), Some(fate));
    }
    assert_eq!(Disposition::of_status(302), None);
}

mod lines {
    use super::*;

    fn whole(text: &str) -> Line {
        Line::Whole(text.as_bytes().to_vec())
    }

    #[test]
    fn lines_come_out_whatever_the_cuts() {
        let stream = b"one\r\n\ntwo\nthree";
        for cut in 0..stream.len() {
            let mut splitter = LineSplitter::with_limit(8);
            let mut lines = splitter.push(&stream[..cut]);
            lines.extend(splitter.push(&stream[cut..]));
            assert_eq!(lines, [whole("one"), whole("two")], "cut at {cut}");
        }
    }

    #[test]
    fn a_line_at_the_limit_passes_and_one_byte_more_does_not() {
        let mut splitter = LineSplitter::with_limit(4);
        assert_eq!(splitter.push(b"1234\n12345\n1234\r\nab\n"), [whole("1234"), Line::TooLong, whole("1234"), whole("ab")]);
    }

    #[test]
    fn a_long_line_costs_itself_only_and_holds_no_memory() {
        let mut splitter = LineSplitter::default();
        for _ in 0..64 {
            assert_eq!(splitter.push(&vec![b'x'; 64 * 1024]), []);
        }
        assert!(splitter.held_bytes() <= super::limits::LINE_MAX_BYTES);
        assert_eq!(splitter.push(b"\nnext\n"), [Line::TooLong, whole("next")]);
    }
}

#[test]
fn what_a_game_sends_is_a_hundred_and_twenty_deep_at_most() {
    let nested = |depth: usize| {
        let inner = (1..depth).fold(json!(1), |inner, nth| if nth % 2 == 0 { json!([inner]) } else { json!({"in": inner}) });
        json!({"kind": "a.report", "in": inner}).as_object().cloned().unwrap()
    };
    assert!(!is_too_deep(&nested(limits::GAME_LINE_MAX_DEPTH)));
    assert!(is_too_deep(&nested(limits::GAME_LINE_MAX_DEPTH + 1)));
}

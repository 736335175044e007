use super::bench::{Bench, error, spawn};
use leasehold_link::wire::Line;
use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::json;

#[tokio::test]
async fn what_is_no_command_is_answered_and_costs_itself_only() {
    let mut bench = Bench::new();
    let deep = "[".repeat(100_000);
    let deep_in_object = format!("{{\"kind\":\"world.spawn\",\"reqId\":\"x\",\"a\":{}{}}}", "[".repeat(200), "]".repeat(200));
    let table: [(&[u8], &str); 12] = [
        (b"{", "bad_json"),
        (b"[]", "bad_json"),
        (b"null", "bad_json"),
        (b"\xff\xfe", "bad_json"),
        (b"{\"kind\":\"world.spawn\",\"reqId\":\"\\ud800\"}", "bad_json"),
        (deep.as_bytes(), "bad_json"),
        (deep_in_object.as_bytes(), "bad_json"),
        (b"{}", "no_correlation"),
        (b"{\"kind\":\"world.spawn\",\"reqId\":7}", "no_correlation"),
        (b"{\"kind\":\"world.despaw\",\"reqId\":\"x\"}", "unknown_kind"),
        (b"{\"kind\":7,\"reqId\":\"x\"}", "unknown_kind"),
        (b"{\"reqId\":\"x\"}", "unknown_kind"),
    ];
    for (line, name) in table {
        let said = bench.line(line);
        assert_eq!(said.len(), 1);
        assert_eq!(error(&said[0]), ("bridge.error", name), "{:?}", String::from_utf8_lossy(line).get(..40));
    }
    let now = bench.clock.now_ms();
    assert_eq!(error(&bench.received(&Line::TooLong, now)[0]), ("bridge.error", "too_large"));
    assert_eq!(
        bench.line(b"{\"kind\":\"link.news\",\"of\":\"tomorrow\"}"),
        [json!(null); 0],
        "a frame of the link is no command"
    );
    assert_eq!(bench.send(spawn("k", 1))["kind"], "world.spawn.ok");
}

#[tokio::test]
async fn mangled_commands_never_panic_and_never_read_as_success_twice() {
    let mut bench = Bench::new();
    let whole = spawn("fuzz", 1).to_string().replace('}', ",\"reqId\":\"x\"}").into_bytes();
    let mut chance = StdRng::seed_from_u64(11);
    for _ in 0..3_000 {
        let mut line = whole.clone();
        for _ in 0..chance.random_range(1..4) {
            let at = chance.random_range(0..line.len());
            match chance.random_range(0..3) {
                0 => line[at] = chance.random(),
                1 => drop(line.drain(at..)),
                _ => line.insert(at, b"{}[]\",:0"[chance.random_range(0..8)]),
            }
            if line.is_empty() {
                line = whole.clone();
            }
        }
        let said = bench.line(&line);
        assert!(said.len() <= 1 && said.iter().all(|answer| answer["kind"].is_string()), "{said:?}");
    }
    assert!(bench.outcomes("fuzz").iter().filter(|outcome| *outcome == "applied").count() <= 1);
}

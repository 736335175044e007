use super::*;
use serde_json::json;

pub(super) fn object(value: Value) -> Map<String, Value> {
    serde_json::from_value(value).unwrap()
}

pub(super) fn by(field: &'static str, value: &str) -> Correlation {
    Correlation { field, value: value.to_owned() }
}

pub(super) fn identity(kind: &str, digest: &str) -> Identity {
    Identity { kind: kind.to_owned(), digest: digest.to_owned(), field: "reqId" }
}

fn spawn() -> Identity {
    identity("world.spawn", "d")
}

fn store() -> KeyStore {
    KeyStore::new(3600, 4)
}

fn refused(verdict: Verdict) -> ErrorName {
    match verdict {
        Verdict::Refused(refusal) => refusal.error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_key_is_busy_from_the_moment_it_is_reserved() {
    let mut store = store();
    assert_eq!(store.ask(0, "k", &spawn(), &by("reqId", "1")), Verdict::Fresh);
    store.begin(0, "k", spawn()).unwrap();
    assert_eq!(store.ask(0, "k", &spawn(), &by("reqId", "2")), Verdict::Busy);
    assert_eq!((store.counters.seen, store.counters.busy), (2, 1));
}

#[test]
fn a_replay_is_the_original_under_the_correlation_of_the_repeat() {
    let mut store = store();
    store.begin(0, "k", spawn()).unwrap();
    store.settle("k", object(json!({"kind": "world.spawn.ok", "reqId": "1", "t": 5, "serials": ["0x1"]})));
    let replay = object(json!({"kind": "world.spawn.ok", "reqId": "2", "t": 5, "serials": ["0x1"], "replayed": true}));
    assert_eq!(store.ask(900_000, "k", &spawn(), &by("reqId", "2")), Verdict::Replay(replay));
}

#[test]
fn a_repeat_on_another_correlation_field_is_refused_and_the_key_kept() {
    let mut store = store();
    store.begin(0, "k", spawn()).unwrap();
    store.settle("k", object(json!({"kind": "ok", "reqId": "1"})));
    let by_id = Identity { field: "id", ..spawn() };
    assert_eq!(refused(store.ask(0, "k", &by_id, &by("id", "2"))), ErrorName::CorrelationChanged);
    assert!(matches!(store.ask(0, "k", &spawn(), &by("reqId", "3")), Verdict::Replay(_)));
    assert_eq!(store.counters.refused, 1);
}

#[test]
fn a_key_of_another_command_is_refused_and_kept_also_in_flight() {
    let mut store = store();
    store.begin(0, "k", spawn()).unwrap();
    for other in [identity("world.spawn", "e"), identity("world.despawn", "d")] {
        assert_eq!(refused(store.ask(0, "k", &other, &by("reqId", "2"))), ErrorName::KeyReused);
    }
    assert_eq!(store.ask(0, "k", &spawn(), &by("reqId", "3")), Verdict::Busy);
}

#[test]
fn a_refusal_frees_the_key() {
    let mut store = store();
    store.begin(0, "k", spawn()).unwrap();
    store.release("k");
    assert_eq!(store.ask(0, "k", &spawn(), &by("reqId", "2")), Verdict::Fresh);
    assert_eq!(store.len(), 0);
}

#[test]
fn a_key_lives_an_hour_and_not_longer_unless_in_flight() {
    let mut store = store();
    store.begin(0, "answered", spawn()).unwrap();
    store.settle("answered", object(json!({"kind": "ok"})));
    store.begin(0, "in flight", spawn()).unwrap();
    assert!(matches!(store.ask(3_599_999, "answered", &spawn(), &by("reqId", "2")), Verdict::Replay(_)));
    assert_eq!(store.ask(3_600_000, "answered", &spawn(), &by("reqId", "3")), Verdict::Fresh);
    assert_eq!(store.ask(9_999_999, "in flight", &spawn(), &by("reqId", "4")), Verdict::Busy);
    assert_eq!(store.counters.evicted, 0, "to die of age is no eviction");
}

#[test]
fn the_cap_drops_the_oldest_answered_key_and_counts_it() {
    let mut store = store();
    store.begin(0, "held", spawn()).unwrap();
    for key in ["a", "b", "c"] {
        store.begin(1, key, spawn()).unwrap();
        store.settle(key, object(json!({"kind": "ok"})));
    }
    assert_eq!(store.begin(2, "d", spawn()).unwrap().as_deref(), Some("a"));
    assert_eq!((store.len(), store.counters.evicted), (4, 1));
    assert_eq!(store.ask(2, "held", &spawn(), &by("reqId", "1")), Verdict::Busy, "what is in flight is never dropped");
}

#[test]
fn where_every_key_is_in_flight_a_new_one_is_refused() {
    let mut store = store();
    for key in ["a", "b", "c", "d"] {
        store.begin(0, key, spawn()).unwrap();
    }
    assert_eq!(store.begin(0, "e", spawn()).unwrap_err().error, ErrorName::KeyStoreFull);
    assert_eq!(store.len(), 4);
}

#[test]
fn what_had_begun_before_a_restart_is_interrupted_for_good() {
    let mut store = store();
    store.restore("k".into(), Entry { identity: spawn(), begun_ms: 0, standing: Standing::InFlight });
    for attempt in ["1", "2"] {
        assert_eq!(store.ask(0, "k", &spawn(), &by("reqId", attempt)), Verdict::Interrupted);
    }
    assert_eq!(refused(store.ask(0, "k", &identity("run.close", "d"), &by("reqId", "3"))), ErrorName::KeyReused);
}

#[test]
fn the_counters_are_one_line() {
    let mut store = store();
    store.begin(0, "k", spawn()).unwrap();
    store.ask(0, "k", &spawn(), &by("reqId", "2"));
    let line = store.counters.line(store.len());
    assert_eq!(line, "idem(keys=1 seen=1 replayed=0 busy=1 evicted=0 uncorrelated=0 refused=0)");
}

mod digests {
    use super::*;

    fn of(value: Value) -> String {
        let body = object(value);
        let correlation = Correlation::of(&body).unwrap();
        digest(&body, &correlation)
    }

    #[test]
    fn what_a_retry_may_change_does_not_count() {
        let first = of(json!({"kind": "lease.apply", "reqId": "1", "fence": 1, "ttlMs": 9, "untilMs": 5, "value": "1200"}));
        let retry = of(json!({"value": "1200", "untilMs": 6, "ttlMs": 8, "fence": 2, "reqId": "2", "kind": "lease.apply"}));
        assert_eq!(first, retry);
    }

    #[test]
    fn all_else_counts() {
        let base = json!({"kind": "k", "reqId": "1", "a": {"b": [1, 2], "c": null}, "id": "x"});
        let others = [
            json!({"kind": "l", "reqId": "1", "a": {"b": [1, 2], "c": null}, "id": "x"}),
            json!({"kind": "k", "reqId": "1", "a": {"b": [2, 1], "c": null}, "id": "x"}),
            json!({"kind": "k", "reqId": "1", "a": {"b": [[1], 2], "c": null}, "id": "x"}),
            json!({"kind": "k", "reqId": "1", "a": {"b": [1, 2]}, "id": "x"}),
            json!({"kind": "k", "reqId": "1", "a": {"b": ["1", 2], "c": null}, "id": "x"}),
            json!({"kind": "k", "reqId": "1", "a": {"b": [1, 2], "c": null}, "id": "y"}),
            json!({"kind": "k", "reqId": "1", "a": {"b": [1, 2], "c": null}, "id": "x", "d": 1}),
        ];
        for other in others {
            assert_ne!(of(base.clone()), of(other.clone()), "{other}");
        }
    }
}

use serde_json::json;

use super::{Recorded, Signal, SignalCommand, SignalRefusal, signal_id};
use crate::decide::Decide;

fn recorded() -> Recorded {
    serde_json::from_value(json!({
        "at": "2027-03-28T18:00:00Z", "trigger": "demo.lamp.broken", "module": "demo", "scope": "main",
        "happened_at": null, "hops": 0, "rehearsal": false, "vars": {"region": "North"}
    }))
    .unwrap()
}

#[test]
fn a_signal_is_recorded_once() {
    let record = || SignalCommand::Record { signal: recorded() };
    let events = Signal::default().decide(record()).unwrap();
    let signal = Signal::fold(events);
    assert_eq!(signal.recorded, Some(recorded()));
    assert_eq!(signal.decide(record()), Err(SignalRefusal::Recorded));
}

#[test]
fn two_signals_have_two_names() {
    let names = [("a", "b/c"), ("a/b", "c"), ("a%2Fb", "c"), ("a", "b%2Fc")].map(|(source, print)| signal_id(source, print));
    let distinct: std::collections::BTreeSet<_> = names.iter().collect();
    assert_eq!(distinct.len(), names.len(), "{names:?}");
}

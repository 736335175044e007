//! From a game's reports to firings of this module's triggers.

mod triggers;

pub use triggers::triggers;

use chrono::DateTime;
use leasehold_link::wire::feed::Report;
use leasehold_module::{Audience, Failure, FeedAsk, FeedRead, Fired};
use leasehold_sidecar::{Sidecar, fingerprint, read_feed};
use serde_json::{Map, Value, json};

use crate::visibility::{SERVER_HELLO, Visibility};

/// Reads on in the sidecar's feed.
pub async fn read(sidecar: &Sidecar, ask: FeedAsk) -> Result<FeedRead, Failure> {
    read_feed(sidecar, ask, fired).await
}

/// The firing that a report is; none where no trigger is declared for its kind. Its variables are of what everybody who may hear of
/// the kind may see, and of counts: whatever else the game has told, no name gets into a gate, a log or a letter.
fn fired(report: &Report) -> Option<Fired> {
    let frame = &report.frame;
    let kind = frame.get("kind")?.as_str()?;
    let declared = triggers::ALL.iter().find(|declared| declared.kind == kind)?;
    let rules = Visibility::default();
    let mut open = rules.seen_by(Audience::Everyone, frame).or_else(|| rules.seen_by(Audience::Staff, frame))?;
    open.extend(counted(frame));
    let var = |(name, field, example): &(&str, &str, triggers::Example)| {
        let value = open.get(*field).filter(|value| example.fits(value))?;
        Some(((*name).to_owned(), value.clone()))
    };
    let happened = frame.get("happenedAt").or_else(|| frame.get("t")).and_then(Value::as_i64);
    Some(Fired {
        fingerprint: if kind == SERVER_HELLO { fingerprint(&of_boot(frame)) } else { fingerprint(frame) },
        trigger: declared.id.into(),
        happened_at: happened.and_then(DateTime::from_timestamp_millis),
        vars: declared.vars.iter().filter_map(var).collect(),
        run_id: frame.get("runId").and_then(Value::as_str).map(str::to_owned),
    })
}

/// What is told of people: how many they were, and whether one was there at all.
fn counted(frame: &Map<String, Value>) -> Vec<(String, Value)> {
    let listed = frame.get("damagers").and_then(Value::as_array).map(Vec::len).and_then(|count| u64::try_from(count).ok());
    let damagers = frame.get("damagerCount").and_then(Value::as_u64).or(listed).unwrap_or_default();
    let note = match damagers {
        0 => "by nobody's hand".to_owned(),
        1 => "by one hand".to_owned(),
        several => format!("by the hands of {several}"),
    };
    let there = |field: &str| json!(frame.get(field).is_some_and(|value| !value.is_null()));
    let counts = [
        ("damagerCount", json!(damagers)),
        ("damagerNote", json!(note)),
        ("ours", there("runId")),
        ("byPlayer", there("killer")),
    ];
    counts.map(|(name, value)| (name.to_owned(), value)).into()
}

/// A start is one, however often its hello is heard.
fn of_boot(frame: &Map<String, Value>) -> Map<String, Value> {
    ["kind", "bootId"].into_iter().filter_map(|field| Some((field.to_owned(), frame.get(field)?.clone()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(frame: &Value) -> Report {
        Report { n: 1, frame: frame.as_object().cloned().unwrap() }
    }

    #[test]
    fn a_report_is_told_by_its_own_id_and_without_names_of_people() {
        let boss = json!({"kind": "champ.boss.killed", "eventId": "b-1", "t": 1_788_551_315_000_i64, "boss": "lich",
                          "region": "Yew", "category": "champion", "killer": {"name": "Aldric", "acct": "a"},
                          "damagers": [{"name": "Aldric", "damage": 5}, {"name": "Berta", "damage": 4}], "damagerCount": 2});
        let first = fired(&report(&boss)).unwrap();
        assert_eq!((first.trigger.as_str(), first.fingerprint.len()), ("uo.champ.boss_killed", 40));
        let told = json!({"region": "Yew", "boss": "lich", "category": "champion", "damagerCount": 2, "damagerNote": "by the hands of 2"});
        assert_eq!(Value::Object(first.vars.clone()), told);
        let mut again = boss;
        again["t"] = json!(2);
        assert_eq!(fired(&report(&again)).unwrap().fingerprint, first.fingerprint, "the same report, sent again");
        let without_id = |t: i64| fired(&report(&json!({"kind": "region.enter", "to": "Yew", "t": t}))).unwrap().fingerprint;
        assert_ne!(without_id(1), without_id(2));
        assert_eq!(fired(&report(&json!({"kind": "lease.expired", "t": 1}))), None);
    }

    #[test]
    fn a_start_is_one_however_often_it_is_heard() {
        let hello =
            |t: i64, boot: &str| fired(&report(&json!({"kind": "server.hello", "t": t, "bootId": boot, "game": "g"}))).unwrap();
        assert_eq!(hello(1, "a").fingerprint, hello(2, "a").fingerprint);
        assert_ne!(hello(1, "a").fingerprint, hello(1, "b").fingerprint);
    }

    #[test]
    fn every_firing_is_of_a_declared_trigger_and_of_its_types() {
        let declared = triggers();
        assert_eq!(declared.len(), triggers::ALL.len());
        for of in triggers::ALL {
            let mut frame =
                json!({"kind": of.kind, "t": 1, "runId": "r-1", "actor": {"name": "Aldric"}, "killer": {"name": "Aldric"}});
            let trigger = declared.iter().find(|trigger| trigger.id == of.id).unwrap();
            for (field, (_, told, _)) in trigger.fields.iter().zip(of.vars) {
                frame[*told] = field.example.clone();
            }
            let fired = fired(&report(&frame)).unwrap();
            for field in &trigger.fields {
                assert!(field.check(&fired.vars[&field.name]).is_ok(), "{}: {}", of.id, field.name);
            }
            assert!(!json!(fired.vars).to_string().contains("Aldric"), "{}", of.id);
            frame["boss"] = json!({"name": "Aldric"});
            frame["count"] = json!("many");
            let odd = super::fired(&report(&frame)).unwrap();
            assert!(odd.vars.get("boss").is_none_or(Value::is_string) && odd.vars.get("count").is_none_or(Value::is_number));
            assert_eq!(fired.run_id.as_deref(), Some("r-1"));
        }
    }
}

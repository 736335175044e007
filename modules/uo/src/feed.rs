//! From a game's reports to firings of this module's triggers.

use std::time::Duration;

use chrono::DateTime;
use leasehold_link::wire::feed::{BOSS_KILLED, MOB_KILLED, REGION_ENTER, Report};
use leasehold_module::{Failure, FeedAsk, FeedRead, Fired, ParamType, Trigger, TriggerField};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::sidecar::Sidecar;

const BOSS: &str = "uo.champ.boss_killed";
const MOB: &str = "uo.mob.killed";
const REGION: &str = "uo.region.entered";

/// What a gate may wait for.
pub fn triggers() -> Vec<Trigger> {
    let field = |name: &str, value_type, example: Value| TriggerField { name: name.into(), value_type, example };
    let region = || field("region", ParamType::String, json!("Yew"));
    vec![
        Trigger {
            id: BOSS.into(),
            label: "A boss was killed".into(),
            awaiting: "a boss to fall".into(),
            fields: vec![
                region(),
                field("boss", ParamType::String, json!("lich")),
                field("category", ParamType::String, json!("champion")),
            ],
        },
        Trigger {
            id: MOB.into(),
            label: "A creature was killed".into(),
            awaiting: "a creature to fall".into(),
            fields: vec![
                region(),
                field("creature", ParamType::String, json!("orc")),
                field("name", ParamType::String, json!("an orchard raider")),
                field("ours", ParamType::Bool, json!(true)),
            ],
        },
        Trigger {
            id: REGION.into(),
            label: "A player entered a region".into(),
            awaiting: "a player to arrive".into(),
            fields: vec![region()],
        },
    ]
}

/// Reads on in the sidecar's feed.
pub async fn read(sidecar: &Sidecar, ask: FeedAsk) -> Result<FeedRead, Failure> {
    let after = ask.after.as_ref().map_or(u64::MAX >> 1, |place| place.number);
    let wait_ms = if ask.after.is_some() { ask.wait_ms.min(sidecar.patience_ms() / 2) } else { 0 };
    let feed = sidecar.feed(after, ask.limit, Duration::from_millis(wait_ms)).await?;
    if let Some(place) = ask.after.filter(|place| place.feed == feed.feed && place.number > feed.newest) {
        let (number, newest) = (place.number, feed.newest);
        let reason = format!(
            "the sidecar's feed ends at {newest}, and {number} was read before: its file was put back; delete it and a new feed begins"
        );
        return Err(Failure::refused("feed_rewound", reason));
    }
    let through = feed.reports.last().map_or(after.min(feed.newest), |report| report.n);
    let lost = feed.reports.first().map_or(0, |first| (first.n - 1).saturating_sub(after));
    Ok(FeedRead { through, lost, fired: feed.reports.iter().filter_map(fired).collect(), feed: feed.feed })
}

/// The firing that a report is; none where no trigger is declared for its kind.
fn fired(report: &Report) -> Option<Fired> {
    let frame = &report.frame;
    let text = |name: &str| frame.get(name).filter(|value| value.is_string()).cloned();
    let (trigger, vars): (&str, Vec<(&str, Option<Value>)>) = match frame.get("kind")?.as_str()? {
        BOSS_KILLED => (BOSS, vec![("region", text("region")), ("boss", text("boss")), ("category", text("category"))]),
        MOB_KILLED => (
            MOB,
            vec![
                ("region", text("region")),
                ("creature", text("creature")),
                ("name", text("name")),
                ("ours", Some(json!(text("runId").is_some()))),
            ],
        ),
        REGION_ENTER => (REGION, vec![("region", text("to"))]),
        _ => return None,
    };
    let vars: Map<String, Value> = vars.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect();
    let happened = frame.get("happenedAt").or_else(|| frame.get("t")).and_then(Value::as_i64);
    Some(Fired {
        fingerprint: fingerprint(frame),
        trigger: trigger.into(),
        happened_at: happened.and_then(DateTime::from_timestamp_millis),
        vars,
        run_id: text("runId").and_then(|run| run.as_str().map(str::to_owned)),
    })
}

/// The game's own id of the report, or else all that the report says: the first 40 hex of its sha256.
fn fingerprint(frame: &Map<String, Value>) -> String {
    let own = frame.get("eventId").and_then(Value::as_str);
    let said = own.map_or_else(|| Value::Object(frame.clone()).to_string(), str::to_owned);
    let kind = frame.get("kind").and_then(Value::as_str).unwrap_or_default();
    hex::encode(&Sha256::digest(format!("{kind}|{said}"))[..20])
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
                          "region": "Yew", "category": "champion", "killer": {"name": "Aldric"}});
        let first = fired(&report(&boss)).unwrap();
        assert_eq!((first.trigger.as_str(), first.fingerprint.len()), (BOSS, 40));
        assert_eq!(Value::Object(first.vars.clone()), json!({"region": "Yew", "boss": "lich", "category": "champion"}));
        let mut again = boss;
        again["t"] = json!(2);
        assert_eq!(fired(&report(&again)).unwrap().fingerprint, first.fingerprint, "the same report, sent again");
        let without_id = |t: i64| fired(&report(&json!({"kind": "region.enter", "to": "Yew", "t": t}))).unwrap().fingerprint;
        assert_ne!(without_id(1), without_id(2));
        assert_eq!(fired(&report(&json!({"kind": "lease.expired", "t": 1}))), None);
    }

    #[test]
    fn every_firing_is_of_a_declared_trigger() {
        let declared = triggers();
        for kind in [BOSS_KILLED, MOB_KILLED, REGION_ENTER] {
            let fired = fired(&report(&json!({"kind": kind, "t": 1, "runId": "r-1"}))).unwrap();
            let trigger = declared.iter().find(|trigger| trigger.id == fired.trigger).unwrap();
            assert!(fired.vars.keys().all(|name| trigger.fields.iter().any(|field| &field.name == name)), "{kind}");
            assert_eq!(fired.run_id.as_deref(), Some("r-1"));
        }
    }
}

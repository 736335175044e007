//! From a game's reports to firings of this module's triggers.

use chrono::DateTime;
use leasehold_link::wire::feed::{BOSS_KILLED, MOB_KILLED, REGION_ENTER, Report};
use leasehold_module::{Failure, FeedAsk, FeedRead, Fired, ParamType, Trigger, TriggerField};
use leasehold_sidecar::{Sidecar, fingerprint, read_feed};
use serde_json::{Map, Value, json};

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
    read_feed(sidecar, ask, fired).await
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

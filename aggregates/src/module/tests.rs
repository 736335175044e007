use chrono::{DateTime, TimeDelta, Utc};
use leasehold_module::Manifest;
use serde_json::{Map, Value, json};

use super::*;
use crate::decide::Decide;

fn lamps(version: u32, action_version: u32, count_max: &str) -> Map<String, Value> {
    let manifest = json!({"id": "demo", "label": "Demo", "version": version, "actions": [{
        "id": "demo.lamp.light", "label": "Light", "description": "Lights lamps.", "summary": "light {count}", "risk": "change",
        "reversible": "ledger", "promise": "effect_once", "version": action_version,
        "params": [{"name": "count", "type": "int", "required": true, "example": 1, "max": count_max}]}]});
    manifest.as_object().cloned().unwrap()
}

fn minute(minute: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_800_000_000, 0).unwrap() + TimeDelta::minutes(minute)
}

/// The manifest as a game of the scope sends it; its text stands for its digest.
fn declare(scope: &str, sent: Map<String, Value>) -> ModuleCommand {
    let digest = Value::Object(sent.clone()).to_string();
    let manifest = Box::new(Manifest::read(&sent, 15_000).unwrap());
    ModuleCommand::Declare { scope: scope.into(), at: minute(0), digest, sent, manifest }
}

fn take(module: &mut Module, command: ModuleCommand) -> usize {
    let events = module.decide(command).unwrap();
    let count = events.len();
    for event in events {
        module.apply(event);
    }
    count
}

#[test]
fn a_manifest_is_declared_once_in_each_scope() {
    let mut module = Module::default();
    for (scope, expected) in [("main", 1), ("main", 0), ("isle", 1), ("isle", 0)] {
        assert_eq!(take(&mut module, declare(scope, lamps(1, 1, "5"))), expected, "{scope}");
    }
    let scopes: Vec<_> = module.declared().map(|(scope, ..)| scope).collect();
    assert_eq!(scopes, ["isle", "main"]);
    assert_eq!(module.versions().count(), 1);
}

#[test]
fn a_changed_manifest_needs_a_version_of_its_own_and_a_changed_action_too() {
    let mut module = Module::default();
    take(&mut module, declare("main", lamps(1, 1, "5")));
    let reused = module.decide(declare("main", lamps(1, 2, "9"))).unwrap_err();
    assert!(matches!(reused, ModuleRefusal::VersionReused { version: 1, .. }), "{reused}");
    let changed = module.decide(declare("main", lamps(2, 1, "9"))).unwrap_err();
    assert_eq!(changed, ModuleRefusal::ActionChanged { action: "demo.lamp.light".into(), version: 1 });
    assert_eq!(take(&mut module, declare("main", lamps(2, 2, "9"))), 1);
    // Back to what was before is no change of what was declared.
    assert_eq!(take(&mut module, declare("main", lamps(1, 1, "5"))), 1);
}

#[test]
fn words_may_change_under_an_actions_version() {
    let mut module = Module::default();
    take(&mut module, declare("main", lamps(1, 1, "5")));
    let mut reworded = lamps(2, 1, "5");
    reworded["actions"][0]["label"] = json!("Kindle");
    reworded["actions"][0]["params"][0]["example"] = json!(3);
    assert_eq!(take(&mut module, declare("main", reworded)), 1);
}

#[test]
fn what_is_withdrawn_is_known_and_may_come_back_as_it_was() {
    let mut module = Module::default();
    assert_eq!(take(&mut module, ModuleCommand::Withdraw { scope: "main".into() }), 0);
    take(&mut module, declare("main", lamps(1, 1, "5")));
    assert_eq!(take(&mut module, ModuleCommand::Withdraw { scope: "main".into() }), 1);
    assert_eq!(module.declared().count(), 0);
    assert!(module.decide(declare("main", lamps(1, 1, "9"))).is_err());
    assert_eq!(take(&mut module, declare("main", lamps(1, 1, "5"))), 1);
}

#[test]
fn nobody_declares_without_end_and_an_hour_later_it_goes_on() {
    let at = |mut command, time| {
        if let ModuleCommand::Declare { at, .. } = &mut command {
            *at = time;
        }
        command
    };
    let mut module = Module::default();
    for version in 1..=20_u32 {
        assert_eq!(take(&mut module, at(declare("main", lamps(version, version, "5")), minute(version.into()))), 1, "{version}");
    }
    let next = || declare("main", lamps(21, 21, "5"));
    let refused = module.decide(at(next(), minute(60))).unwrap_err();
    assert_eq!(refused, ModuleRefusal::TooMany { scope: "main".into(), from: minute(61) });
    assert_eq!(take(&mut module, at(declare("main", lamps(20, 20, "5")), minute(60))), 0, "the same again is none");
    assert_eq!(take(&mut module, at(declare("isle", lamps(20, 20, "5")), minute(60))), 1, "another game has an hour of its own");
    assert_eq!(take(&mut module, at(next(), minute(61))), 1);
    assert!(module.decide(at(declare("main", lamps(22, 22, "5")), minute(61))).is_err(), "one for one");
}

use std::collections::{BTreeMap, BTreeSet};

use leasehold_module::demo::{Demo, Start, fill};
use serde_json::{Value, json};

use super::*;

fn read() -> Vec<(&'static str, Demo)> {
    let parse = |(id, text)| (id, toml::from_str(text).unwrap_or_else(|error| panic!("{id}: {error}")));
    demos().into_iter().map(parse).collect()
}

/// The steps of a sample, whatever their phase.
fn steps(body: &Value) -> Vec<&Value> {
    let phases = body["spec"]["phases"].as_array().unwrap();
    phases.iter().flat_map(|phase| phase["steps"].as_array().unwrap()).collect()
}

#[test]
fn every_manifest_is_sound_and_every_module_is_there_once() {
    let modules = installed(&[], None);
    let ids: BTreeSet<_> = modules.iter().map(|module| module.manifest().id.clone()).collect();
    assert_eq!(ids.len(), modules.len());
    for module in &modules {
        assert_eq!(module.manifest().faults(), [], "{}", module.manifest().id);
    }
}

#[test]
fn every_demonstration_belongs_to_a_module_and_fills_its_placeholders() {
    let ids: BTreeSet<_> = installed(&[], None).iter().map(|module| module.manifest().id.clone()).collect();
    for (id, demo) in read() {
        assert!(ids.contains(id), "{id}");
        let mut values = BTreeMap::from([("data".to_owned(), "d".to_owned()), ("token_file".to_owned(), "t".to_owned())]);
        for process in &demo.processes {
            for arg in &process.args {
                fill(arg, &values).unwrap();
            }
            // What a process says when it is ready may be used by those after it.
            for field in ["http", "game", "console"] {
                values.insert(format!("{}.{field}", process.name), "127.0.0.1:1".to_owned());
            }
        }
        for link in &demo.links {
            fill(&link.url, &values).unwrap();
            assert_eq!(fill(&link.token_file, &values).unwrap(), "t");
        }
    }
}

#[test]
fn a_sample_by_schedule_is_once_from_the_start_and_the_other_by_hand() {
    for (id, demo) in read() {
        for sample in &demo.definitions {
            let schedule = &sample.body["spec"]["schedule"];
            let expected = match sample.start {
                Start::ByHand => json!({"kind": "manual"}),
                Start::BySchedule => json!({"kind": "once", "at": "+90s"}),
            };
            assert_eq!(*schedule, expected, "{id}: {}", sample.body["slug"]);
        }
    }
}

#[test]
fn what_the_samples_use_exists_and_what_changes_the_world_is_turned_on() {
    let modules = installed(&[], None);
    let action = |id: &str| modules.iter().find_map(|module| module.manifest().action(id));
    for (_, demo) in read() {
        let enabled: BTreeSet<_> = demo.enable.iter().map(|enable| enable.action.as_str()).collect();
        for step in demo.definitions.iter().flat_map(|sample| steps(&sample.body)) {
            let id = step["action"].as_str().unwrap();
            // The engine's own are checked by the engine, which posts these samples like anybody would.
            let Some(action) = action(id) else {
                assert!(id.starts_with("core."), "{id}");
                assert!(id != "core.lease" || enabled.contains(id), "{id} is off");
                continue;
            };
            assert!(!action.risk.changes_the_world() || enabled.contains(id), "{id} is off");
            for (name, value) in step["params"].as_object().unwrap() {
                let param = action.params.iter().find(|param| &param.name == name).unwrap();
                assert!(value.is_object() || param.check(value).is_ok(), "{id} {name} = {value}");
            }
        }
    }
}

#[test]
fn caps_name_declared_budgets() {
    let modules = installed(&[], None);
    let declared: BTreeSet<_> = modules.iter().flat_map(|m| &m.manifest().budgets).map(|budget| &budget.id).collect();
    for (_, demo) in read() {
        for dimension in demo.enable.iter().flat_map(|enable| enable.caps.keys()) {
            assert!(declared.contains(dimension), "{dimension}");
        }
    }
}

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use leasehold_module::demo::{Demo, Start, Written, fill};
use serde_json::{Value, json};

use super::*;

fn read() -> Vec<(&'static str, Demo)> {
    let parse = |demo: Demonstration| {
        let parsed = toml::from_str(demo.text).unwrap_or_else(|error| panic!("{}: {error}", demo.id));
        (demo.id, parsed)
    };
    demos().into_iter().map(parse).collect()
}

/// Whether an id belongs to a module that its game declares.
fn declared_by_a_game(id: &str) -> bool {
    DECLARED_BY_GAMES.iter().any(|module| id.split_once('.').is_some_and(|(of, _)| of == *module))
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

/// Modules that are no part of this build: their games declare them over the link.
const DECLARED_BY_GAMES: [&str; 1] = ["luanti"];

#[test]
fn every_demonstration_belongs_to_a_module_and_fills_its_placeholders() {
    let mut ids: BTreeSet<_> = installed(&[], None).iter().map(|module| module.manifest().id.clone()).collect();
    ids.extend(DECLARED_BY_GAMES.map(str::to_owned));
    for (id, demo) in read() {
        assert!(ids.contains(id), "{id}");
        let known = [("data", "d"), ("token_file", "t"), ("game_token_file", "g"), ("game_token", "secret")];
        let mut values: BTreeMap<String, String> =
            known.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        values.extend(demo.needs.iter().map(|need| (need.name.clone(), need.found_at[0].clone())));
        for process in &demo.processes {
            fill(&process.program, &values).unwrap();
            for arg in &process.args {
                fill(arg, &values).unwrap();
            }
            for written in &process.writes {
                assert!(fill(written.path(), &values).unwrap().starts_with("d/"), "{id} writes elsewhere: {}", written.path());
                if let Written::Text { text, .. } = written {
                    fill(text, &values).unwrap();
                }
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

/// A file that somebody adds to a folder is written, too.
#[test]
fn every_file_of_a_folder_that_is_written_is_brought_along() {
    for demonstration in demos() {
        let demo: Demo = toml::from_str(demonstration.text).unwrap();
        let brought: BTreeSet<String> = demonstration.files.iter().map(|(path, _)| (*path).to_owned()).collect();
        let mut there = BTreeSet::new();
        for written in demo.processes.iter().flat_map(|process| &process.writes) {
            if let Written::Folder { folder, .. } = written {
                let module = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(demonstration.id);
                collect(&module, &module.join(folder), &mut there);
            }
        }
        assert_eq!(brought, there, "{}", demonstration.id);
    }
}

fn collect(module: &Path, folder: &Path, there: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(module, &path, there);
        } else {
            there.insert(path.strip_prefix(module).unwrap().display().to_string());
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
                assert!(id.starts_with("core.") || declared_by_a_game(id), "{id}");
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
            assert!(declared.contains(dimension) || declared_by_a_game(dimension), "{dimension}");
        }
    }
}

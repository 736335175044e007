//! Which crate may depend on which: `contract ← aggregates ← projections ← engine`, the sidecar on the contract alone, the
//! reference game on the wire alone, game modules on contract, wire and the way to sidecars, and only `installed` on game modules.

use std::collections::BTreeMap;

use crate::tree::{Text, none, planted, texts};

/// What each crate may have of ours among its dependencies; a crate in `modules/` without a row is a game module.
const MAY: [(&str, &[&str]); 8] = [
    ("leasehold-module", &[]),
    ("leasehold-aggregates", &["leasehold-module"]),
    ("leasehold-projections", &["leasehold-aggregates", "leasehold-module"]),
    ("leasehold", &["leasehold-module", "leasehold-aggregates", "leasehold-projections", "leasehold-installed"]),
    ("leasehold-link", &["leasehold-module"]),
    ("leasehold-shard", &["leasehold-link"]),
    ("leasehold-sidecar", &["leasehold-module", "leasehold-link"]),
    ("leasehold-installed", &["leasehold-module", "leasehold-sidecar", GAME_MODULES]),
];
const GAME_MODULE: &[&str] = &["leasehold-module", "leasehold-link", "leasehold-sidecar"];
const GAME_MODULES: &str = "any crate of modules/ but the contract";
/// What has no place where rules are pure, or where the vocabulary lies.
const IMPURE: [&str; 7] = ["axum", "postgres-es", "rand", "reqwest", "sqlx", "tokio", "tokio-util"];
const PURE: [&str; 2] = ["leasehold-module", "leasehold-aggregates"];

struct Crate {
    path: String,
    name: String,
    dependencies: Vec<String>,
    in_modules: bool,
}

/// Dependencies that are built into the crate. Those of its tests alone may be any.
fn read(manifest: &Text) -> Option<Crate> {
    let value: toml::Table = manifest.text.parse().unwrap();
    let name = value.get("package")?.get("name")?.as_str()?.to_owned();
    let mut tables = vec![&value];
    tables.extend(value.get("target").and_then(toml::Value::as_table).into_iter().flatten().filter_map(|(_, of)| of.as_table()));
    let of = |table: &&toml::Table| -> Vec<String> {
        let kinds = ["dependencies", "build-dependencies"].into_iter().filter_map(|kind| table.get(kind)?.as_table());
        kinds.flat_map(|table| table.keys().cloned()).collect()
    };
    let dependencies = tables.iter().flat_map(of).collect();
    Some(Crate { path: manifest.path.clone(), name, dependencies, in_modules: manifest.path.starts_with("modules/") })
}

fn faults(manifests: &[Text]) -> Vec<String> {
    let crates: Vec<Crate> = manifests.iter().filter_map(read).collect();
    let rows: BTreeMap<_, _> = MAY.into_iter().collect();
    let game = |name: &str| crates.iter().any(|known| known.name == name && known.in_modules && !rows.contains_key(name));
    let mut faults = Vec::new();
    for one in &crates {
        let Some(may) = rows.get(one.name.as_str()).copied().or(one.in_modules.then_some(GAME_MODULE)) else {
            faults.push(format!("{}: {} has no row in the table of who may depend on what", one.path, one.name));
            continue;
        };
        let allowed = |name: &str| may.contains(&name) || (may.contains(&GAME_MODULES) && game(name));
        for dependency in &one.dependencies {
            if dependency.starts_with("leasehold") && !allowed(dependency) {
                faults.push(format!("{}: {} may not depend on {dependency}", one.path, one.name));
            }
            if PURE.contains(&one.name.as_str()) && IMPURE.contains(&dependency.as_str()) {
                faults.push(format!("{}: {} is pure and may not depend on {dependency}", one.path, one.name));
            }
        }
    }
    faults
}

fn manifest(path: &str, name: &str, dependencies: &[&str]) -> Text {
    let dependencies: Vec<String> = dependencies.iter().map(|name| format!("{name}.workspace = true")).collect();
    let dependencies = dependencies.join("\n");
    planted(path, &format!("[package]\nname = \"{name}\"\n[dependencies]\n{dependencies}\n"))
}

#[test]
fn a_dependency_against_the_arrow_is_found() {
    let game = || manifest("modules/demo/Cargo.toml", "leasehold-demo", &["leasehold-module", "leasehold-link"]);
    let with = |other: Text| faults(&[game(), other]).len();
    assert_eq!(with(manifest("modules/installed/Cargo.toml", "leasehold-installed", &["leasehold-demo"])), 0);
    assert_eq!(with(manifest("aggregates/Cargo.toml", "leasehold-aggregates", &["leasehold-projections"])), 1);
    assert_eq!(with(manifest("aggregates/Cargo.toml", "leasehold-aggregates", &["sqlx", "tokio"])), 2);
    assert_eq!(with(manifest("Cargo.toml", "leasehold", &["leasehold-demo"])), 1);
    assert_eq!(with(manifest("modules/other/Cargo.toml", "leasehold-other", &["leasehold-demo"])), 1);
    assert_eq!(with(manifest("extra/Cargo.toml", "leasehold-extra", &[])), 1);
    let on_unix = "[package]\nname = \"leasehold-shard\"\n[target.'cfg(unix)'.dependencies]\nleasehold.workspace = true\n";
    assert_eq!(with(planted("shard/Cargo.toml", on_unix)), 1);
}

#[test]
fn crates_depend_along_the_arrow() {
    let manifests: Vec<Text> = texts("").into_iter().filter(|file| file.path.ends_with("Cargo.toml")).collect();
    assert!(manifests.len() >= MAY.len(), "only {} manifests were found", manifests.len());
    none("Crates may depend on crates below them alone:", &faults(&manifests));
}

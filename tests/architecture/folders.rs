//! Same thing, same shape: every aggregate's folder has the same files.

use std::collections::{BTreeMap, BTreeSet};

use crate::tree::{Text, none, planted, texts};

/// State and fold, what may be asked, the pure decision, what happened, why not, and the proof.
const FILES: [&str; 6] = ["command", "decide", "event", "mod", "refusal", "tests"];

fn faults(files: &[Text]) -> Vec<String> {
    let mut folders: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut aggregates = BTreeSet::new();
    for file in files {
        let Some((folder, inside)) = file.path.strip_prefix("aggregates/src/").and_then(|path| path.split_once('/')) else {
            continue;
        };
        folders.entry(folder).or_default().insert(inside.split(['/', '.']).next().unwrap_or_default());
        if inside == "mod.rs" && file.text.contains("cqrs_aggregate!(") {
            aggregates.insert(folder);
        }
    }
    let missing = |folder: &&str| {
        let has = folders.get(*folder).cloned().unwrap_or_default();
        let lacking: Vec<&str> = FILES.into_iter().filter(|name| !has.contains(name)).collect();
        (!lacking.is_empty()).then(|| format!("aggregates/src/{folder} lacks {}", lacking.join(", ")))
    };
    aggregates.iter().filter_map(missing).collect()
}

#[test]
fn an_aggregate_without_its_files_is_found() {
    let file = |path: &str| planted(&format!("aggregates/src/{path}"), "");
    let state = planted("aggregates/src/lamp/mod.rs", "crate::cqrs_aggregate!(Lamp);");
    let mut files = vec![state, file("lamp/command.rs"), file("lamp/decide.rs"), file("lamp/event.rs"), file("plain/mod.rs")];
    assert_eq!(faults(&files), ["aggregates/src/lamp lacks refusal, tests"]);
    files.extend([file("lamp/refusal.rs"), file("lamp/tests/deep.rs")]);
    assert_eq!(faults(&files), [""; 0]);
}

#[test]
fn aggregates_look_alike() {
    let files = texts("aggregates/src");
    assert!(files.iter().any(|file| file.text.contains("cqrs_aggregate!(")), "no aggregate was found");
    none("Every aggregate has the same files:", &faults(&files));
}

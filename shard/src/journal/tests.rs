use super::*;
use crate::{
    fences::{Fences, Marks},
    keys::{Identity, KeyStore, Verdict},
};
use leasehold_link::wire::Correlation;
use serde_json::{Map, Value, json};
use std::{fs, path::Path};

fn open(directory: &Path) -> (Journal, Fences, KeyStore) {
    let mut store = KeyStore::new(3600, 4096);
    let (journal, runs) = Journal::open(directory, 0, &mut store).unwrap();
    (journal, runs, store)
}

fn begun(key: &str) -> Record {
    let (key, kind) = (key.to_owned(), "world.spawn".to_owned());
    Record::Begun { key, kind, digest: "d".into(), field: "reqId".into(), t: 0, run_id: Some("77".into()), fence: Some(4) }
}

fn answered(key: &str) -> Record {
    let reply: Map<String, Value> = serde_json::from_value(json!({"kind": "world.spawn.ok", "reqId": "1"})).unwrap();
    Record::Answered { key: key.to_owned(), reply }
}

fn released(key: &str) -> Record {
    Record::Released { key: key.to_owned() }
}

fn ask(store: &mut KeyStore, key: &str) -> Verdict {
    let identity = Identity { kind: "world.spawn".into(), digest: "d".into(), field: "reqId" };
    store.ask(0, key, &identity, &Correlation { field: "reqId", value: "2".into() })
}

#[test]
fn what_was_written_is_known_to_the_next_process() {
    let directory = tempfile::tempdir().unwrap();
    let (mut journal, ..) = open(directory.path());
    journal.append(&[begun("cut off"), begun("done"), answered("done"), begun("refused"), released("refused")]).unwrap();
    journal.append(&[Record::Run { run_id: "77".into(), marks: Marks { highest: 9, closed: Some(9) } }]).unwrap();
    for _ in 0..2 {
        let (_, runs, mut store) = open(directory.path());
        assert_eq!(ask(&mut store, "cut off"), Verdict::Interrupted);
        assert!(matches!(ask(&mut store, "done"), Verdict::Replay(_)));
        assert_eq!(ask(&mut store, "refused"), Verdict::Fresh);
        assert_eq!(runs.marks("77"), Marks { highest: 9, closed: Some(9) });
    }
}

#[test]
fn the_highest_fence_is_known_from_begun_keys_alone() {
    let directory = tempfile::tempdir().unwrap();
    open(directory.path()).0.append(&[begun("k")]).unwrap();
    assert_eq!(open(directory.path()).1.marks("77"), Marks { highest: 4, closed: None });
    assert_eq!(open(directory.path()).1.marks("77").highest, 4, "also after the file was rewritten");
}

#[test]
fn a_torn_last_line_is_cut_off_and_the_rest_counts() {
    let directory = tempfile::tempdir().unwrap();
    open(directory.path()).0.append(&[begun("done"), answered("done")]).unwrap();
    let path = directory.path().join("journal.jsonl");
    let whole = fs::read_to_string(&path).unwrap();
    for cut in 1..whole.lines().last().unwrap().len() {
        fs::write(&path, &whole[..whole.len() - 1 - cut]).unwrap();
        let (mut journal, _, mut store) = open(directory.path());
        assert_eq!(ask(&mut store, "done"), Verdict::Interrupted, "its answer was torn off at {cut}");
        journal.append(&[begun("next")]).unwrap();
        assert_eq!(ask(&mut open(directory.path()).2, "next"), Verdict::Interrupted);
    }
}

#[test]
fn a_broken_line_in_the_middle_stops_the_game_rather_than_forget_a_key() {
    let directory = tempfile::tempdir().unwrap();
    open(directory.path()).0.append(&[begun("a"), begun("b")]).unwrap();
    let path = directory.path().join("journal.jsonl");
    let text = fs::read_to_string(&path).unwrap().replacen("{\"j\":\"begun\"", "{\"j\":\"begot\"", 1);
    fs::write(&path, text).unwrap();
    let failure = Journal::open(directory.path(), 0, &mut KeyStore::new(3600, 4096)).unwrap_err();
    assert!(matches!(failure, JournalFailure::Broken { .. }), "{failure}");
}

#[test]
fn the_file_stays_bounded_and_forgets_nothing_live() {
    let directory = tempfile::tempdir().unwrap();
    let mut store = KeyStore::new(3600, 8);
    let (mut journal, runs) = Journal::open(directory.path(), 0, &mut store).unwrap();
    let identity = Identity { kind: "world.spawn".into(), digest: "d".into(), field: "reqId" };
    let reply: Map<String, Value> = serde_json::from_value(json!({"kind": "ok", "reqId": "1"})).unwrap();
    let mut longest = 0;
    for batch in 0..40 {
        let mut records = Vec::new();
        for n in 0..500 {
            let key = format!("{batch}-{n}");
            store.begin(0, &key, identity.clone()).unwrap();
            store.settle(&key, reply.clone());
            records.extend([begun(&key), Record::Answered { key, reply: reply.clone() }]);
        }
        journal.append(&records).unwrap();
        journal.compact_if_long(&store, &runs).unwrap();
        longest = longest.max(journal.lines());
    }
    assert!(longest < 10_000, "{longest} lines of 40,000 written");
    let mut store = KeyStore::new(3600, 8);
    Journal::open(directory.path(), 0, &mut store).unwrap();
    assert_eq!(store.len(), 8);
    assert!(matches!(ask(&mut store, "39-499"), Verdict::Replay(_)));
}

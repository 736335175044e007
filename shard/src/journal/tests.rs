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
    let Opened { mut journal, fences, rows } = Journal::open(directory, 0, &mut store).unwrap();
    assert_eq!(rows, [""; 0]);
    journal.compact(&store, &fences).unwrap();
    (journal, fences, store)
}

fn write(journal: &mut Journal, records: &[Record]) {
    for record in records {
        journal.stage(record).unwrap();
    }
    journal.flush().unwrap();
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
    write(&mut journal, &[begun("cut off"), begun("done"), answered("done"), begun("refused"), released("refused")]);
    write(&mut journal, &[Record::Run { run_id: "77".into(), marks: Marks { highest: 9, closed: Some(9) } }]);
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
    write(&mut open(directory.path()).0, &[begun("k")]);
    assert_eq!(open(directory.path()).1.marks("77"), Marks { highest: 4, closed: None });
    assert_eq!(open(directory.path()).1.marks("77").highest, 4, "also after the file was rewritten");
}

#[test]
fn a_torn_last_line_is_cut_off_and_the_rest_counts() {
    let directory = tempfile::tempdir().unwrap();
    write(&mut open(directory.path()).0, &[begun("done"), answered("done")]);
    let path = directory.path().join("journal.jsonl");
    let kept = fs::read_to_string(&path).unwrap();
    let whole = kept.trim_end_matches('\0');
    for cut in 1..whole.lines().last().unwrap().len() {
        fs::write(&path, &whole[..whole.len() - 1 - cut]).unwrap();
        let (mut journal, _, mut store) = open(directory.path());
        assert_eq!(ask(&mut store, "done"), Verdict::Interrupted, "its answer was torn off at {cut}");
        write(&mut journal, &[begun("next")]);
        assert_eq!(ask(&mut open(directory.path()).2, "next"), Verdict::Interrupted);
    }
}

#[test]
fn a_broken_line_in_the_middle_stops_the_game_rather_than_forget_a_key() {
    let directory = tempfile::tempdir().unwrap();
    write(&mut open(directory.path()).0, &[begun("a"), begun("b")]);
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
    let Opened { mut journal, fences, .. } = Journal::open(directory.path(), 0, &mut store).unwrap();
    journal.compact(&store, &fences).unwrap();
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
        write(&mut journal, &records);
        if journal.is_long() {
            journal.compact(&store, &fences).unwrap();
        }
        longest = longest.max(journal.lines());
    }
    assert!(longest < 10_000, "{longest} lines of 40,000 written");
    let mut store = KeyStore::new(3600, 8);
    Journal::open(directory.path(), 0, &mut store).unwrap();
    assert_eq!(store.len(), 8);
    assert!(matches!(ask(&mut store, "39-499"), Verdict::Replay(_)));
}

#[test]
fn rows_of_the_audit_are_given_back_as_they_were_until_the_file_is_rewritten() {
    let directory = tempfile::tempdir().unwrap();
    let (mut journal, _, mut store) = open(directory.path());
    let rows = [r#"{"seq":1,"t":0}"#, r#"{"seq":2,"t":0,"why":"{\"j\":\"begun\"}"}"#];
    journal.stage_line(rows[0]);
    journal.stage(&begun("k")).unwrap();
    journal.stage_line(rows[1]);
    journal.flush().unwrap();
    drop(journal);
    let Opened { mut journal, fences, rows: told } = Journal::open(directory.path(), 0, &mut store).unwrap();
    assert_eq!((told.as_slice(), journal.lines()), (rows.map(str::to_owned).as_slice(), 3));
    assert_eq!(ask(&mut store, "k"), Verdict::Interrupted);
    journal.compact(&store, &fences).unwrap();
    assert_eq!(open(directory.path()).0.lines(), 2, "the key and the claim");
}

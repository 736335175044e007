use super::*;
use std::{fs, path::Path};

fn open(directory: &Path, journaled: &[String]) -> Audit {
    Audit::open(directory, "boot".into(), journaled).unwrap()
}

fn record(audit: &mut Audit, count: usize) -> Vec<String> {
    (0..count).map(|_| audit.stage(0, &Row::new(Outcome::Applied, "world.spawn")).unwrap().to_owned()).collect()
}

fn text(directory: &Path) -> String {
    fs::read_to_string(directory.join("audit.jsonl")).unwrap()
}

#[test]
fn rows_that_a_crash_took_from_the_trail_come_back_from_the_journal_each_once() {
    let directory = tempfile::tempdir().unwrap();
    let mut audit = open(directory.path(), &[]);
    let rows = record(&mut audit, 5);
    audit.write().unwrap();
    let whole = text(directory.path());
    for left in 0..=whole.len() {
        for behind in ["", "\0\0\0", "\0\n"] {
            fs::write(directory.path().join("audit.jsonl"), format!("{}{behind}", &whole[..left])).unwrap();
            let mut audit = open(directory.path(), &rows);
            assert_eq!(text(directory.path()), whole, "{left} bytes were left, and {behind:?}");
            assert!(record(&mut audit, 1)[0].starts_with("{\"seq\":6,"));
        }
    }
}

#[test]
fn the_journal_may_have_only_the_newest_rows_and_none_is_taken_in_twice() {
    let directory = tempfile::tempdir().unwrap();
    let mut audit = open(directory.path(), &[]);
    let rows = record(&mut audit, 4);
    audit.write().unwrap();
    let whole = text(directory.path());
    for journaled in [&rows[..0], &rows[2..], &rows[3..]] {
        assert!(record(&mut open(directory.path(), journaled), 1)[0].starts_with("{\"seq\":5,"));
        assert_eq!(text(directory.path()), whole);
    }
}

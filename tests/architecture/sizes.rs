//! Files stay small; one that is large says why.

use crate::tree::{Text, none, planted, texts};

/// The most lines a file may have without a reason.
const MOST: usize = 400;
/// Kinds of file that people write line by line. Recorded data and the lock file are not among them.
const WRITTEN: [&str; 5] = ["rs", "sql", "md", "sh", "mk"];

/// Larger files, each with its reason.
const LARGE: [(&str, &str); 4] = [
    ("docs/wire.md", "a specification is read and implemented from one page; its transcripts are replayed by tests"),
    ("aggregates/src/run/event.rs", "every fact of a run's life is one closed set, and each is a few lines"),
    ("docs/schema.sql", "the dump of the whole schema on one page; a test writes it"),
    ("docs/api.md", "a reference is searched on one page; a test holds every route against it"),
];

fn faults(files: &[Text], large: &[(&str, &str)]) -> Vec<String> {
    let mut faults = Vec::new();
    for file in files.iter().filter(|file| WRITTEN.into_iter().any(|kind| file.is(kind))) {
        let lines = file.text.lines().count();
        let excused = large.iter().any(|(path, _)| *path == file.path);
        if lines > MOST && !excused {
            faults.push(format!("{} has {lines} lines; divide it, or list it with its reason", file.path));
        } else if lines <= MOST && excused {
            faults.push(format!("{} has {lines} lines and needs no excuse any more", file.path));
        }
    }
    let gone = large.iter().filter(|(path, _)| !files.iter().any(|file| file.path == *path));
    faults.extend(gone.map(|(path, _)| format!("{path} is excused and is not there")));
    faults
}

#[test]
fn a_large_file_is_found_and_so_is_an_idle_excuse() {
    let file = |lines: usize| planted("src/any.rs", &"\n".repeat(lines));
    let excuse = [("src/any.rs", "a reason")];
    assert_eq!(faults(&[file(MOST)], &[]).len(), 0);
    assert_eq!(faults(&[file(MOST + 1)], &[]).len(), 1);
    assert_eq!(faults(&[file(MOST + 1)], &excuse).len(), 0);
    assert_eq!(faults(&[file(MOST)], &excuse).len(), 1);
    assert_eq!(faults(&[], &excuse).len(), 1);
}

#[test]
fn files_are_small() {
    none("A large file wants a better division:", &faults(&texts(""), &LARGE));
}

use super::*;

fn lines(path: &Path) -> String {
    LineFile::open(path).unwrap().1
}

#[test]
fn what_was_appended_is_read_again_also_beyond_the_room_that_was_made() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("lines");
    let (mut file, none) = LineFile::open(&path).unwrap();
    assert_eq!(none, "");
    let long = format!("{}\n", "x".repeat(300_000));
    for _ in 0..9 {
        file.append(&long).unwrap();
    }
    assert_eq!((lines(&path), file.length()), (long.repeat(9), 9 * long.len() as u64));
    file.rewrite([Ok("one\n".to_owned())].into_iter()).unwrap();
    file.append("two\n").unwrap();
    assert_eq!(lines(&path), "one\ntwo\n");
    let (mut again, _) = LineFile::open(&path).unwrap();
    again.append("three\n").unwrap();
    assert_eq!(lines(&path), "one\ntwo\nthree\n");
}

/// A write that a crash cuts off leaves any part of it on the disk: its head, its tail behind a hole, or a middle.
#[test]
fn of_a_torn_write_nothing_stays_and_everything_before_it_does() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("lines");
    LineFile::open(&path).unwrap().0.append("whole\n").unwrap();
    let written = fs::read(&path).unwrap();
    let torn = b"half a line\nand another\n";
    for from in 0..torn.len() {
        for to in from + 1..=torn.len() {
            let mut bytes = written.clone();
            bytes[6 + from..6 + to].copy_from_slice(&torn[from..to]);
            fs::write(&path, bytes).unwrap();
            let head = if from == 0 && to >= 12 { if to == torn.len() { &torn[..] } else { &torn[..12] } } else { b"" };
            assert_eq!(lines(&path), format!("whole\n{}", std::str::from_utf8(head).unwrap()), "{from}..{to}");
            let (mut file, _) = LineFile::open(&path).unwrap();
            file.append("next\n").unwrap();
            assert!(lines(&path).ends_with("\nnext\n"));
        }
    }
}

#[test]
fn a_file_that_was_written_without_room_and_one_that_is_no_text_are_told_apart() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("lines");
    fs::write(&path, "one\ntwo\nth").unwrap();
    assert_eq!(lines(&path), "one\ntwo\n");
    fs::write(&path, b"one\n\xff\n").unwrap();
    assert_eq!(LineFile::open(&path).unwrap_err().kind(), io::ErrorKind::InvalidData);
}

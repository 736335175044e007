//! Zone rules out of a directory of compiled zone files, in place of the built-in ones.

use std::fs;
use std::path::{Path, PathBuf};

use leasehold::engine::zoneinfo::load;

/// Five zones of release 2026f, as a system keeps them.
fn kept() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("aggregates/tests/zones/2026f")
}

fn file(name: &str) -> Vec<u8> {
    fs::read(kept().join(name)).unwrap()
}

/// A directory of these files.
fn directory(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    directory
}

#[test]
fn a_directory_of_zone_files_is_read_whole() {
    let zones = load(&kept()).unwrap();
    assert_eq!(zones.release(), "2026f");
    let names =
        ["Africa/Casablanca", "America/Edmonton", "America/Inuvik", "America/Vancouver", "Etc/UTC", "Europe/Chisinau", "UTC"];
    assert_eq!(zones.names(), names);
    let edmonton = zones.find("America/Edmonton").unwrap();
    let friday = "2026-11-06T20:00:00".parse().unwrap();
    assert_eq!(edmonton.first_at_or_past(friday).to_rfc3339(), "2026-11-07T02:00:00+00:00");
}

#[test]
fn what_is_no_zone_is_passed_over() {
    let zone = file("Europe/Chisinau");
    let directory = directory(&[
        ("Europe/Chisinau", &zone),
        ("America/Argentina/Ushuaia", &zone),
        ("Europe/__init__.py", b"print()"),
        ("posix/Europe/Berlin", b"no zone"),
        ("right/Europe/Berlin", b"no zone"),
        ("zone1970.tab", b"# a table"),
        ("EST5EDT", b"no zone"),
        ("Europe/Deep/Deeper/Deepest", b"no zone"),
    ]);
    let zones = load(directory.path()).unwrap();
    assert_eq!(zones.names(), ["America/Argentina/Ushuaia", "Etc/UTC", "Europe/Chisinau", "UTC"]);
    let release = zones.release().to_owned();
    assert!(release.starts_with("sha256:") && release.len() == 19, "nothing tells it: {release}");
    assert_eq!(load(directory.path()).unwrap().release(), release);
    fs::write(directory.path().join("+VERSION"), "2027a\n").unwrap();
    assert_eq!(load(directory.path()).unwrap().release(), "2027a");
    fs::write(directory.path().join("+VERSION"), "2027a<script>\n").unwrap();
    assert_eq!(load(directory.path()).unwrap().release(), release, "what is no release is not told as one");
}

#[test]
fn links_within_the_directory_are_zones_too() {
    let directory = directory(&[("Europe/Kyiv", &file("Europe/Chisinau"))]);
    std::os::unix::fs::symlink("Kyiv", directory.path().join("Europe/Kiev")).unwrap();
    std::os::unix::fs::symlink("..", directory.path().join("Europe/Loop")).unwrap();
    let zones = load(directory.path()).unwrap();
    assert_eq!(zones.find("Europe/Kiev"), zones.find("Europe/Kyiv"));
    assert_eq!(zones.names().len(), 4);
}

#[test]
fn what_cannot_be_used_is_refused_and_named() {
    let good = file("Europe/Chisinau");
    let mut leaping = good.clone();
    leaping[31] = 27;
    let large = vec![0; 100_000];
    for (files, says) in [
        (&[("Europe/Berlin", &good[..100])][..], "Europe/Berlin cannot be read"),
        (&[("Europe/Chisinau", &good), ("Europe/Berlin", b"")], "Europe/Berlin cannot be read"),
        (&[("Europe/Berlin", b"#!/bin/sh")], "Europe/Berlin cannot be read"),
        (&[("Europe/Berlin", &leaping)], "leap seconds"),
        (&[("Europe/Berlin", &large)], "at most 65536"),
        (&[("zone1970.tab", b"# a table")], "holds no compiled zone files"),
        (&[], "holds no compiled zone files"),
    ] {
        let directory = directory(files);
        let refused = load(directory.path()).unwrap_err().to_string();
        assert!(refused.contains(says) && refused.contains(directory.path().to_str().unwrap()), "{refused}");
    }
    let missing = load(Path::new("/nowhere/zoneinfo")).unwrap_err().to_string();
    assert!(missing.contains("/nowhere/zoneinfo"), "{missing}");
}

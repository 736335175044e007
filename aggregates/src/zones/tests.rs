use chrono::Duration;

use super::*;

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn local(text: &str) -> NaiveDateTime {
    text.parse().unwrap()
}

fn find(name: &str) -> Result<Zone, ZoneFault> {
    Zones::default().find(name)
}

/// A zone file of release 2026f.
fn edmonton() -> Vec<u8> {
    include_bytes!("../../tests/zones/2026f/America/Edmonton").to_vec()
}

fn of_files(files: &[(&str, &[u8])]) -> Result<Zones, ZoneFileFault> {
    Zones::compiled("own", files.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())))
}

#[test]
fn names_are_full_names() {
    for name in ["Europe/Berlin", "Europe/Kyiv", "Europe/Kiev", "America/Argentina/La_Rioja", "UTC", "Etc/UTC"] {
        assert!(find(name).is_ok(), "{name}");
    }
    for name in ["EST", "CET", "CEST", "EST5EDT", "Etc/GMT+5", "+01:00", "GMT", "utc", "US/Eastern", "../../etc/passwd", ""] {
        assert!(matches!(find(name), Err(ZoneFault::NotAName { .. })), "{name}");
    }
    for name in ["Europe/Kiyv", "europe/berlin", "Europe/", "Europe/../Berlin", "Mars/Olympus_Mons", "Europe/BERLIN"] {
        assert!(find(name).is_err(), "{name}");
    }
}

#[test]
fn what_was_probably_meant_is_told() {
    for (typed, near) in [
        ("Europe/Kiyv", &["Europe/Kiev", "Europe/Kyiv"][..]),
        ("europe/berlin", &["Europe/Berlin"]),
        ("Europe/BERLIN", &["Europe/Berlin"]),
        ("Berlin", &["Europe/Berlin"]),
        ("America/New York", &["America/New_York"]),
        ("Asia/Vancouver", &["America/Vancouver"]),
        ("Utc", &["UTC"]),
    ] {
        let fault = find(typed).unwrap_err();
        let (ZoneFault::NotAName { near: told, .. } | ZoneFault::Unknown { near: told, .. }) = &fault;
        assert!(near.iter().all(|near| told.iter().any(|told| told == near)), "{typed}: {told:?}");
        assert!(fault.to_string().contains("did you mean"), "{fault}");
    }
    for typed in ["CEST", "EST", "+01:00", "Mars/Olympus_Mons", "", "\u{1f570}", &"a/".repeat(500)] {
        let fault = find(typed).unwrap_err().to_string();
        assert!(!fault.contains("did you mean"), "{typed}: {fault}");
        assert!(fault.len() < 250, "{fault}");
    }
}

#[test]
fn a_gap_ends_at_the_change_and_a_fold_takes_the_first_pass() {
    let berlin = find("Europe/Berlin").unwrap();
    assert_eq!(berlin.first_at_or_past(local("2027-03-28T02:30:00")), at("2027-03-28T01:00:00Z"));
    assert_eq!(berlin.first_at_or_past(local("2027-10-31T02:30:00")), at("2027-10-31T00:30:00Z"));
    assert!(berlin.shows_again(local("2027-10-31T02:30:00"), at("2027-10-31T00:30:00Z")));
    assert!(!berlin.shows_again(local("2027-10-31T02:30:00"), at("2027-10-31T01:30:00Z")));
    assert!(!berlin.shows_again(local("2027-10-31T03:00:00"), at("2027-10-31T02:00:00Z")));
}

#[test]
fn rules_hold_to_the_last_year() {
    let berlin = find("Europe/Berlin").unwrap();
    assert_eq!(berlin.wall_clock(at("2099-07-01T12:00:00Z")), local("2099-07-01T14:00:00"));
    assert_eq!(berlin.wall_clock(at("2099-12-01T12:00:00Z")), local("2099-12-01T13:00:00"));
    assert_eq!(berlin.first_at_or_past(local("2099-03-29T02:30:00")), at("2099-03-29T01:00:00Z"));
    assert_eq!(LAST_YEAR, 2099);
}

#[test]
fn files_take_the_place_of_what_is_compiled_in() {
    let zones = of_files(&[("Europe/Kyiv", &edmonton())]).unwrap();
    assert_eq!((zones.release(), zones.names()), ("own", vec!["Etc/UTC", "Europe/Kyiv", "UTC"]));
    let friday = local("2026-11-06T20:00:00");
    assert_eq!(zones.find("Europe/Kyiv").unwrap().first_at_or_past(friday), at("2026-11-07T02:00:00Z"), "as the file says");
    assert_eq!(find("Europe/Kyiv").unwrap().first_at_or_past(friday), at("2026-11-06T18:00:00Z"));
    assert_eq!(zones.find("UTC").unwrap().offset(at("2027-01-01T00:00:00Z")), Duration::zero());
    let missing = zones.find("Europe/Berlin").unwrap_err().to_string();
    assert!(missing.contains("zone data own has no time zone"), "{missing}");
}

#[test]
fn a_file_that_cannot_be_used_is_named() {
    let good = edmonton();
    let mut leaping = good.clone();
    leaping[31] = 27;
    let large = vec![0; MAX_FILE_BYTES + 1];
    for (name, bytes, says) in [
        ("America/Edmonton", &b""[..], "cannot be read"),
        ("America/Edmonton", b"TZif2", "cannot be read"),
        ("America/Edmonton", &good[..good.len() / 2], "cannot be read"),
        ("America/Edmonton", b"root:x:0:0", "cannot be read"),
        ("America/Edmonton", &large, "at most"),
        ("America/Edmonton", &leaping, "leap seconds"),
        ("../Edmonton", &good, "no name"),
        ("posix/America/Edmonton", &good, "no name"),
    ] {
        let fault = of_files(&[(name, bytes)]).unwrap_err().to_string();
        assert!(fault.contains(says) && fault.contains("Edmonton"), "{fault}");
    }
    for cut in 0..good.len() {
        // Whatever is cut off, it is read or refused.
        let _ = of_files(&[("America/Edmonton", &good[..cut])]);
    }
}

#[test]
fn leap_seconds_are_found_in_the_second_header_too() {
    let mut file = edmonton();
    let second = file.windows(4).rposition(|bytes| bytes == b"TZif").unwrap();
    assert!(second > 0);
    file[second + 31] = 27;
    assert!(matches!(of_files(&[("America/Edmonton", &file)]), Err(ZoneFileFault::LeapSeconds { .. })));
}

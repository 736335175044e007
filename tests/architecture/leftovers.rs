//! What no file may contain: something unfinished, something switched off, and a path on somebody's machine.

use crate::tree::{Text, none, planted, texts};

/// Put together here so that this file does not contain them.
fn unfinished() -> Vec<String> {
    let macros = ["to\u{2d}do", "unimplemen\u{2d}ted", "db\u{2d}g"].map(|name| format!("{}!", name.replace('-', "")));
    let marks = ["TO-DO", "FIX-ME"].map(|mark| mark.replace('-', ""));
    let ignored = ["#[ign-ore]", "#[ign-ore ="].map(|attribute| attribute.replace('-', ""));
    macros.into_iter().chain(marks).chain(ignored).collect()
}

/// Beginnings of paths that exist on one machine alone. Ours below the folder for temporary files begin with our name.
fn of_a_machine(line: &str) -> Option<String> {
    let homes = ["ro-ot", "ho-me", "Us-ers", "wo-rk"].map(|name| format!("/{}/", name.replace('-', "")));
    let home = homes.into_iter().find(|home| {
        let starts = |at: usize| !line[..at].ends_with(|c: char| c.is_alphanumeric() || "._-}*".contains(c));
        line.match_indices(home.as_str()).any(|(at, _)| starts(at))
    });
    let temporary = format!("/{}/", "tmp");
    let foreign = line.match_indices(&temporary).any(|(at, _)| {
        let rest = &line[at + temporary.len()..];
        rest.starts_with(char::is_alphanumeric) && !rest.starts_with("leasehold")
    });
    home.or(foreign.then_some(temporary))
}

fn faults(file: &Text) -> Vec<String> {
    let marks = unfinished();
    let mut faults = Vec::new();
    for (at, line) in file.text.lines().enumerate() {
        let marks = marks.iter().filter(|mark| line.contains(mark.as_str()));
        faults.extend(marks.map(|mark| file.fault(at + 1, &format!("{mark} has no place here"))));
        faults.extend(of_a_machine(line).map(|path| file.fault(at + 1, &format!("{path} is a path on one machine"))));
    }
    faults
}

#[test]
fn a_planted_leftover_is_found() {
    let of = |text: &str| faults(&planted("src/any.rs", text)).len();
    for mark in unfinished() {
        assert_eq!(of(&format!("let a = 1; {mark}")), 1, "{mark}");
    }
    let path = |parts: [&str; 2]| format!("see /{}/", parts.concat());
    for parts in [["ro", "ot"], ["ho", "me"], ["Us", "ers"], ["wo", "rk"]] {
        assert_eq!(of(&path(parts)), 1, "{parts:?}");
    }
    assert_eq!(of(&format!("/{}/scratch", "tmp")), 1);
    let fine = ["\"/tmp\"", "/tmp/leasehold-tests-0", "https://example.org/home/page", "a/work/b", "the total", "#[expect(x)]"];
    for fine in fine {
        assert_eq!(of(fine), 0, "{fine}");
    }
}

#[test]
fn nothing_is_left_over() {
    none("Finish it, or leave it out:", &texts("").iter().flat_map(faults).collect::<Vec<_>>());
}

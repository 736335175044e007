//! Inside the engine: `main → api, console, cli → engine → log → telling`, by what the sources name.

use crate::tree::{Text, none, planted, texts};

/// Which parts of the engine each part may name.
const MAY: [(&str, &[&str]); 7] = [
    ("telling", &["telling"]),
    ("log", &["log", "telling"]),
    ("embedded", &["embedded", "log", "telling"]),
    ("engine", &["engine", "log", "telling"]),
    ("api", &["api", "engine", "log", "telling"]),
    ("console", &["console", "engine", "log", "telling"]),
    ("cli", &["cli", "api", "console", "engine", "embedded", "log", "telling"]),
];
/// What pure rules have no business with.
const OUTSIDE: [&str; 6] = ["std::env", "std::fs", "std::net", "std::process", "std::thread", "std::time::Instant"];

fn parts() -> impl Iterator<Item = &'static str> {
    MAY.into_iter().map(|(part, _)| part)
}

/// The part of the engine that a file of `src/` belongs to, and how many modules deep the file lies.
fn place(path: &str) -> Option<(&str, usize)> {
    let inside = path.strip_prefix("src/")?.strip_suffix(".rs")?;
    let modules: Vec<&str> = inside.split('/').filter(|name| *name != "mod").collect();
    Some((*modules.first()?, modules.len()))
}

/// The code of a line, without its comment.
fn code(line: &str) -> &str {
    line.find("//").map_or(line, |start| &line[..start])
}

/// The parts that `text` names by `crate::…`, or by climbing to the root with `super::`; each with its line.
fn named(text: &str, depth: usize) -> Vec<(usize, String)> {
    let lines: Vec<&str> = text.lines().map(code).collect();
    let code = lines.join("\n");
    let climb = "super::".repeat(depth);
    let mut found = Vec::new();
    for start in ["crate::", climb.as_str()] {
        for (at, _) in code.match_indices(start).filter(|(at, _)| !code[..*at].ends_with("super::")) {
            let line = code[..at].matches('\n').count() + 1;
            found.extend(heads(code[at + start.len()..].trim_start()).into_iter().map(|head| (line, head)));
        }
    }
    found
}

/// The first names of a path: one, or several in braces.
fn heads(path: &str) -> Vec<String> {
    let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let Some(group) = path.strip_prefix('{') else { return vec![word(path)] };
    let (mut heads, mut depth, mut fresh) = (Vec::new(), 0_u32, true);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => fresh = true,
            c if c.is_alphabetic() && fresh => {
                heads.push(word(&group[at..]));
                fresh = false;
            }
            _ => {}
        }
    }
    heads
}

fn faults(file: &Text) -> Vec<String> {
    let Some((part, depth)) = place(&file.path) else { return Vec::new() };
    let Some((_, may)) = MAY.into_iter().find(|(name, _)| *name == part) else { return Vec::new() };
    let against = |head: &str| parts().any(|part| part == head) && !may.contains(&head);
    let named = named(&file.text, depth).into_iter().filter(|(_, head)| against(head));
    named.map(|(line, head)| file.fault(line, &format!("{part} may not know {head}"))).collect()
}

fn impure(file: &Text) -> Vec<String> {
    let tests = file.path.contains("/tests");
    let lines = file.text.lines().enumerate().filter(|_| !tests);
    let reaches = |line: &str| OUTSIDE.into_iter().find(|outside| code(line).contains(outside));
    lines.filter_map(|(at, line)| Some(file.fault(at + 1, &format!("a rule may not reach for {}", reaches(line)?)))).collect()
}

#[test]
fn an_import_against_the_arrow_is_found() {
    let of = |path: &str, text: &str| faults(&planted(path, text)).len();
    assert_eq!(of("src/log/read.rs", "use crate::engine::Engine;"), 1);
    assert_eq!(of("src/engine/mod.rs", "use crate::{\n    api::Router,\n    log::{Log, cli},\n    cli,\n};"), 2);
    assert_eq!(of("src/engine/runs/due.rs", "let a = super::super::super::console::page();"), 1);
    assert_eq!(of("src/engine/runs/due.rs", "use super::super::log;\n// crate::api is not meant\nuse crate::log::Log;"), 0);
    assert_eq!(of("src/main.rs", "use crate::api;"), 0);
    assert_eq!(of("src/embedded/mod.rs", "fn f() -> crate::engine::Engine {}"), 1);
    let rule = |path: &str| impure(&planted(path, "use std::fs::File;")).len();
    assert_eq!((rule("aggregates/src/run/mod.rs"), rule("aggregates/src/run/tests.rs")), (1, 0));
}

#[test]
fn the_engine_is_layered() {
    let files = texts("src");
    let known: Vec<&str> = files.iter().filter_map(|file| place(&file.path)).map(|(part, _)| part).collect();
    let strangers: Vec<&&str> =
        known.iter().filter(|name| !["lib", "main"].contains(name) && !parts().any(|part| part == **name)).collect();
    assert!(strangers.is_empty(), "these parts of src/ have no row in the table of layers: {strangers:?}");
    none("Parts of the engine may know the parts below them alone:", &files.iter().flat_map(faults).collect::<Vec<_>>());
}

#[test]
fn rules_reach_for_nothing_outside() {
    let files: Vec<Text> = texts("aggregates/src").into_iter().filter(|file| file.is("rs")).collect();
    none("Rules take time, chance and facts as parameters:", &files.iter().flat_map(impure).collect::<Vec<_>>());
}

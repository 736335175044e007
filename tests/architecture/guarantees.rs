//! Every promise of `docs/guarantees.md` names a test that is there.

use crate::tree::{Text, none, planted, texts};

const PAGE: &str = "docs/guarantees.md";

/// The file and the function that each line of a table names, with the line.
fn named(text: &str) -> Vec<(usize, String, String)> {
    let rows = text.lines().enumerate().filter(|(_, line)| line.starts_with('|') && line.contains(".rs`"));
    let parts = rows.filter_map(|(at, line)| {
        let mut code = line.rsplit('|').nth(1)?.split('`').skip(1).step_by(2);
        Some((at + 1, code.next()?.to_owned(), code.next()?.to_owned()))
    });
    parts.collect()
}

fn faults(page: &Text, files: &[Text]) -> Vec<String> {
    let there = |path: &str, function: &str| {
        let file = files.iter().find(|file| file.path == path);
        file.is_some_and(|file| file.text.contains(&format!("fn {function}(")))
    };
    let gone = named(&page.text).into_iter().filter(|(_, path, function)| !there(path, function));
    gone.map(|(line, path, function)| page.fault(line, &format!("there is no {function} in {path}"))).collect()
}

#[test]
fn a_test_that_is_gone_is_found() {
    let page = planted(
        PAGE,
        "| promise | checked by |\n| --- | --- |\n| it holds | `tests/a.rs` `it_holds` |\n| it lasts | `tests/a.rs` `it_lasts` |",
    );
    let files = [planted("tests/a.rs", "async fn it_holds() {}")];
    assert_eq!(faults(&page, &files), ["docs/guarantees.md:4: there is no it_lasts in tests/a.rs"]);
}

#[test]
fn every_promise_names_a_test_that_is_there() {
    let all = texts("");
    let page = all.iter().find(|file| file.path == PAGE).expect("the page of promises");
    assert!(named(&page.text).len() > 20, "the table is read");
    none("Name the test that checks the promise:", &faults(page, &all));
}

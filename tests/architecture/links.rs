//! Links between the documents lead somewhere.

use crate::tree::{Text, none, planted, root, texts};

/// The targets of a document's links, each with its line. Code in fences is no link.
fn targets(text: &str) -> Vec<(usize, String)> {
    let (mut found, mut fenced) = (Vec::new(), false);
    for (at, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        let links = line.match_indices("](").filter(|_| !fenced);
        found.extend(links.filter_map(|(start, _)| {
            let rest = &line[start + 2..];
            Some((at + 1, rest[..rest.find(')')?].to_owned()))
        }));
    }
    found
}

/// `there` says whether a path from the root of the workspace exists.
fn faults(file: &Text, there: impl Fn(&str) -> bool) -> Vec<String> {
    let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let leads = |target: &str| {
        let path = target.split('#').next().unwrap_or_default();
        let elsewhere = target.contains("://") || target.starts_with("mailto:");
        elsewhere || path.is_empty() || there(&format!("{folder}/{path}"))
    };
    let dead = targets(&file.text).into_iter().filter(|(_, target)| !leads(target));
    dead.map(|(line, target)| file.fault(line, &format!("the link to {target} leads nowhere"))).collect()
}

#[test]
fn a_dead_link_is_found() {
    let text = "[a](b.md) [c](#d) [e](https://example.org/f)\n```\n[g](h.md)\n```\n[i](../j.md#k)";
    let file = planted("docs/any.md", text);
    assert_eq!(faults(&file, |_| true), [""; 0]);
    assert_eq!(faults(&file, |path| path == "docs/b.md"), ["docs/any.md:5: the link to ../j.md#k leads nowhere"]);
}

#[test]
fn links_lead_somewhere() {
    let documents: Vec<Text> = texts("").into_iter().filter(|file| file.is("md")).collect();
    let there = |path: &str| root().join(path.trim_start_matches('/')).exists();
    none("Links lead somewhere:", &documents.iter().flat_map(|file| faults(file, there)).collect::<Vec<_>>());
}

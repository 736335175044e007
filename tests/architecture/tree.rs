//! The tree that the rules look at.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders that hold no source of ours, wherever they lie.
const ELSEWHERE: [&str; 4] = [".git", "target", ".leasehold", "node_modules"];

/// One text file, by its path from the root of the workspace.
#[derive(Debug, Clone)]
pub struct Text {
    pub path: String,
    pub text: String,
}

impl Text {
    pub fn is(&self, extension: &str) -> bool {
        Path::new(&self.path).extension().is_some_and(|found| found == extension)
    }

    /// What is wrong with one of its lines, the first being 1.
    pub fn fault(&self, line: usize, what: &str) -> String {
        format!("{}:{line}: {what}", self.path)
    }
}

/// The root of the workspace.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every text file below the folder, in order. A file that is not UTF-8 is not text.
pub fn texts(below: &str) -> Vec<Text> {
    let mut found = Vec::new();
    collect(&root().join(below), &mut found);
    found.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(!found.is_empty(), "there is nothing to look at below {below:?}");
    found
}

fn collect(dir: &Path, found: &mut Vec<Text>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if !ELSEWHERE.contains(&name.as_str()) {
                collect(&path, found);
            }
        } else if let Ok(text) = fs::read_to_string(&path) {
            let path = path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
            found.push(Text { path, text });
        }
    }
}

/// A file that is not there, for a rule to be tried on.
pub fn planted(path: &str, text: &str) -> Text {
    Text { path: path.to_owned(), text: text.to_owned() }
}

/// Fails with every fault in a line of its own.
#[track_caller]
pub fn none(rule: &str, faults: &[String]) {
    assert!(faults.is_empty(), "{rule}\n{}\n", faults.join("\n"));
}

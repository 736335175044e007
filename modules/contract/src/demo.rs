//! What a module brings along to be shown: processes to start, links between them, actions to turn on, definitions to
//! post. The engine's `demo` reads this and so knows no game.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A module's demonstration, as written in its `demo.toml`.
///
/// Programs, arguments, files, addresses and token files may hold placeholders in braces: `{data}` (a directory that may be
/// written to), `{token_file}` (a file that holds the bearer token of the demonstration's links), `{game_token_file}` and
/// `{game_token}` (the token that its games come with, as a file and as text), `{NAME}` (where a program of somebody else's was
/// found) and `{PROCESS.FIELD}` (what an earlier process said in its ready line). [`fill`] replaces them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Demo {
    /// Programs of others that it needs.
    #[serde(default)]
    pub needs: Vec<Need>,
    /// Started in this order, each after the one before it has said that it is ready; stopped in the reverse order.
    pub processes: Vec<Process>,
    pub links: Vec<DemoLink>,
    pub enable: Vec<Enable>,
    pub definitions: Vec<Sample>,
}

/// A program that is no part of this workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Need {
    pub name: String,
    /// Where it may lie; the first that is there is taken.
    pub found_at: Vec<String>,
    /// The packages of Debian and Ubuntu that bring it, installed where it is not there.
    pub packages: Vec<String>,
}

/// What is written before a process starts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Written {
    /// A file of this text, with its placeholders filled.
    Text { path: String, text: String },
    /// Every file of this folder of the module, as it is.
    Folder { path: String, folder: String },
}

impl Written {
    /// Where it is written.
    pub fn path(&self) -> &str {
        let (Self::Text { path, .. } | Self::Folder { path, .. }) = self;
        path
    }
}

/// A program to start. When ready it prints one line on standard output: a JSON object with `"ready": true`, whose text
/// fields become the placeholders `{NAME.FIELD}`. One of somebody else's is ready once it has said `ready_when` on standard
/// error, and tells nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Process {
    pub name: String,
    /// A name, looked for beside the engine's own binary, or a path.
    pub program: String,
    pub args: Vec<String>,
    #[serde(default)]
    pub ready_when: Option<String>,
    #[serde(default)]
    pub writes: Vec<Written>,
    /// Seconds within which it must be ready.
    pub ready_within_seconds: u64,
}

/// How the engine reaches one scope.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DemoLink {
    pub scope: String,
    pub url: String,
    pub token_file: String,
}

/// An action to turn on through the API, with its caps per run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Enable {
    pub action: String,
    #[serde(default)]
    pub caps: BTreeMap<String, u64>,
}

/// A definition to create and publish.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sample {
    pub start: Start,
    /// The body of the post. In a `once` schedule, `at` may be `+90s`: so long after the demonstration began; it is
    /// resolved to the definition's own wall clock before it is posted.
    pub body: Value,
}

/// How a sample begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// By hand, as soon as it is published.
    ByHand,
    /// By its own schedule, so it is verified after it is published.
    BySchedule,
}

/// A placeholder that nothing fills.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("nothing fills {{{name}}} in {text:?}")]
pub struct Unfilled {
    pub name: String,
    pub text: String,
}

/// Replaces every `{name}` by its value. A brace that is never closed stays as it is.
pub fn fill(text: &str, values: &BTreeMap<String, String>) -> Result<String, Unfilled> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let Some(length) = rest[open..].find('}') else { break };
        let name = &rest[open + 1..open + length];
        let value = values.get(name).ok_or_else(|| Unfilled { name: name.to_owned(), text: text.to_owned() })?;
        out.push_str(&rest[..open]);
        out.push_str(value);
        rest = &rest[open + length + 1..];
    }
    out.push_str(rest);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_filled_or_named() {
        let values = BTreeMap::from([("lamp.port".to_owned(), "4000".to_owned())]);
        assert_eq!(fill("http://host:{lamp.port}/{", &values).unwrap(), "http://host:4000/{");
        let unfilled = fill("{lamp.port} {lamp.host}", &values).unwrap_err();
        assert_eq!(unfilled.name, "lamp.host");
        assert!(unfilled.to_string().contains("{lamp.host}"), "{unfilled}");
    }
}

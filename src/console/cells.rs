//! What the tables of the page are made of. Each cell names its column, for windows that are too narrow for columns.

use chrono::{DateTime, SecondsFormat, Utc};
use maud::{Markup, Render, html};
use serde::Serialize;
use serde_json::Value;

pub fn cell(column: &str, content: impl Render) -> Markup {
    html! { td data-of=(column) { (content) } }
}

pub fn cell_or_dash(column: &str, content: Option<&String>) -> Markup {
    cell(column, content.map_or("–", String::as_str))
}

pub fn instant_cell(column: &str, at: Option<DateTime<Utc>>) -> Markup {
    cell(column, html! { @if let Some(at) = at { (instant(at)) } @else { "–" } })
}

/// A cell with a word of a closed set, as answers spell it, coloured by what it means.
pub fn state(column: &str, word: &impl Serialize) -> Markup {
    let word = serde_json::to_value(word).ok();
    let word = word.as_ref().and_then(Value::as_str).unwrap_or("–");
    let colour = match word {
        "ok" | "completed" | "complete" | "done" | "reverted" | "running" | "confirmed" => "ok",
        "failed" | "missed" | "drifted" | "orphaned" | "incomplete" | "refused" | "stalled" => "bad",
        "degraded" | "paused" | "pending" | "reverting" => "care",
        _ => "plain",
    };
    html! { td data-of=(column) class=(colour) { (spaced(word)) } }
}

/// The words of a name that is spelled with underscores.
pub fn spaced(name: &str) -> String {
    name.replace('_', " ")
}

/// An instant in UTC to the second: the one form of all instants on the page.
pub fn instant(at: DateTime<Utc>) -> Markup {
    html! { time { (at.to_rfc3339_opts(SecondsFormat::Secs, true)) } }
}

//! The page itself. Whatever somebody typed or a game answered is text here, never markup.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::cells::{cell, instant, instant_cell, spaced};
use super::look::Look;
use super::{held, runs};
use crate::engine::links::LinkStatus;
use crate::engine::stop::Stopped;
use crate::log::Recorded;

pub const STYLE: &str = include_str!("style.css");

pub fn of(look: &Look) -> Markup {
    let body = html! {
        p { "At " (instant(look.at)) ", looked up again every second." }
        @if let Some(stopped) = &look.stopped { (everything_is_stopped(stopped)) }
        @for link in &look.out_of_reach { (out_of_reach(link)) }
        h2 { "Runs" }
        (runs::list(&look.runs))
        @for run in &look.in_full { (runs::in_full(run, look.at)) }
        h2 { "Ledger: held, or to be looked at" }
        (held::targets(&look.targets, look.more_targets, look.at))
        h2 { "Log" }
        (events(&look.events))
    };
    document(&body)
}

/// For the time while the database is away.
pub fn nothing_to_see() -> Markup {
    document(&html! { p.bad { "The database does not answer at the moment. This page tries again every second." } })
}

fn document(body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width";
                title { "Leasehold" }
                style { (PreEscaped(STYLE)) }
            }
            body { h1 { "Leasehold" } (body) }
        }
    }
}

fn everything_is_stopped(stopped: &Stopped) -> Markup {
    html! {
        p.bad {
            "Everything is stopped since " (instant(stopped.declared.at)) " by " code { (stopped.declared.by) }
            ": nothing starts until somebody lifts it. Runs under way: " (spaced(&stopped.runs.to_string())) "."
        }
    }
}

fn out_of_reach(link: &LinkStatus) -> Markup {
    let what = if link.reachable { "No game is connected to the link of" } else { "The link does not answer for" };
    html! {
        p.bad {
            (what) " the scope " code { (link.scope) } " ("
            @match link.last_answer_at {
                Some(at) => { "last answer at " (instant(at)) }
                None => { "no answer since this engine started" }
            }
            "). What is due there is tried again."
        }
    }
}

fn events(events: &[Recorded]) -> Markup {
    html! {
        div.wide {
            table {
                tr { th { "Position" } th { "Recorded" } th { "What" } th { "Stream" } th { "By" } }
                @for event in events {
                    tr {
                        (cell("Position", event.position)) (instant_cell("Recorded", Some(event.recorded_at)))
                        (cell("What", spaced(&event.event_type)))
                        (cell("Stream", html! { code.parts { (in_parts(&event.stream.to_string())) " " (event.sequence) } }))
                        (cell("By", html! { code { (event.metadata.get("actor").map_or("–", String::as_str)) } }))
                    }
                }
            }
        }
    }
}

/// The name of a stream, which may go on in the next line after each of its parts.
fn in_parts(stream: &str) -> Markup {
    html! { @for part in stream.split_inclusive('/') { (part) wbr; } }
}

//! The page itself. Whatever somebody typed or a game answered is text here, never markup.

use chrono::{DateTime, SecondsFormat, Utc};
use leasehold_projections::ledger::LedgerRow;
use leasehold_projections::run_view::{ResourceView, RunView, StepView};
use leasehold_projections::runs::RunRow;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde::Serialize;
use serde_json::Value;

use super::look::Look;
use crate::log::Recorded;

pub const STYLE: &str = "body{font:15px/1.45 system-ui,sans-serif;max-width:76rem;margin:1.5rem auto;padding:0 1rem;color:#1c1c1c;\
background:#fdfcf9}table{border-collapse:collapse;width:100%;margin:.4rem 0 1.4rem}th,td{text-align:left;padding:.2rem .7rem .2rem 0;\
border-bottom:1px solid #e4e0d6;vertical-align:top;overflow-wrap:anywhere}th{font-weight:600;color:#6a6455}h1{font-size:1.3rem}\
h2{font-size:1.05rem;margin:1.6rem 0 .2rem}code{font-size:.86em;color:#555}.ok{color:#2c6e31}.care{color:#9a5b00}.bad{color:#a3201d}";

pub fn of(look: &Look) -> Markup {
    let body = html! {
        p { "At " (instant(look.at)) ", looked up again every second." }
        h2 { "Runs" }
        (runs(&look.runs))
        @for run in &look.in_full { (in_full(run)) }
        h2 { "Ledger: held, or to be looked at" }
        (targets(&look.targets))
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

fn runs(runs: &[RunRow]) -> Markup {
    if runs.is_empty() {
        return html! { p { "There is no run yet." } };
    }
    html! {
        table {
            tr { th { "Due" } th { "Title" } th { "Scope" } th { "Status" } th { "Health" } th { "Cleanup" } th { "Phase" } th { "Waits for a person" } }
            @for run in runs.iter().map(|row| &row.summary) {
                tr {
                    td { (instant(run.scheduled_for)) }
                    td { (run.title) @if run.rehearsal { " (rehearsal)" } br; code { (run.id) } }
                    td { (run.scope) }
                    (state(&run.status)) (state(&run.health)) (state(&run.cleanup_status))
                    td { (or_dash(run.current_phase.as_ref())) }
                    td { @if run.waiting_steps > 0 { (run.waiting_steps) } @else { "–" } }
                }
            }
        }
    }
}

fn in_full(run: &RunView) -> Markup {
    html! {
        h2 { (run.summary.title) ", version " (run.summary.version) ": steps" }
        table {
            tr { th { "Phase" } th { "Step" } th { "What" } th { "Status" } th { "Attempts" } th { "Note" } }
            @for step in &run.steps {
                tr {
                    td { (step.phase) } td { (step.key) } td { (step.summary) br; code { (step.action) } }
                    (state(&step.status)) td { (step.attempts) } td { (remark(step)) }
                }
            }
        }
        @for gate in run.gates.iter().filter(|gate| gate.satisfied_by.is_none()) { p { (gate.sentence) } }
        @for meter in &run.budget {
            p { (meter.label) ": " (meter.consumed) " of " (meter.cap.map_or("no limit".to_owned(), |cap| cap.to_string())) }
        }
        @if !run.resources.is_empty() { (resources(&run.resources)) }
    }
}

fn remark(step: &StepView) -> Markup {
    html! {
        @if step.parked { "waits for a person to confirm it" }
        @if let Some(at) = step.next_try_at { "tried again at " (instant(at)) }
        @if let Some(at) = step.due_at { "held until " (instant(at)) }
        @if let Some(error) = &step.last_error { " " (error.sentence) " " code { (error.code) } }
    }
}

fn resources(resources: &[ResourceView]) -> Markup {
    html! {
        table {
            tr { th { "Took" } th { "By step" } th { "Status" } th { "Before" } th { "Applied" } th { "Found" } }
            @for resource in resources {
                tr {
                    td { (resource.kind) " " (resource.reference) } td { (resource.step) } (state(&resource.status))
                    td { (or_dash(resource.baseline.as_ref())) } td { (or_dash(resource.applied.as_ref())) } td { (or_dash(resource.found.as_ref())) }
                }
            }
        }
    }
}

fn targets(targets: &[LedgerRow]) -> Markup {
    if targets.is_empty() {
        return html! { p.ok { "Nothing is held: the world is as it was." } };
    }
    html! {
        table {
            tr { th { "Scope" } th { "Target" } th { "Status" } th { "Before" } th { "Applied" } th { "Found" } th { "Until" } th { "Run" } }
            @for row in targets {
                tr {
                    td { (row.target.scope) } td { (row.target.kind) " " (row.target.reference) } (state(&row.status))
                    td { (or_dash(row.baseline.as_ref())) } td { (or_dash(row.applied.as_ref())) } td { (or_dash(row.found.as_ref())) }
                    td { (row.lease_until.map_or("–".to_owned(), instant)) } td { code { (row.run_id) } }
                }
            }
        }
    }
}

fn events(events: &[Recorded]) -> Markup {
    html! {
        table {
            tr { th { "Position" } th { "Recorded" } th { "What" } th { "Stream" } th { "By" } }
            @for event in events {
                tr {
                    td { (event.position) } td { (instant(event.recorded_at)) } td { (event.event_type.replace('_', " ")) }
                    td { code { (event.stream) " " (event.sequence) } } td { code { (or_dash(event.metadata.get("actor"))) } }
                }
            }
        }
    }
}

/// A cell with a word of a closed set, as answers spell it, coloured by what it means.
fn state(word: &impl Serialize) -> Markup {
    let word = serde_json::to_value(word).ok();
    let word = word.as_ref().and_then(Value::as_str).unwrap_or("–");
    let colour = match word {
        "ok" | "completed" | "complete" | "done" | "reverted" | "running" | "confirmed" => "ok",
        "failed" | "missed" | "drifted" | "orphaned" | "incomplete" | "refused" | "stalled" => "bad",
        "degraded" | "paused" | "pending" | "reverting" => "care",
        _ => "plain",
    };
    html! { td class=(colour) { (word.replace('_', " ")) } }
}

fn or_dash(text: Option<&String>) -> &str {
    text.map_or("–", String::as_str)
}

fn instant(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true).replace('T', " ")
}

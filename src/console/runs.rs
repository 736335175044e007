//! Runs on the page: all in a line each, some with what they do.

use chrono::{DateTime, Utc};
use leasehold_aggregates::run::StepStatus;
use leasehold_projections::run_view::{BudgetView, Cause, RunSummary, RunView, StepView};
use maud::{Markup, html};

use super::cells::{cell, cell_or_dash, instant, instant_cell, state};
use super::held;
use super::look::Seen;

pub fn list(runs: &[Seen]) -> Markup {
    if runs.is_empty() {
        return html! { p { "There is no run yet." } };
    }
    html! {
        div.wide {
            table {
                tr { th { "Run" } th { "Due" } th { "Scope" } th { "Status" } th { "Health" } th { "Cleanup" } th { "Phase" } th { "Note" } }
                @for seen in runs { (line(&seen.row.summary, seen.blocked_by.as_deref())) }
            }
        }
    }
}

fn line(run: &RunSummary, blocked_by: Option<&str>) -> Markup {
    let title = html! { (run.title) @if run.rehearsal { " (rehearsal)" } br; code { (run.id) } };
    html! {
        tr {
            (cell("Run", title)) (instant_cell("Due", Some(run.scheduled_for))) (cell("Scope", &run.scope))
            (state("Status", &run.status)) (state("Health", &run.health)) (state("Cleanup", &run.cleanup_status))
            (cell_or_dash("Phase", run.current_phase.as_ref())) (cell("Note", note(run, blocked_by)))
        }
    }
}

fn note(run: &RunSummary, blocked_by: Option<&str>) -> Markup {
    html! {
        @if let Some(by) = blocked_by {
            span.care { "held up: the concurrency key " (run.concurrency_key.as_deref().unwrap_or("–")) " is held by run " }
            code { (by) }
        }
        @if run.waiting_steps > 0 { span.care { (count(run.waiting_steps, "step waits", "steps wait")) " for a person" } }
        @else if let Some(at) = run.ended_at { "ended " (instant(at)) }
    }
}

pub fn in_full(run: &RunView, at: DateTime<Utc>) -> Markup {
    html! {
        h2 { (run.summary.title) ", version " (run.summary.version) ": steps" }
        div.wide {
            table {
                tr { th { "Phase" } th { "Step" } th { "What" } th { "Status" } th { "Attempts" } th { "Note" } }
                @for step in &run.steps { (line_of(step)) }
            }
        }
        p { strong { (run.diagnosis.headline) } }
        @if !run.diagnosis.causes.is_empty() {
            ul { @for cause in &run.diagnosis.causes { li { (because(cause)) } } }
        }
        @for meter in &run.budget { p { (spent(meter)) } }
        @if !run.resources.is_empty() { (held::resources(&run.resources, at)) }
    }
}

fn line_of(step: &StepView) -> Markup {
    html! {
        tr {
            (cell("Phase", &step.phase)) (cell("Step", &step.key)) (cell("What", html! { (step.summary) br; code { (step.action) } }))
            (status(step)) (cell("Attempts", step.attempts)) (cell("Note", remark(step)))
        }
    }
}

/// A step that has not had its turn is nothing to care about.
fn status(step: &StepView) -> Markup {
    if step.status == StepStatus::Pending && step.attempts == 0 {
        return cell("Status", "to come");
    }
    state("Status", &step.status)
}

fn remark(step: &StepView) -> Markup {
    html! {
        @if step.parked { span.care { "waits for a person to confirm it" } }
        @if let Some(at) = step.next_try_at { "tried again at " (instant(at)) }
        @if let Some(at) = step.due_at { "held until " (instant(at)) }
        @if let Some(error) = &step.last_error { " " (error.sentence) " " code { (error.code) } }
    }
}

/// One thing that keeps the run where it is, and what a person can do about it.
fn because(cause: &Cause) -> Markup {
    html! {
        (cause.sentence)
        @if let (Some(tally), Some(needed)) = (cause.tally, cause.needed) { "; seen so far: " (tally) " of " (needed) }
        @if let Some(remedy) = &cause.remedy { " – " span.care { (remedy) } }
    }
}

fn spent(meter: &BudgetView) -> String {
    match meter.cap {
        Some(cap) => format!("{}: {} of {cap}", meter.label, meter.consumed),
        None => format!("{}: {}, no cap", meter.label, meter.consumed),
    }
}

fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

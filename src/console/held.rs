//! What runs hold, on the page. A step may own a hundred things of one kind: they are one line, with their number and the
//! names of the first.

use chrono::{DateTime, Utc};
use leasehold_aggregates::ledger::EntryStatus;
use leasehold_aggregates::target::{OVERRIDE, PLACEHOLDER};
use leasehold_projections::ledger::LedgerRow;
use leasehold_projections::run_view::ResourceView;
use maud::{Markup, html};

use super::cells::{cell, cell_or_dash, instant_cell, state};

/// Names of a line before the rest is only counted.
const NAMED: usize = 3;

/// One thing that is or was held, wherever it was read from.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Held<'a> {
    run: Option<&'a str>,
    step: &'a str,
    scope: &'a str,
    kind: &'a str,
    status: EntryStatus,
    baseline: Option<&'a String>,
    applied: Option<&'a String>,
    found: Option<&'a String>,
    until: Option<DateTime<Utc>>,
}

/// What one run holds and held.
pub fn resources(resources: &[ResourceView], at: DateTime<Utc>) -> Markup {
    let held = resources.iter().map(|one| {
        let held = Held {
            run: None,
            step: &one.step,
            scope: &one.scope,
            kind: &one.kind,
            status: one.status,
            baseline: one.baseline.as_ref(),
            applied: one.applied.as_ref(),
            found: one.found.as_ref(),
            until: one.lease_until,
        };
        (held, one.reference.as_str())
    });
    table(&together(held), false, at)
}

/// What is held now or is to be looked at, whoever holds it.
pub fn targets(targets: &[LedgerRow], more: bool, at: DateTime<Utc>) -> Markup {
    if targets.is_empty() {
        return html! { p.ok { "Nothing is held: the world is as it was." } };
    }
    let held = targets.iter().map(|row| {
        let held = Held {
            run: Some(&row.run_id),
            step: &row.step,
            scope: &row.target.scope,
            kind: &row.target.kind,
            status: row.status,
            baseline: row.baseline.as_ref(),
            applied: row.applied.as_ref(),
            found: row.found.as_ref(),
            until: row.lease_until,
        };
        (held, row.target.reference.as_str())
    });
    html! {
        (table(&together(held), true, at))
        @if more { p { "There are more than these " (targets.len()) " things." } }
    }
}

/// What differs in nothing but its name comes together, in the order of the first of each.
fn together<'a>(held: impl Iterator<Item = (Held<'a>, &'a str)>) -> Vec<(Held<'a>, Vec<&'a str>)> {
    let mut groups: Vec<(Held<'a>, Vec<&'a str>)> = Vec::new();
    for (held, name) in held {
        match groups.iter_mut().find(|(group, _)| *group == held) {
            Some((_, names)) => names.push(name),
            None => groups.push((held, vec![name])),
        }
    }
    groups
}

fn table(groups: &[(Held<'_>, Vec<&str>)], with_runs: bool, at: DateTime<Utc>) -> Markup {
    html! {
        div.wide {
            table {
                tr {
                    th { "Held" } th { "By step" } th { "Status" } th { "Before" } th { "Applied" } th { "Found" } th { "Until" }
                    @if with_runs { th { "Run" } }
                }
                @for (held, names) in groups {
                    tr {
                        (cell("Held", named(held, names))) (cell("By step", held.step)) (standing(held, at))
                        (cell_or_dash("Before", held.baseline)) (cell_or_dash("Applied", held.applied))
                        (cell_or_dash("Found", held.found)) (instant_cell("Until", held.until))
                        @if let Some(run) = held.run { (cell("Run", html! { code { (run) } })) }
                    }
                }
            }
        }
    }
}

/// A borrowed value by its name, a thing by its kind, and several things by their number and the first of their names.
fn named(held: &Held<'_>, names: &[&str]) -> String {
    let (kind, scope, first) = (held.kind, held.scope, names[..names.len().min(NAMED)].join(", "));
    match (kind, names.len()) {
        (OVERRIDE, _) => format!("the value {first} in {scope}"),
        (PLACEHOLDER, _) => format!("whatever step {} makes in {scope}", held.step),
        (_, 1) => format!("{kind} {first} in {scope}"),
        (_, number) if number <= NAMED => format!("{number} × {kind} in {scope}: {first}"),
        (_, number) => format!("{number} × {kind} in {scope}: {first} and {} more", number - NAMED),
    }
}

/// A lease whose time is over is the game's to end: until it is known how it ended, it is not plainly held.
fn standing(held: &Held<'_>, at: DateTime<Utc>) -> Markup {
    if held.status == EntryStatus::Confirmed && held.until.is_some_and(|until| until <= at) {
        return html! { td.care data-of="Status" { "confirmed; its time is over" } };
    }
    state("Status", &held.status)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(kind: &'static str, step: &'static str) -> Held<'static> {
        let (status, until) = (EntryStatus::Confirmed, None);
        Held { run: None, step, scope: "main", kind, status, baseline: None, applied: None, found: None, until }
    }

    #[test]
    fn things_of_one_step_and_kind_are_one_line() {
        let names: Vec<String> = (1..=38).map(|nth| format!("a{nth}")).collect();
        let mut all: Vec<(Held<'_>, &str)> = names.iter().map(|name| (held("lamp", "light"), name.as_str())).collect();
        all.insert(20, (held("lamp", "again"), "b1"));
        let groups = together(all.into_iter());
        let told: Vec<String> = groups.iter().map(|(held, names)| named(held, names)).collect();
        assert_eq!(told, ["38 × lamp in main: a1, a2, a3 and 35 more", "lamp b1 in main"]);
    }

    #[test]
    fn a_value_is_named_as_everywhere() {
        assert_eq!(named(&held(OVERRIDE, "rate"), &["demo.rate.gather"]), "the value demo.rate.gather in main");
        assert_eq!(named(&held(PLACEHOLDER, "light"), &["light"]), "whatever step light makes in main");
        assert_eq!(named(&held("lamp", "light"), &["a", "b"]), "2 × lamp in main: a, b");
    }

    #[test]
    fn a_lease_whose_time_is_over_is_not_plainly_held() {
        let at = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
        let lease = Held { until: Some(at), ..held(OVERRIDE, "rate") };
        assert!(standing(&lease, at).into_string().contains("class=\"care\""));
        assert!(standing(&lease, at - chrono::TimeDelta::seconds(1)).into_string().contains("class=\"ok\""));
        let drifted = Held { status: EntryStatus::Drifted, ..lease };
        assert!(standing(&drifted, at).into_string().contains("class=\"bad\""));
    }
}

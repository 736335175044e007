//! Reading a draft from a posted body: the shape first, then what the registry knows, and all faults together.

use serde_json::Value;

use super::check::{Checker, Stage};
use super::{Content, Draft, Facts, Venue, read_plan};
use crate::account::Role;
use crate::body::{Fault, Faults, Object, Rejected, Text};

/// Addresses beside those of the events.
const RESERVED: [&str; 2] = ["calendar", "series"];

impl Draft {
    /// Reads and judges a body that `role` posted; `previous` is the draft that it replaces.
    ///
    /// What the previous draft held already may stay although its module is gone; it cannot be published so. Steps that
    /// change the world take the role admin.
    pub fn read(body: &Value, facts: &Facts, role: Role, previous: Option<&Self>) -> Result<Self, Rejected> {
        let faults = Faults::default();
        let mut draft = shape(body, &faults);
        let shape_faults = faults.into_inner();
        let mut found = of_the_whole(&draft, facts, previous);
        let stage = Stage::Save { previous: previous.map(|draft| &draft.content) };
        let checker = Checker::new(facts, stage, Some(role));
        checker.pin(&mut draft.content.plan);
        let findings = checker.check(&draft.content);
        found.extend(findings.faults);
        found.extend(findings.of_names.into_iter().filter(|_| !shape_faults.iter().any(of_declarations)));
        found.retain(|fault| !shape_faults.iter().any(|shape| hides(shape, fault)));
        let all: Vec<Fault> = shape_faults.into_iter().chain(found).collect();
        if !all.is_empty() {
            return Err(Rejected::Invalid(all));
        }
        if !findings.forbidden.is_empty() {
            return Err(Rejected::Forbidden(findings.forbidden));
        }
        Ok(draft)
    }
}

/// Whether a fault of the shape makes another one meaningless.
fn hides(shape: &Fault, other: &Fault) -> bool {
    within(&other.pointer, &shape.pointer) || of_declarations(shape) && within(&other.pointer, "/spec/params")
}

/// Whether the parameters' declarations cannot be relied on.
fn of_declarations(shape: &Fault) -> bool {
    ["", "/spec"].contains(&shape.pointer.as_str()) || within(&shape.pointer, "/spec/params")
}

fn within(inner: &str, outer: &str) -> bool {
    inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn shape(body: &Value, faults: &Faults) -> Draft {
    let object = Object::of(body, "", faults);
    let grace = object.int_or("graceSeconds", 0..=86_400, 900);
    let content = Content {
        title: object.text("title", Text::line(1, 120)),
        summary: object.optional_text("summary", Text::line(0, 500)),
        storyline: object.optional_text("storyline", Text::lines(200_000)),
        image: object.nullable_text("image", Text::line(1, 2_000)),
        venue: object.nullable("venue").map(|value| venue(value, faults)),
        category: object.optional_text("category", Text::line(0, 60)),
        owner_module: object.nullable_text("ownerModule", Text::key()),
        timezone: object.text("timezone", Text::line(1, 64)),
        grace_seconds: u32::try_from(grace).unwrap_or_default(),
        concurrency_key: object.nullable_text("concurrencyKey", Text::line(1, 200)),
        plan: read_plan::read(object.required("spec"), faults),
    };
    let draft = Draft {
        slug: object.text("slug", Text::slug()),
        series_id: object.nullable_text("seriesId", Text::line(1, 64)),
        series_order: object.nullable_int("seriesOrder", 0..=1_000_000),
        content,
    };
    object.finish();
    draft
}

fn venue(value: &Value, faults: &Faults) -> Venue {
    let object = Object::of(value, "/venue", faults);
    let venue = Venue { label: object.text("label", Text::line(1, 120)), value: object.text("value", Text::line(1, 120)) };
    object.finish();
    venue
}

/// The fault of a slug that no definition may have: beside the events, their pages have these addresses.
pub fn reserved_slug(slug: &str) -> Option<Fault> {
    let detail = || format!("no event can be called {slug}: what all events have in common is at that address");
    RESERVED.contains(&slug).then(|| Fault::new("/slug", "reserved", detail()))
}

/// Faults of what belongs to the definition rather than to a version.
fn of_the_whole(draft: &Draft, facts: &Facts, previous: Option<&Draft>) -> Vec<Fault> {
    let mut faults = Vec::new();
    match previous {
        Some(previous) if previous.slug != draft.slug => {
            let detail = format!("the slug stays {}: it was told to people when the definition was made", previous.slug);
            faults.push(Fault::new("/slug", "frozen", detail));
        }
        Some(_) => {}
        None => faults.extend(reserved_slug(&draft.slug)),
    }
    if let Some(id) = draft.series_id.as_ref().filter(|id| !facts.series.contains(*id)) {
        faults.push(Fault::new("/seriesId", "unknown_series", format!("there is no series {id:?}")));
    }
    if draft.series_order.is_some() && draft.series_id.is_none() {
        faults.push(Fault::new("/seriesOrder", "not_allowed", "a place in a series needs a seriesId"));
    }
    faults
}

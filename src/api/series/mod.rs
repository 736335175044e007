//! `/admin/events/series`: arcs that definitions belong to.

pub mod create;
pub mod delete;
pub mod list;
pub mod read;
pub mod save;

use leasehold_aggregates::body::{Object, Text};
use leasehold_aggregates::series::Arc;
use serde_json::{Value, json};

use crate::engine::series::SeriesStanding;

/// The slug of a new series; of one that is there, what it must be if it is given.
fn slug(object: &Object<'_>, frozen: Option<&str>) -> String {
    match frozen {
        None => object.text("slug", Text::slug()),
        Some(frozen) => {
            if object.optional("slug").is_some_and(|given| given.as_str() != Some(frozen)) {
                let detail = format!("the slug stays {frozen}: it was told to people when the series was made");
                object.fault("slug", "frozen", detail);
            }
            frozen.to_owned()
        }
    }
}

fn arc(object: &Object<'_>) -> Arc {
    Arc {
        name: object.text("name", Text::line(1, 120)),
        description: object.optional_text("description", Text::lines(2_000)),
        order: u32::try_from(object.int_or("order", 0..=1_000_000, 0)).unwrap_or_default(),
    }
}

/// A series as it is read.
fn document(standing: &SeriesStanding) -> Value {
    let arc = standing.series.arc();
    json!({
        "id": standing.id,
        "slug": standing.series.slug(),
        "name": arc.name,
        "description": arc.description,
        "order": arc.order,
        "definitions": standing.definitions,
        "revision": standing.revision,
    })
}

/// The same, as a command has left it.
fn left(standing: &SeriesStanding) -> Value {
    let mut document = document(standing);
    document["position"] = json!(standing.position);
    document
}

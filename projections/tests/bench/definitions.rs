//! Definitions, as events.

use leasehold_aggregates::definition::{Content, DefinitionEvent, WithheldCause};
use rand::Rng;
use rand::rngs::StdRng;
use serde_json::json;

use super::Fact;

/// A version's content, told apart by its title.
pub fn content(title: &str) -> Content {
    serde_json::from_value(json!({
        "title": title, "summary": "In short", "storyline": "At length", "image": null,
        "venue": {"label": "Pier", "value": "pier"}, "category": "gathering", "ownerModule": "demo",
        "timezone": "Europe/Berlin", "graceSeconds": 900, "concurrencyKey": "lamps:{region}",
        "spec": {
            "schedule": {"kind": "once", "at": "2027-01-15T09:00"},
            "params": [{"name": "region", "type": "string", "required": true, "default": "Elmbrook"}],
            "phases": [{"key": "open", "label": "Opening", "steps": [
                {"key": "hail", "action": "demo.say", "actionVersion": 1, "params": {"text": "In {region}", "level": 0.25}}]}]
        }
    }))
    .unwrap()
}

/// A definition from its first save to its first version.
pub fn published(id: &str, title: &str) -> Vec<Fact> {
    let created = DefinitionEvent::DefinitionCreated { slug: format!("slug-{id}") };
    let published = DefinitionEvent::DefinitionPublished { version: 1, content: Box::new(content(title)) };
    [created, published].iter().map(|event| Fact::of("definition", id, event)).collect()
}

/// One more thing that happens to a definition which has `versions` versions.
pub(super) fn more(id: &str, versions: &mut u64, rng: &mut StdRng) -> Fact {
    let event = match rng.random_range(0..4) {
        0 => {
            *versions += 1;
            let content = Box::new(content(&format!("Version {versions}")));
            DefinitionEvent::DefinitionPublished { version: *versions, content }
        }
        1 => DefinitionEvent::DefinitionVerified { version: *versions },
        2 => DefinitionEvent::OccurrenceWithheld {
            scope: "main".into(),
            slot: "2027-01-22T09:00".parse().unwrap(),
            version: *versions,
            cause: WithheldCause::NeverVerified,
        },
        _ => DefinitionEvent::DefinitionArchived {},
    };
    Fact::of("definition", id, &event)
}

//! Query parameters. One that has another meaning or other bounds at some routes is here under names of its own.

use serde_json::{Value, json};

/// Every parameter: the name by which operations name it, the one that is sent, whether it is required, its schema, and what
/// it says.
fn described(name: &str) -> Option<(&str, bool, Value, &'static str)> {
    let text = |most: u32| json!({"type": "string", "maxLength": most});
    let number = |least: u64, most: u64| json!({"type": "integer", "minimum": least, "maximum": most});
    let words = |schema: &str| json!({"type": "array", "items": {"$ref": format!("#/components/schemas/{schema}")}});
    let moment = json!({"type": "string", "examples": ["2027-03-28T18:00:00Z"]});
    let place = json!({"type": "string", "examples": ["4711", "2027-03-28T18:00:00Z"]});
    let end = json!({"type": "string", "examples": ["2027-03-28T18:00:00Z", "2027-03-28"]});
    Some(match name {
        "pageToken" => (name, false, text(2_000), "nextPageToken of the page before."),
        "limit" => (name, false, number(1, 200), "Most items of the page; 50 where left out."),
        "limit100" => ("limit", false, number(1, 100), "Most items of the page; 20 where left out."),
        "limit500" => ("limit", false, number(1, 500), "Most items; 100 where left out."),
        "limit1000" => ("limit", false, number(1, 1_000), "Most lines of the page; 200 where left out."),
        "minPosition" => (name, false, number(0, i64::MAX.unsigned_abs()), "A position of the log that the answer must contain."),
        "after" => (name, false, number(0, i64::MAX.unsigned_abs()), "What comes behind this position."),
        "from" => (name, true, end, "In the window: an instant, or a date of the reader's."),
        "to" => (name, true, end, "Not in the window any more: an instant, or a date of the reader's; 400 days at most."),
        "due_from" => ("from", false, moment, "Due at this instant or later."),
        "due_to" => ("to", false, moment, "Due before this instant."),
        "window_from" => ("from", true, moment, "In the window."),
        "window_to" => ("to", true, moment, "Not in the window any more."),
        "executed" => (name, false, json!({"type": "boolean"}), "What happened alone, or what did not."),
        "place" => ("at", false, place, "A place of the log, a position or an instant; now where left out."),
        "place_from" => ("from", false, place, "The earlier of two places, in the stead of at."),
        "place_to" => ("to", false, place, "The later of two places; now where left out."),
        "tz" => (name, false, text(64), "The reader's zone, in whose dates days are told; UTC where left out."),
        "definitionId" => (name, false, text(64), "Of this definition."),
        "state" => (name, false, words("DefinitionState"), "Of definitions in one of these states."),
        "category" => (name, false, text(60), "Of this category."),
        "series" | "seriesId" => (name, false, text(64), "Of this series, by its id."),
        "kind" => (name, false, text(1_000), "Lines of these kinds, with commas between them."),
        "phase" => (name, false, text(64), "Lines about this phase, by its key, and about its steps."),
        "step" => (name, false, text(64), "Lines about this step, by its key."),
        "scope" => (name, false, text(64), "In this scope."),
        "status" => (name, false, words("RunStatus"), "Runs with one of these."),
        "health" => (name, false, words("Health"), "Runs with one of these."),
        "cleanupStatus" => (name, false, words("CleanupStatus"), "Runs with one of these."),
        "sort" => (
            name,
            false,
            json!({"type": "string", "enum": ["scheduledFor", "-scheduledFor", "status", "-status"]}),
            "The order; -scheduledFor where left out.",
        ),
        "q" => (name, false, text(200), "What to search for."),
        "target" => (name, false, text(2_000), "One target alone: MODULE/SCOPE/KIND/REF."),
        _ => return None,
    })
}

/// The parameter as the document spells it.
pub fn query(name: &str) -> Value {
    let Some((name, required, schema, description)) = described(name) else {
        return json!({"name": name, "in": "query", "schema": {"type": "string"}});
    };
    let mut parameter = json!({"name": name, "in": "query", "required": required, "description": description, "schema": schema});
    if schema["type"] == "array" {
        // Several with commas between them.
        parameter["style"] = json!("form");
        parameter["explode"] = json!(false);
    }
    parameter
}

/// Every parameter in the path.
pub fn path(path: &str) -> impl Iterator<Item = Value> {
    let names = path.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
    names.map(|(name, _)| {
        let schema = if name == "id" { json!({"type": "string", "format": "uuid"}) } else { json!({"type": "string"}) };
        json!({"name": name, "in": "path", "required": true, "schema": schema})
    })
}

#[cfg(test)]
mod tests {
    use super::super::operations;
    use super::*;

    #[test]
    fn every_parameter_is_described() {
        for operation in operations::all() {
            for name in operation.query {
                assert!(described(name).is_some(), "{name} of {} {}", operation.method, operation.path);
            }
        }
    }
}

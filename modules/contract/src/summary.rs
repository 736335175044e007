//! The one line that says what a step does: a template of the manifest with the step's values in it.

use serde_json::{Map, Value};

/// Replaces every `{name}` by the parameter's value; a name without a value reads `(not set)`.
pub fn render(template: &str, params: &Map<String, Value>) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        let Some(length) = rest[open..].find('}') else { break };
        out.push_str(&rest[..open]);
        match params.get(&rest[open + 1..open + length]) {
            Some(Value::String(text)) => out.push_str(text),
            Some(value) => out.push_str(&value.to_string()),
            None => out.push_str("(not set)"),
        }
        rest = &rest[open + length + 1..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    #[test]
    fn values_take_the_place_of_their_names() {
        let params = json!({"count": 12, "what": "lamps"});
        let line = super::render("light {count} {what} {where}, {", params.as_object().unwrap());
        assert_eq!(line, "light 12 lamps (not set), {");
    }
}

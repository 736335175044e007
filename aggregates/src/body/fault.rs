use serde::Serialize;

/// One fault of a posted body, and where it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// JSON pointer (RFC 6901) into the posted body; empty for the body itself.
    pub pointer: String,
    /// Stable, `snake_case`: `required`, `unknown_field`, `wrong_type`, `out_of_range`, `wrong_length`, `not_unique`, …
    pub code: &'static str,
    /// A sentence for people.
    pub detail: String,
}

impl Fault {
    pub fn new(pointer: impl Into<String>, code: &'static str, detail: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), code, detail: detail.into() }
    }
}

/// `base` with one more token, escaped as RFC 6901 asks.
pub fn pointer(base: &str, token: impl std::fmt::Display) -> String {
    let token = token.to_string().replace('~', "~0").replace('/', "~1");
    format!("{base}/{token}")
}

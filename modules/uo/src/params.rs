//! Parameters, read after the engine has checked them against the manifest: a wrong one is still a refusal, not a panic.

use leasehold_link::wire::Stamp;
use leasehold_module::{Failure, Perform};
use serde_json::{Map, Value};

pub fn text(params: &Map<String, Value>, name: &str) -> Result<String, Failure> {
    optional_text(params, name)?.ok_or_else(|| Failure::refused("wrong_params", format!("{name} is required")))
}

pub fn optional_text(params: &Map<String, Value>, name: &str) -> Result<Option<String>, Failure> {
    match params.get(name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(Failure::refused("wrong_params", format!("{name} must be text"))),
    }
}

/// A whole number that fits the wire's field, or nothing.
pub fn number<N: TryFrom<i64>>(params: &Map<String, Value>, name: &str) -> Result<Option<N>, Failure> {
    let Some(value) = params.get(name) else { return Ok(None) };
    let fits = value.as_i64().and_then(|number| N::try_from(number).ok());
    fits.map(Some)
        .ok_or_else(|| Failure::refused("wrong_params", format!("{name} must be a whole number that the game can hold")))
}

pub fn stamp(request: &Perform) -> Stamp {
    Stamp {
        run_id: request.run_id.clone(),
        fence: request.fence,
        ttl_ms: request.ttl_ms,
        idempotency_key: request.idempotency_key.clone(),
    }
}

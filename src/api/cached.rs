//! Answers that browsers and relays may keep for a while, and ask after by their tag.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::api::Problem;

/// How long a page is taken from memory.
pub const PAGE: &str = "public, max-age=30";
/// How long a feed is.
pub const FEED: &str = "public, max-age=300";

/// The answer, or that what the caller has is still so.
pub fn answer(headers: &HeaderMap, kind: &'static str, keep: &'static str, body: String) -> Response {
    let tag = format!("\"{}\"", &hex::encode(Sha256::digest(body.as_bytes()))[..32]);
    let known = headers.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    let same = known.map(str::trim).any(|known| known == "*" || known.trim_start_matches("W/") == tag);
    let told = [
        (ETAG, HeaderValue::try_from(tag).expect("digits and quotes fit into a header")),
        (CACHE_CONTROL, HeaderValue::from_static(keep)),
    ];
    if same {
        return (StatusCode::NOT_MODIFIED, told).into_response();
    }
    (told, [(CONTENT_TYPE, HeaderValue::from_static(kind))], body).into_response()
}

/// As [`answer`], of a page in JSON.
pub fn json(headers: &HeaderMap, body: &impl Serialize) -> Result<Response, Problem> {
    let body = serde_json::to_string(body).map_err(|error| {
        tracing::error!(%error, "an answer cannot be spelled");
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "the engine has a fault; it is in its log")
    })?;
    Ok(answer(headers, "application/json", PAGE, body))
}

//! The plain page at `/`: what goes on, rendered here, looked up again every second by the browser itself. It has no
//! script, no form and no button: whoever wants to act uses the API.
//!
//! Who may see it is not decided here: the API's gate stands in front of it.

mod cells;
mod held;
mod look;
mod page;
mod runs;

use axum::Router;
use axum::extract::State;
use axum::http::header::{CONTENT_SECURITY_POLICY, HeaderName, REFERRER_POLICY, REFRESH};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use crate::engine::Engine;
use crate::engine::fault::told;

/// Seconds after which a browser looks again.
const AGAIN: u64 = 1;

/// The page, for whoever is let through to it.
pub fn router(engine: Engine) -> Router {
    Router::new().route("/", get(handle)).with_state(engine)
}

async fn handle(State(engine): State<Engine>) -> Response {
    match look::look(&engine).await {
        Ok(look) => (headers(), Html(page::of(&look).into_string())).into_response(),
        Err(fault) => {
            tracing::warn!(fault = told(&fault), "the page could not be made");
            (StatusCode::SERVICE_UNAVAILABLE, headers(), Html(page::nothing_to_see().into_string())).into_response()
        }
    }
}

/// Nothing is loaded from anywhere and nothing runs; the one style sheet is told by its digest.
fn headers() -> [(HeaderName, HeaderValue); 3] {
    let style = STANDARD.encode(Sha256::digest(page::STYLE));
    let policy =
        format!("default-src 'none'; style-src 'sha256-{style}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    let policy = HeaderValue::try_from(policy).unwrap_or_else(|_| HeaderValue::from_static("default-src 'none'"));
    [
        (CONTENT_SECURITY_POLICY, policy),
        (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        (REFRESH, HeaderValue::from(AGAIN)),
    ]
}

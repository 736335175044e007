//! The span of a request, as part of the caller's trace where it names one.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use tracing::Instrument;
use tracing::field::Empty;

use crate::telling::traces;

/// Around one route.
pub(super) async fn request(
    State((method, route)): State<(&'static str, &'static str)>,
    request: Request,
    next: Next,
) -> Response {
    let span = tracing::debug_span!(
        "request",
        otel.name = format!("{method} {route}"),
        otel.kind = "server",
        http.request.method = method,
        http.route = route,
        http.response.status_code = Empty,
    );
    if span.is_disabled() {
        return next.run(request).await;
    }
    traces::adopt(&span, request.headers());
    let response = next.run(request).instrument(span.clone()).await;
    span.record("http.response.status_code", response.status().as_u16());
    response
}

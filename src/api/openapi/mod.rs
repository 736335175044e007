//! `GET /api/openapi.json`: this API as an OpenAPI 3.1 document; `GET /api/docs`: the same for people. Every route of the
//! router's table is in it, and nothing else.

mod bodies;
mod document;
mod operation;
mod operations;
mod page;
mod parameters;
mod schemas;

use std::sync::OnceLock;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde_json::Value;

use super::query::Query;
use super::{Api, Problem, cached, router};

pub use document::document;

/// It is the same for as long as this process lives.
fn made() -> &'static Value {
    static MADE: OnceLock<Value> = OnceLock::new();
    MADE.get_or_init(|| document(&router::gates()))
}

/// The document itself. 200; 304; 422.
pub async fn json(State(_): State<Api>, headers: HeaderMap, query: Query) -> Result<Response, Problem> {
    query.finish()?;
    Ok(cached::answer(&headers, "application/json", cached::PAGE, made().to_string()))
}

/// The page that renders it, without script and without anything from elsewhere. 200; 304; 422.
pub async fn docs(State(_): State<Api>, headers: HeaderMap, query: Query) -> Result<Response, Problem> {
    query.finish()?;
    let page = page::of(made()).into_string();
    let mut response = cached::answer(&headers, "text/html; charset=utf-8", cached::PAGE, page);
    response.headers_mut().extend(page::headers());
    Ok(response)
}

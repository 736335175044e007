//! `GET /metrics`: what this process and the deployment have to tell, for Prometheus. 200, whatever else is wrong.

use axum::extract::State;
use axum::http::HeaderName;
use axum::http::header::CONTENT_TYPE;

use super::Api;
use crate::telling::{EXPOSITION, Process};

pub async fn handle(State(api): State<Api>) -> ([(HeaderName, &'static str); 1], String) {
    let figures = api.engine.figures().await;
    ([(CONTENT_TYPE, EXPOSITION)], Process::exposition() + &figures)
}

//! `POST /api/v1/link/poll`, `POST /api/v1/link/answer`: what a link that dials in asks and tells. Its token is its gate; no
//! account's token opens these, and it opens nothing else.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Json;
use axum::{Router, routing};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::call::Answer;
use super::door::{Door, Doors};
use crate::api::Problem;
use crate::api::gate::{bearer, unauthorized};
use crate::api::posted::bytes_of;

/// The longest that a poll may wait, in milliseconds.
const WAIT_MS_MAX: u64 = 30_000;
/// Most bytes of answers.
const MOST: usize = 4 * 1024 * 1024;

/// What the routes work with.
type At = (Doors, CancellationToken);

/// A poll; without a session it begins one.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Poll {
    session: Option<String>,
    #[serde(default)]
    after: u64,
    #[serde(default)]
    wait_ms: u64,
}

#[derive(Debug, Deserialize)]
struct Answers {
    session: String,
    answers: Vec<Told>,
}

/// What one request was answered.
#[derive(Debug, Deserialize)]
struct Told {
    n: u64,
    status: u16,
    body: Value,
}

/// The routes; whoever waits at them is sent away when `stop` is cancelled.
pub fn router(doors: Doors, stop: CancellationToken) -> Router {
    Router::new()
        .route("/api/v1/link/poll", routing::post(poll))
        .route("/api/v1/link/answer", routing::post(answer))
        .method_not_allowed_fallback(async || Problem::method_not_allowed())
        .layer(DefaultBodyLimit::disable())
        .with_state((doors, stop))
}

async fn poll(State((doors, stop)): State<At>, headers: HeaderMap, body: Body) -> Result<Json<Value>, Problem> {
    let door = door(&doors, &headers)?;
    let Poll { session, after, wait_ms } = read(body).await?;
    if wait_ms > WAIT_MS_MAX {
        return Err(bad(&format!("waitMs must be 0 to {WAIT_MS_MAX}")));
    }
    let Some(id) = session else { return Ok(Json(json!({"session": door.enter().id, "requests": []}))) };
    let session = door.session().filter(|session| session.id == id).ok_or_else(over)?;
    let requests = tokio::select! {
        () = stop.cancelled() => return Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "stopping", "this engine is stopping")),
        requests = session.poll(after, Duration::from_millis(wait_ms)) => requests.ok_or_else(over)?,
    };
    Ok(Json(json!({"session": id, "requests": requests})))
}

async fn answer(State((doors, _)): State<At>, headers: HeaderMap, body: Body) -> Result<Json<Value>, Problem> {
    let door = door(&doors, &headers)?;
    let Answers { session, answers } = read(body).await?;
    let session = door.session().filter(|known| known.id == session).ok_or_else(over)?;
    // All are looked at before any is taken.
    let mut sound = Vec::with_capacity(answers.len());
    for Told { n, status, body } in answers {
        let known = StatusCode::from_u16(status).ok().filter(|_| (200..=599).contains(&status));
        let status = known.ok_or_else(|| bad(&format!("status {status} of answer {n} is none from 200 to 599")))?;
        sound.push((n, Answer { status, body }));
    }
    for (n, answer) in sound {
        session.answered(n, answer);
    }
    Ok(Json(json!({})))
}

fn door(doors: &Doors, headers: &HeaderMap) -> Result<Arc<Door>, Problem> {
    let door = bearer(headers).and_then(|token| doors.of(token));
    door.ok_or_else(|| unauthorized("send Authorization: Bearer with the token of a link that dials in here"))
}

async fn read<T: DeserializeOwned>(body: Body) -> Result<T, Problem> {
    let bytes = bytes_of(body, MOST).await?;
    serde_json::from_slice(&bytes).map_err(|fault| bad(&fault.to_string()))
}

fn bad(detail: &str) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, "bad_json", detail)
}

fn over() -> Problem {
    let detail = "this session is over: another link came with the same token, or no poll came for too long; begin another";
    Problem::new(StatusCode::GONE, "session_over", detail)
}

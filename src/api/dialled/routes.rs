//! `POST /api/v1/link/poll`, `POST /api/v1/link/answer`: what a link that dials in asks and tells. Its token is its gate; no
//! account's token opens these, and it opens nothing else.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Json;
use axum::{Router, routing};
use leasehold_aggregates::body::{Object, Text};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::call::Answer;
use super::door::{Door, Doors};
use crate::api::Problem;
use crate::api::gate::{bearer, unauthorized};
use crate::api::posted::{carried, read_known};

/// Where a link asks what is wanted of it.
const POLL: &str = "/api/v1/link/poll";
/// Where it tells what came of it.
const ANSWER: &str = "/api/v1/link/answer";
/// Every address of these.
pub const PATHS: [&str; 2] = [POLL, ANSWER];

/// The longest that a poll may wait, in milliseconds.
pub const WAIT_MS_MAX: i64 = 30_000;
/// Most answers that are told at once.
pub const ANSWERS_MAX: usize = 256;
/// Most bytes of answers.
const MOST: usize = 4 * 1024 * 1024;

/// What the routes work with.
type At = (Doors, CancellationToken);

/// A poll; without a session it begins one.
struct Poll {
    session: Option<String>,
    after: u64,
    wait: Duration,
}

/// What requests were answered, by their numbers.
struct Answers {
    session: String,
    answers: Vec<(u64, Answer)>,
}

/// The routes; whoever waits at them is sent away when `stop` is cancelled.
pub fn router(doors: Doors, stop: CancellationToken) -> Router {
    Router::new()
        .route(POLL, routing::post(poll))
        .route(ANSWER, routing::post(answer))
        .method_not_allowed_fallback(async || Problem::method_not_allowed())
        .layer(DefaultBodyLimit::disable())
        .with_state((doors, stop))
}

async fn poll(State((doors, stop)): State<At>, headers: HeaderMap, body: Body) -> Result<Json<Value>, Problem> {
    let door = door(&doors, &headers)?;
    let Poll { session, after, wait } = read_known(&carried(&headers, body, MOST).await?, Poll::of)?;
    let Some(id) = session else { return Ok(Json(json!({"session": door.enter().id, "requests": []}))) };
    let session = door.session().filter(|session| session.id == id).ok_or_else(over)?;
    let requests = tokio::select! {
        () = stop.cancelled() => return Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "stopping", "this engine is stopping")),
        requests = session.poll(after, wait) => requests.ok_or_else(over)?,
    };
    Ok(Json(json!({"session": id, "requests": requests})))
}

async fn answer(State((doors, _)): State<At>, headers: HeaderMap, body: Body) -> Result<Json<Value>, Problem> {
    let door = door(&doors, &headers)?;
    // All are looked at before any is taken.
    let Answers { session, answers } = read_known(&carried(&headers, body, MOST).await?, Answers::of)?;
    let session = door.session().filter(|known| known.id == session).ok_or_else(over)?;
    for (n, answer) in answers {
        session.answered(n, answer);
    }
    Ok(Json(json!({})))
}

impl Poll {
    fn of(object: &Object<'_>) -> Self {
        Self {
            session: object.nullable_text("session", Text::line(1, 64)),
            after: object.int_or("after", 0..=i64::MAX, 0).unsigned_abs(),
            wait: Duration::from_millis(object.int_or("waitMs", 0..=WAIT_MS_MAX, 0).unsigned_abs()),
        }
    }
}

impl Answers {
    fn of(object: &Object<'_>) -> Self {
        let session = object.text("session", Text::line(1, 64));
        object.required("answers");
        let answers = object.list("answers", 0..=ANSWERS_MAX).into_iter().map(|(at, told)| {
            let told = Object::of(told, at, object.faults());
            let (n, status) = (told.int("n", 0..=i64::MAX).unsigned_abs(), told.int("status", 200..=599));
            let status = u16::try_from(status).ok().and_then(|status| StatusCode::from_u16(status).ok());
            let body = told.required("body").cloned().unwrap_or_default();
            (n, Answer { status: status.unwrap_or(StatusCode::BAD_GATEWAY), body })
        });
        Self { session, answers: answers.collect() }
    }
}

fn door(doors: &Doors, headers: &HeaderMap) -> Result<Arc<Door>, Problem> {
    let door = bearer(headers).and_then(|token| doors.of(token));
    door.ok_or_else(|| unauthorized("send Authorization: Bearer with the token of a link that dials in here"))
}

fn over() -> Problem {
    let detail = "this session is over: another link came with the same token, or no poll came for too long; begin another";
    Problem::new(StatusCode::GONE, "session_over", detail)
}

//! `POST /game/hello`, `POST /game/poll`: the door for a game that has nothing but an HTTP client.

use super::{
    answer::{own, own_with},
    command::read_object,
};
use crate::sidecar::{
    feed::FeedStore,
    hello,
    polling::{Answer, Poll, PollFailure, Session, Sessions, whole_numbers},
    scopes::Scopes,
};
use axum::{
    Json,
    body::Body,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use leasehold_link::wire::{
    Disposition, ErrorName, PROTOCOL, Refusal, Welcome,
    feed::WAIT_MS_MAX,
    is_too_deep,
    limits::{LINE_MAX_BYTES, POLL_FRAMES_MAX, POLL_MAX_BYTES},
};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::{sync::Arc, time::Duration};

/// What a poll says. Whatever is missing or null has its default.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Asked {
    session: String,
    after: Option<u64>,
    wait_ms: Option<u64>,
    frames: Option<Vec<Value>>,
}

/// Takes the game on its line, as a first frame on a connection does.
pub async fn hello(
    State(scopes): State<Arc<Scopes>>,
    State(sessions): State<Arc<Sessions>>,
    State(feed): State<FeedStore>,
    body: Body,
) -> Response {
    let hello = match read_object(body, LINE_MAX_BYTES, scopes.reply_timeout()).await {
        Ok(hello) => whole_numbers(hello),
        Err(unfit) => return unfit.into_response(),
    };
    let protocol = hello.get("protocol").and_then(Value::as_u64);
    let (hello, line) = match hello::greet(hello, &scopes) {
        Ok(greeted) => greeted,
        Err(refusal) => {
            tracing::warn!(reason = refusal.reason, "refused a game");
            let other = protocol.is_some_and(|protocol| protocol != u64::from(PROTOCOL));
            return (if other { StatusCode::CONFLICT } else { StatusCode::BAD_REQUEST }, Json(refusal)).into_response();
        }
    };
    if line.is_news(&hello)
        && let Err(fault) = feed.keep(&hello.scope, &hello.boot_id, hello.as_report()).await
    {
        return own(Disposition::NotSent, ErrorName::DiskFailed, &format!("the hello cannot be kept: {fault}"));
    }
    let session = sessions.begin(Session::install(line, hello));
    let mut welcome = json!(Welcome::current());
    welcome["session"] = session.into();
    welcome["silenceMs"] = u64::try_from(sessions.silence().as_millis()).unwrap_or(u64::MAX).into();
    Json(welcome).into_response()
}

/// Takes what the game has to say, and gives it what it is to do.
pub async fn poll(
    State(scopes): State<Arc<Scopes>>,
    State(sessions): State<Arc<Sessions>>,
    State(feed): State<FeedStore>,
    body: Body,
) -> Response {
    let asked = match read_object(body, POLL_MAX_BYTES, scopes.reply_timeout()).await {
        Ok(asked) => whole_numbers(asked),
        Err(unfit) => return unfit.into_response(),
    };
    let bad = |reason: &str| own(Disposition::BadJson, ErrorName::BadField, reason);
    let asked: Asked = match serde_json::from_value(Value::Object(asked)) {
        Ok(asked) => asked,
        Err(fault) => return bad(&format!("the poll is not whole: {fault}")),
    };
    let (wait_ms, frames) = (asked.wait_ms.unwrap_or(0), asked.frames.unwrap_or_default());
    if wait_ms > WAIT_MS_MAX || frames.len() > POLL_FRAMES_MAX {
        return bad(&format!("waitMs must be 0 to {WAIT_MS_MAX}, and frames at most {POLL_FRAMES_MAX}"));
    }
    let Some(session) = sessions.get(&asked.session) else { return over() };
    let poll = Poll { frames: objects(frames), after: asked.after.unwrap_or(0), wait: Duration::from_millis(wait_ms) };
    match session.poll(poll, &feed).await {
        Ok(answer) => told(answer),
        Err(PollFailure::Over) => over(),
        Err(PollFailure::Disk(fault)) => {
            own(Disposition::NotSent, ErrorName::DiskFailed, &format!("reports cannot be kept: {fault}; send them again"))
        }
    }
}

/// A frame that is none, or is too long or too deep for a line, costs itself only.
fn objects(frames: Vec<Value>) -> Vec<Map<String, Value>> {
    let object = |frame: Value| match frame {
        Value::Object(object) if json!(object).to_string().len() <= LINE_MAX_BYTES && !is_too_deep(&object) => Some(object),
        _ => {
            tracing::warn!(
                "a frame of the game was thrown away: no object, longer than {LINE_MAX_BYTES} bytes, or nested too deep"
            );
            None
        }
    };
    frames.into_iter().filter_map(object).collect()
}

/// Written by hand, because each command is a line already.
fn told(Answer { kept, commands }: Answer) -> Response {
    let commands: Vec<String> = commands.into_iter().map(|(n, line)| format!(r#"{{"n":{n},"frame":{line}}}"#)).collect();
    let text = format!(r#"{{"kept":{},"commands":[{}]}}"#, json!(kept), commands.join(","));
    ([("content-type", "application/json")], text).into_response()
}

fn over() -> Response {
    let reason = "this session is over: another connection has the line, or no poll came for too long; say hello again";
    own_with(Disposition::Superseded, Refusal::new(ErrorName::SessionOver, reason))
}

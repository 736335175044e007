//! `Idempotency-Key`, around every route that is posted to: what comes again under the same key is answered as the first time,
//! and does nothing.
//!
//! The request is carried out in a task of its own, so that a client that hangs up still finds the answer later. What fails on
//! this side (5xx) is not an answer: it is tried again, as the same command.

use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_TYPE, IF_MATCH};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};
use tokio::time::{Instant, interval_at};
use tracing::Instrument;
use uuid::Uuid;

use super::gate::Command;
use super::posted::{DEFINITION_BYTES, bytes_of};
use super::{Api, Caller, Problem};
use crate::engine::keyed::REMEMBERED;
use crate::engine::{Sent, crash, mint};
use crate::log::{KeyedAnswer, KeyedClaim, KeyedRequest};

/// How long a claim outlives its holder. Nothing rests on it but who is told to wait.
const TERM: Duration = Duration::from_secs(5);
/// Between two renewals.
const RENEWAL: Duration = Duration::from_secs(1);
/// Longest key.
const LONGEST: usize = 255;

static KEY: HeaderName = HeaderName::from_static("idempotency-key");
static REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// Around one route.
pub(super) async fn once(
    State((api, path)): State<(Api, &'static str)>,
    request: Request,
    next: Next,
) -> Result<Response, Problem> {
    let (Some(key), Some(caller)) = (key(request.headers())?, request.extensions().get::<Caller>().cloned()) else {
        return Ok(next.run(request).await);
    };
    let (mut parts, body) = request.into_parts();
    let body = bytes_of(body, DEFINITION_BYTES).await?;
    let request = KeyedRequest { account_id: caller.account_id.clone(), key, route: path, digest: digest(&parts, &body) };
    let now = api.now().await?;
    let (id, sent) = match api.engine.log.claim_key(&request, mint::id(), (now, now - REMEMBERED), TERM).await? {
        KeyedClaim::First(id) => (id, Sent::Keyed),
        KeyedClaim::Again(id) => (id, Sent::Again),
        KeyedClaim::InFlight => return Err(Problem::in_flight()),
        KeyedClaim::Other => return Err(Problem::key_reused()),
        KeyedClaim::Answered(answer) => return Ok(replayed(answer)),
        KeyedClaim::Erased => return Err(super::gate::unauthorized("this account is no more")),
    };
    parts.extensions.insert(Caller { command: Some(Command { id, sent }), ..caller });
    let carried = carry(api.clone(), id, request, Request::from_parts(parts, Body::from(body)), next);
    match api.engine.tasks.spawn(carried.in_current_span()).await {
        Ok(response) => Ok(response),
        Err(ended) if ended.is_panic() => std::panic::resume_unwind(ended.into_panic()),
        Err(_) => Err(Problem::in_flight()),
    }
}

/// The key; none where none was sent.
fn key(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let mut sent = headers.get_all(&KEY).iter();
    let Some(key) = sent.next() else { return Ok(None) };
    if sent.next().is_some() {
        return Err(Problem::bad_key("is given twice"));
    }
    let bytes = key.as_bytes();
    if !(1..=LONGEST).contains(&bytes.len()) || !bytes.iter().all(u8::is_ascii_graphic) {
        return Err(Problem::bad_key(&format!("must be 1 to {LONGEST} visible characters of ASCII, without spaces")));
    }
    Ok(key.to_str().ok().map(str::to_owned))
}

/// Everything in which a repeat must be the same.
fn digest(parts: &Parts, body: &Bytes) -> [u8; 32] {
    let mut digest = Sha256::new();
    let mut field = |bytes: &[u8]| {
        digest.update((bytes.len() as u64).to_be_bytes());
        digest.update(bytes);
    };
    field(parts.method.as_str().as_bytes());
    field(parts.uri.path_and_query().map_or("", |address| address.as_str()).as_bytes());
    for name in [IF_MATCH, CONTENT_TYPE] {
        let values: Vec<&[u8]> = parts.headers.get_all(name).iter().map(HeaderValue::as_bytes).collect();
        field(&values.join(&b"\n"[..]));
    }
    field(body);
    digest.finalize().into()
}

/// Carries the request out, keeping its claim meanwhile, and records the answer.
async fn carry(api: Api, id: Uuid, keyed: KeyedRequest, request: Request, next: Next) -> Response {
    let log = &api.engine.log;
    let mut answer = std::pin::pin!(next.run(request));
    let mut renewal = interval_at(Instant::now() + RENEWAL, RENEWAL);
    let response = loop {
        tokio::select! {
            response = &mut answer => break response,
            _ = renewal.tick() => if let Err(error) = log.keep_key(id, &keyed, TERM).await {
                tracing::warn!(%error, "the claim on a request could not be renewed");
            }
        }
    };
    crash::point("keyed.answered");
    if response.status().is_server_error() {
        if let Err(error) = log.keep_key(id, &keyed, Duration::ZERO).await {
            tracing::warn!(%error, "a request that failed is anybody's to try again once its claim has run out");
        }
        return response;
    }
    let response = match log.command(id).await {
        Ok(Some(done)) if response.status().is_client_error() => Problem::done_before(done).into_response(),
        _ => response,
    };
    record(&api, id, &keyed, response).await
}

/// Records the answer and gives it; where another was recorded meanwhile, that is the answer.
async fn record(api: &Api, id: Uuid, keyed: &KeyedRequest, response: Response) -> Response {
    let (parts, body) = response.into_parts();
    let Ok(body) = to_bytes(body, usize::MAX).await else {
        return Problem::internal().into_response();
    };
    let text = |(name, value): (&HeaderName, &HeaderValue)| Some((name.to_string(), value.to_str().ok()?.to_owned()));
    let headers = parts.headers.iter().filter_map(text).collect();
    let answer = KeyedAnswer { status: parts.status.as_u16(), headers, body: body.to_vec() };
    match api.engine.log.answer_key(id, keyed, &answer).await {
        Ok(Some(counts)) if counts != answer => replayed(counts),
        Ok(_) => Response::from_parts(parts, Body::from(body)),
        Err(error) => {
            tracing::warn!(%error, "an answer was given and is not recorded; a repeat is told anew what was done");
            Response::from_parts(parts, Body::from(body))
        }
    }
}

/// The answer of the first time, marked as that.
fn replayed(answer: KeyedAnswer) -> Response {
    let mut headers = HeaderMap::new();
    for (name, value) in answer.headers {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            headers.append(name, value);
        }
    }
    headers.insert(&REPLAYED, HeaderValue::from_static("true"));
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
    (status, headers, answer.body).into_response()
}

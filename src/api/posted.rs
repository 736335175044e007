//! Posted bodies: their kind, their size, and from bytes to a value. What the value must be is each operation's.

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use leasehold_aggregates::body::{BadJson, Faults, MAX_BYTES, Object, Text, parse};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Api, Problem};

/// Most bytes of a definition: a storyline of 200,000 characters fits, as long as it is sent as UTF-8 and not in escapes.
pub const DEFINITION_BYTES: usize = 1024 * 1024;

/// A JSON body of at most 256 KiB.
pub struct Posted(pub Value);

/// A definition's body of at most 1 MiB.
pub struct PostedDefinition(pub Value);

/// As [`Posted`], and an empty object where nothing was sent.
pub struct PostedOrNothing(pub Value);

impl FromRequest<Api> for Posted {
    type Rejection = Problem;

    async fn from_request(request: Request, _api: &Api) -> Result<Self, Problem> {
        let (parts, body) = request.into_parts();
        json_of(&parts.headers, body, MAX_BYTES, false).await.map(Self)
    }
}

impl FromRequest<Api> for PostedDefinition {
    type Rejection = Problem;

    async fn from_request(request: Request, _api: &Api) -> Result<Self, Problem> {
        let (parts, body) = request.into_parts();
        json_of(&parts.headers, body, DEFINITION_BYTES, false).await.map(Self)
    }
}

impl FromRequest<Api> for PostedOrNothing {
    type Rejection = Problem;

    async fn from_request(request: Request, _api: &Api) -> Result<Self, Problem> {
        let (parts, body) = request.into_parts();
        json_of(&parts.headers, body, MAX_BYTES, true).await.map(Self)
    }
}

/// The whole body, if it has at most so many bytes.
pub async fn bytes_of(body: Body, most: usize) -> Result<Bytes, Problem> {
    let too_large = || {
        let detail = format!("the body has more than {most} bytes, and no more are read");
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", detail)
    };
    // One byte more than is taken, so that too large is told apart from broken off.
    match to_bytes(body, most + 1).await {
        Ok(bytes) if bytes.len() <= most => Ok(bytes),
        Ok(_) => Err(too_large()),
        Err(error) if is_limit(&error) => Err(too_large()),
        Err(_) => Err(Problem::new(StatusCode::BAD_REQUEST, "body_lost", "the body broke off before its end")),
    }
}

async fn json_of(headers: &HeaderMap, body: Body, most: usize, may_be_empty: bool) -> Result<Value, Problem> {
    let bytes = bytes_of(body, most).await?;
    if may_be_empty && bytes.is_empty() {
        return Ok(json!({}));
    }
    is_json(headers)?;
    Ok(parse(&bytes, most)?)
}

/// A body that is carried on more than it is read: nothing in it is refused but what is no JSON.
pub async fn carried(headers: &HeaderMap, body: Body, most: usize) -> Result<Value, Problem> {
    let bytes = bytes_of(body, most).await?;
    is_json(headers)?;
    let bad = |fault: serde_json::Error| BadJson {
        line: fault.line(),
        column: fault.column(),
        pointer: String::new(),
        reason: fault.to_string(),
        too_large: false,
    };
    Ok(serde_json::from_slice(&bytes).map_err(bad)?)
}

fn is_limit(error: &axum::Error) -> bool {
    let source = std::error::Error::source(error);
    source.is_some_and(|source| source.to_string().contains("length limit exceeded"))
}

fn is_json(headers: &HeaderMap) -> Result<(), Problem> {
    let text = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default().to_ascii_lowercase();
    let mut parts = text.split(';').map(str::trim);
    let json = parts.next() == Some("application/json");
    let utf8 = parts.all(|parameter| match parameter.split_once('=') {
        Some(("charset", charset)) => charset.trim_matches('"') == "utf-8",
        _ => true,
    });
    let plain = headers.get(CONTENT_ENCODING).is_none_or(|encoding| encoding.as_bytes().eq_ignore_ascii_case(b"identity"));
    if json && utf8 && plain {
        return Ok(());
    }
    let detail = "a body must be application/json in UTF-8, uncompressed, and say so in Content-Type";
    Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_json", detail))
}

/// Reads a small body field by field, with all its faults.
pub fn read<T>(body: &Value, shape: impl FnOnce(&Object<'_>) -> T) -> Result<T, Problem> {
    read_whole(body, |object| {
        let read = shape(&object);
        object.finish();
        read
    })
}

/// The same, but what is not known is passed over: the two sides of the wire are not always of one age.
pub fn read_known<T>(body: &Value, shape: impl FnOnce(&Object<'_>) -> T) -> Result<T, Problem> {
    read_whole(body, |object| shape(&object))
}

fn read_whole<T>(body: &Value, shape: impl FnOnce(Object<'_>) -> T) -> Result<T, Problem> {
    let faults = Faults::default();
    let read = shape(Object::of(body, "", &faults));
    Problem::of_faults(faults.into_inner())?;
    Ok(read)
}

/// The id in the path: of a definition or a run. What is no id in its one spelling names nothing.
pub struct Id(pub String);

impl FromRequestParts<Api> for Id {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, api: &Api) -> Result<Self, Problem> {
        let path = Path::<Vec<String>>::from_request_parts(parts, api).await;
        let id = path.ok().and_then(|Path(parts)| parts.into_iter().next());
        id.filter(|id| id.parse::<Uuid>().is_ok_and(|uuid| uuid.to_string() == *id)).map(Self).ok_or_else(Problem::not_found)
    }
}

/// The second part of the path: the key of a step.
pub struct StepKey(pub String);

impl FromRequestParts<Api> for StepKey {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, api: &Api) -> Result<Self, Problem> {
        let path = Path::<Vec<String>>::from_request_parts(parts, api).await;
        let key = path.ok().and_then(|Path(parts)| parts.into_iter().nth(1));
        key.filter(|key| Text::key().check("step", &json!(key)).is_ok()).map(Self).ok_or_else(Problem::not_found)
    }
}

/// Numbers in the path behind the id, in their one spelling: of versions.
pub struct Numbers(pub Vec<u64>);

impl FromRequestParts<Api> for Numbers {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, api: &Api) -> Result<Self, Problem> {
        let path = Path::<Vec<String>>::from_request_parts(parts, api).await;
        let Path(parts) = path.map_err(|_| Problem::not_found())?;
        let number = |text: &String| text.parse::<u64>().ok().filter(|number| number.to_string() == *text);
        parts.iter().skip(1).map(number).collect::<Option<_>>().map(Self).ok_or_else(Problem::not_found)
    }
}

/// The one name in the path, whatever it is: the id of an option source.
pub struct Name(pub String);

impl FromRequestParts<Api> for Name {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, api: &Api) -> Result<Self, Problem> {
        let Path(name) = Path::<String>::from_request_parts(parts, api).await.map_err(|_| Problem::not_found())?;
        Ok(Self(name))
    }
}

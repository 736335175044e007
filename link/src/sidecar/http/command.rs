//! `POST` of any command, and `GET /lease`: the body goes to the game as it is. What the path or the query names is part of it.

use super::{
    answer::{answer, own},
    engine::mark_of,
};
use crate::sidecar::{
    exchange::{Fate, not_sent, protocol_gate},
    scopes::{Found, Scopes},
    seen::SeenFile,
};
use axum::{
    body::Body,
    extract::{Query, RawPathParams, Request, State, rejection::RawPathParamsRejection},
    response::{IntoResponse, Response},
};
use futures::StreamExt;
use leasehold_link::wire::{Disposition, ErrorName, Kind, Method, limits::LINE_MAX_BYTES};
use serde_json::{Map, Value};
use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};

/// For how long a request was held before it came here; a request without it was not.
#[derive(Clone, Copy)]
pub struct Held(pub Duration);

/// Why a body goes nowhere.
pub enum Unfit {
    /// Over that many bytes.
    TooLarge(usize),
    BadJson(String),
    /// It did not come to its end in that time.
    TooSlow(Duration),
}

/// Carries the request's body as a command of that kind. The place in the log that it was sent from, if it names one, is
/// written down before a byte of it goes to the game.
pub async fn command(
    kind: Kind,
    State(scopes): State<Arc<Scopes>>,
    found: Found,
    State(seen): State<Arc<SeenFile>>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    request: Request,
) -> Response {
    let path = match path {
        Ok(path) => path,
        Err(fault) => return own(Disposition::BadJson, ErrorName::BadField, &format!("{}; nothing was sent", fault.body_text())),
    };
    let held = request.extensions().get().map_or(Duration::ZERO, |Held(held)| *held);
    let accepted = Instant::now().checked_sub(held).unwrap_or_else(Instant::now);
    let mark = match mark_of(request.headers()) {
        Ok(mark) => mark,
        Err(fault) => {
            let reason = format!("{fault}; nothing was sent");
            return own(Disposition::BadJson, ErrorName::BadField, &reason);
        }
    };
    let body = match kind.route().0 {
        Method::Get => Ok(of_query(&request)),
        Method::Post => read_object(request.into_body(), LINE_MAX_BYTES, scopes.reply_timeout()).await,
    };
    match body {
        Ok(mut body) => {
            let Some(line) = &found.line else { return answer(nobody(&found)) };
            body.extend(path.iter().map(|(name, value)| (name.to_owned(), value.into())));
            if let Some(mark) = mark
                && let Err(failure) = seen.raise(found.scope.as_deref(), mark).await
            {
                return own(Disposition::NotSent, ErrorName::NotSent, &format!("{failure}; nothing was sent"));
            }
            answer(line.carry(kind, body, accepted).await)
        }
        Err(unfit) => unfit.into_response(),
    }
}

/// A scope from which no game has ever come.
fn nobody(found: &Found) -> Fate {
    match (found.refused_protocol, &found.scope) {
        (Some(protocol), _) => protocol_gate(protocol),
        (None, Some(scope)) => not_sent(&format!("no game of the scope {scope} has ever been on a line here")),
        (None, None) => not_sent("no game is connected"),
    }
}

/// The parameters of a look, as the text that they are; the scope is the link's own.
fn of_query(request: &Request) -> Map<String, Value> {
    let query = Query::<BTreeMap<String, String>>::try_from_uri(request.uri());
    let fields = query.map(|Query(fields)| fields).unwrap_or_default();
    fields.into_iter().filter(|(name, _)| name != "scope").map(|(name, value)| (name, value.into())).collect()
}

/// One JSON object of at most that many bytes, which is to be whole in that time.
pub async fn read_object(body: Body, most: usize, patience: Duration) -> Result<Map<String, Value>, Unfit> {
    let read = tokio::time::timeout(patience, read(body, most)).await;
    read.unwrap_or(Err(Unfit::TooSlow(patience)))
}

async fn read(body: Body, most: usize) -> Result<Map<String, Value>, Unfit> {
    let mut bytes = Vec::new();
    let mut stream = body.into_data_stream();
    while let Some(chunk) = stream.next().await {
        let chunk = chunk.map_err(|_| Unfit::BadJson("it broke off".to_owned()))?;
        if bytes.len() + chunk.len() > most {
            return Err(Unfit::TooLarge(most));
        }
        bytes.extend_from_slice(&chunk);
    }
    serde_json::from_slice(&bytes).map_err(|fault| Unfit::BadJson(fault.to_string()))
}

impl IntoResponse for Unfit {
    fn into_response(self) -> Response {
        match self {
            Self::TooLarge(most) => {
                own(Disposition::TooLarge, ErrorName::TooLarge, &format!("the body is over {most} bytes; nothing was sent"))
            }
            Self::BadJson(fault) => {
                let reason = format!("the body must be one JSON object: {fault}; nothing was sent");
                own(Disposition::BadJson, ErrorName::BadJson, &reason)
            }
            Self::TooSlow(patience) => {
                let reason = format!("the body did not come to its end within {} ms; nothing was sent", patience.as_millis());
                own(Disposition::NotSent, ErrorName::NotSent, &reason)
            }
        }
    }
}

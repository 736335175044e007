//! The gate in front of the plain page. Browsers ask for a name and a password by themselves when they are told `Basic`:
//! the password is the token. Nowhere else is `Basic` taken, so a browser that keeps it can do nothing but read.

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, html};

use super::gate::{bearer, of_token, wrong_role};
use super::{Api, Gate, Open, Problem};

/// Whom the page lets through.
pub(super) const GATE: Gate = Gate::STAFF;

pub(super) async fn check(State(api): State<Api>, request: Request, next: Next) -> Response {
    if api.open == Open::ReadAtLoopback && !request.headers().contains_key(AUTHORIZATION) {
        return next.run(request).await;
    }
    match judge(&api, request.headers()).await {
        Ok(()) => next.run(request).await,
        Err(problem) if problem.status() == StatusCode::UNAUTHORIZED => sign_in(),
        Err(problem) => problem.into_response(),
    }
}

async fn judge(api: &Api, headers: &HeaderMap) -> Result<(), Problem> {
    let token = bearer(headers).map(str::to_owned).or_else(|| password(headers)).unwrap_or_default();
    let caller = of_token(api, &token).await?;
    if GATE.admits(caller.role) { Ok(()) } else { Err(wrong_role(GATE, caller.role)) }
}

fn password(headers: &HeaderMap) -> Option<String> {
    let (scheme, encoded) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    let decoded = STANDARD.decode(encoded.trim()).ok().filter(|_| scheme.eq_ignore_ascii_case("basic"))?;
    let (_, password) = std::str::from_utf8(&decoded).ok()?.split_once(':')?;
    Some(password.to_owned())
}

fn sign_in() -> Response {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head { meta charset="utf-8"; title { "Leasehold" } }
            body {
                h1 { "Leasehold" }
                p { "This page is for staff. Your browser asks for a name and a password: the password is the token of an \
                     account with the role admin, editor or moderator, and the name may be anything." }
                p { "leasehold user token ACCOUNT makes a token." }
            }
        }
    };
    let challenge = [(WWW_AUTHENTICATE, "Basic realm=\"leasehold\", charset=\"UTF-8\"")];
    (StatusCode::UNAUTHORIZED, challenge, Html(page.into_string())).into_response()
}

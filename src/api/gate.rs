//! Who is let through. Every request is judged anew: its token's digest leads to the account row, which a change of role
//! rewrote in the change's own append.

use axum::extract::{FromRequestParts, Request, State};
use axum::http::header::{AUTHORIZATION, HOST, WWW_AUTHENTICATE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use leasehold_aggregates::account::Role;
use uuid::Uuid;

use super::{Api, Open, Problem};
use crate::engine::{Sent, mint};

/// Whom a route lets through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gate {
    /// Everybody, known or not.
    Everybody,
    /// Every account.
    Accounts,
    /// Accounts with one of these roles.
    Roles(&'static [Role]),
    /// A link that dials in, by its own token, and no account.
    Link,
}

impl Gate {
    pub const STAFF: Self = Self::Roles(&[Role::Admin, Role::Editor, Role::Moderator]);
    pub const AUTHORS: Self = Self::Roles(&[Role::Admin, Role::Editor]);
    pub const OPERATORS: Self = Self::Roles(&[Role::Admin, Role::Moderator]);
    pub const ADMINS: Self = Self::Roles(&[Role::Admin]);

    pub fn admits(self, role: Role) -> bool {
        match self {
            Self::Everybody | Self::Accounts => true,
            Self::Roles(roles) => roles.contains(&role),
            Self::Link => false,
        }
    }

    /// Whether a link's token is let through.
    pub fn admits_links(self) -> bool {
        matches!(self, Self::Everybody | Self::Link)
    }
}

/// Whoever asks, as the row beside the log knows them at this moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    pub account_id: String,
    pub name: String,
    pub role: Role,
    /// As which command the request is carried out, where it came under a key.
    pub command: Option<Command>,
}

/// A command that has its id before it is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Command {
    pub id: Uuid,
    pub sent: Sent,
}

impl FromRequestParts<Api> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _api: &Api) -> Result<Self, Problem> {
        parts.extensions.get::<Self>().cloned().ok_or_else(|| unauthorized("this takes a token"))
    }
}

/// What a route does beyond answering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    Reads,
    /// It appends, or asks a game; a read-only engine does neither.
    Writes,
}

/// The check in front of one route: who asks, and whether this engine does it now.
pub(super) async fn check(
    State((api, gate, effect)): State<(Api, Gate, Effect)>,
    mut request: Request,
    next: Next,
) -> Result<Response, Problem> {
    let visitor = api.open == Open::ReadAtLoopback && request.method().is_safe() && gate == Gate::STAFF;
    if gate == Gate::Everybody || visitor && !request.headers().contains_key(AUTHORIZATION) {
        return Ok(next.run(request).await);
    }
    let caller = caller(&api, request.headers()).await?;
    if !gate.admits(caller.role) {
        return Err(wrong_role(gate, caller.role));
    }
    if effect == Effect::Writes {
        Problem::of_rewinds(&api.engine.rewound())?;
    }
    request.extensions_mut().insert(caller);
    Ok(next.run(request).await)
}

/// The account that a bearer token speaks for.
pub(super) async fn caller(api: &Api, headers: &HeaderMap) -> Result<Caller, Problem> {
    let token = bearer(headers).ok_or_else(|| unauthorized("send Authorization: Bearer with the token of an account"))?;
    of_token(api, token).await
}

/// The account that a token speaks for; a disabled one is told so.
pub(super) async fn of_token(api: &Api, token: &str) -> Result<Caller, Problem> {
    let row = api.engine.log.account_of_token(&mint::token_digest(token)).await?;
    let row = row.ok_or_else(|| unauthorized("this token opens nothing: it is unknown or was revoked"))?;
    if row.disabled {
        return Err(Problem::forbidden("account_disabled", "this account is disabled; an admin can enable it"));
    }
    let unknown = || Problem::forbidden("role_unknown", format!("this version does not know the role {:?}", row.role));
    let role = row.role.parse().map_err(|_| unknown())?;
    Ok(Caller { account_id: row.account_id, name: row.name, role, command: None })
}

pub(super) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}

pub(super) fn unauthorized(detail: &str) -> Problem {
    let problem = Problem::new(StatusCode::UNAUTHORIZED, "unauthorized", detail);
    problem.header(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"leasehold\""))
}

pub(super) fn wrong_role(gate: Gate, has: Role) -> Problem {
    let roles: &[Role] = if let Gate::Roles(roles) = gate { roles } else { &[] };
    let names: Vec<String> = roles.iter().map(Role::to_string).collect();
    let detail = format!("this takes the role {}, and yours is {has}", names.join(" or "));
    Problem::forbidden("role_required", detail).with("roles", names)
}

/// Where reading is open, a page of another origin that resolves its own name to this machine must not be the reader.
pub(super) async fn host(State(api): State<Api>, request: Request, next: Next) -> Result<Response, Problem> {
    if api.open == Open::ReadAtLoopback && !is_loopback(request.uri().host(), request.headers()) {
        let detail = "this engine is open to this machine alone: ask for it as localhost or 127.0.0.1";
        return Err(Problem::new(StatusCode::MISDIRECTED_REQUEST, "host_not_loopback", detail));
    }
    Ok(next.run(request).await)
}

fn is_loopback(authority: Option<&str>, headers: &HeaderMap) -> bool {
    let host = headers.get(HOST).map(|value| value.to_str().unwrap_or_default());
    let named: Vec<&str> = host.into_iter().chain(authority).collect();
    !named.is_empty() && headers.get_all(HOST).iter().count() <= 1 && named.into_iter().all(is_loopback_name)
}

fn is_loopback_name(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    name.eq_ignore_ascii_case("localhost") || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_loopback() {
        for here in ["localhost", "localhost:7878", "LOCALHOST:1", "127.0.0.1:7878", "127.9.9.9", "[::1]:7878"] {
            assert!(is_loopback_name(here), "{here}");
        }
        for elsewhere in
            ["", "evil.example", "127.0.0.1.evil.example", "localhost.evil.example:7878", "10.0.0.1", "[::2]", "0.0.0.0"]
        {
            assert!(!is_loopback_name(elsewhere), "{elsewhere}");
        }
    }

    #[test]
    fn a_bearer_token_is_read_whatever_the_case_of_its_scheme() {
        let read = |text: &'static str| {
            let headers = HeaderMap::from_iter([(AUTHORIZATION, HeaderValue::from_static(text))]);
            bearer(&headers).map(str::to_owned)
        };
        assert_eq!(read("Bearer abc"), Some("abc".into()));
        assert_eq!(read("bearer  abc "), Some("abc".into()));
        for none in ["Bearer", "Bearer ", "Basic abc", "abc", ""] {
            assert_eq!(read(none), None, "{none}");
        }
    }
}

//! The engine's side: one route a command, chosen by the route alone; a bearer token on every one.

mod answer;
mod command;
mod engine;
mod feed;
mod health;
mod manifest;
mod scope;

use super::{feed::FeedStore, scopes::Scopes, seen::SeenFile, token::Token};
use answer::own;
use axum::{
    Router,
    extract::{FromRef, Request, State},
    http::header::AUTHORIZATION,
    middleware::{self, Next},
    response::Response,
    routing::{self, MethodRouter},
};
use leasehold_link::wire::{Disposition, ErrorName, Kind, Method};
use std::sync::Arc;

/// What the routes work with.
#[derive(Clone, FromRef)]
struct Parts {
    scopes: Arc<Scopes>,
    seen: Arc<SeenFile>,
    feed: FeedStore,
}

/// Every route of the sidecar.
pub fn router(scopes: Arc<Scopes>, seen: Arc<SeenFile>, feed: FeedStore, token: Token) -> Router {
    let mut router = Router::new()
        .route("/health", routing::get(health::health))
        .route("/scopes", routing::get(health::scopes))
        .route("/manifest", routing::get(manifest::manifest))
        .route("/feed", routing::get(feed::read))
        .route("/engine", routing::get(engine::tell).put(engine::follow));
    for kind in Kind::ALL {
        let (method, path) = kind.route();
        router = router.route(path, command_route(method, kind));
    }
    router
        .fallback(no_such_route)
        .method_not_allowed_fallback(no_such_route)
        .with_state(Parts { scopes, seen, feed })
        .layer(middleware::from_fn_with_state(token, require_token))
}

fn command_route(method: Method, kind: Kind) -> MethodRouter<Parts> {
    let handler = move |scopes, found, seen, request| command::command(kind, scopes, found, seen, request);
    match method {
        Method::Get => routing::get(handler),
        Method::Post => routing::post(handler),
    }
}

async fn require_token(State(token): State<Token>, request: Request, next: Next) -> Response {
    let authorization = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    if token.admits(authorization) {
        next.run(request).await
    } else {
        own(Disposition::Unauthorized, ErrorName::Unauthorized, "a bearer token is required, and this is not it")
    }
}

async fn no_such_route(request: Request) -> Response {
    let reason = format!("there is no {} {}", request.method(), request.uri().path());
    own(Disposition::NoSuchRoute, ErrorName::NoSuchRoute, &reason)
}

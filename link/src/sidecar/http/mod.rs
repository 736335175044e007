//! The engine's side: one route a command, chosen by the route alone; a bearer token on every one.

mod answer;
mod command;
mod engine;
mod feed;
mod game;
mod health;
mod manifest;
mod scope;
mod stream;

use super::{feed::FeedStore, polling::Sessions, scopes::Scopes, seen::SeenFile, token::Token};
use answer::own;
use axum::{
    Router,
    extract::{FromRef, Request, State},
    http::header::AUTHORIZATION,
    middleware::{self, Next},
    response::Response,
    routing::{self, MethodRouter},
};
pub use command::Held;
use leasehold_link::wire::{Disposition, ErrorName, Kind, Method};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// What the routes work with.
#[derive(Clone, FromRef)]
pub struct Parts {
    pub scopes: Arc<Scopes>,
    pub seen: Arc<SeenFile>,
    pub feed: FeedStore,
    pub sessions: Arc<Sessions>,
    /// Ends what would never end by itself.
    pub stop: CancellationToken,
}

/// Who may come by which door.
#[derive(Clone)]
pub struct Tokens {
    pub engine: Token,
    /// Of games that come by HTTP; without it they have no door.
    pub game: Option<Token>,
}

/// What a game's paths begin with.
const GAMES: &str = "/game/";

/// Every route of the sidecar.
pub fn router(parts: Parts, tokens: Tokens) -> Router {
    let mut router = Router::new()
        .route("/health", routing::get(health::health))
        .route("/scopes", routing::get(health::scopes))
        .route("/manifest", routing::get(manifest::manifest))
        .route("/feed", routing::get(feed::read))
        .route("/feed/stream", routing::get(stream::read))
        .route("/engine", routing::get(engine::tell).put(engine::follow));
    for kind in Kind::ALL {
        let (method, path) = kind.route();
        router = router.route(path, command_route(method, kind));
    }
    if tokens.game.is_some() {
        router = router.route("/game/hello", routing::post(game::hello)).route("/game/poll", routing::post(game::poll));
    }
    router
        .fallback(no_such_route)
        .method_not_allowed_fallback(no_such_route)
        .with_state(parts)
        .layer(middleware::from_fn_with_state(tokens, require_token))
}

fn command_route(method: Method, kind: Kind) -> MethodRouter<Parts> {
    let handler = move |scopes, found, seen, path, request| command::command(kind, scopes, found, seen, path, request);
    match method {
        Method::Get => routing::get(handler),
        Method::Post => routing::post(handler),
    }
}

/// A game's token opens a game's door and no other, and no other opens it.
async fn require_token(State(tokens): State<Tokens>, request: Request, next: Next) -> Response {
    let game = tokens.game.as_ref().filter(|_| request.uri().path().starts_with(GAMES));
    let token = game.unwrap_or(&tokens.engine);
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

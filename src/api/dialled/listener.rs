//! The address that a link which dials in has for the engine's modules: on loopback, and behind the same token.

use std::io;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use leasehold_module::Link;
use serde_json::{Map, Value};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::call::Answer;
use super::door::{Door, Doors};
use crate::api::gate::bearer;
use crate::api::posted::bytes_of;

/// What stands in the place of the address of a link that dials in.
pub const DIALS_IN: &str = "dials-in";
/// Most bytes of one request: a whole command.
const MOST: usize = 256 * 1024;
/// What goes along to the link.
const CARRIED: [&str; 4] = ["leasehold-log", "leasehold-position", "leasehold-hash", "traceparent"];

/// Links of which each has an address, the doors of those that dial in, and what listens for their sake.
pub struct Opened {
    pub links: Vec<Link>,
    pub doors: Doors,
    listeners: Vec<(TcpListener, Arc<Door>)>,
}

/// Gives every link that dials in a door and an address; the others are as they were.
pub async fn open(links: Vec<Link>) -> io::Result<Opened> {
    let (mut reached, mut doors, mut listeners) = (Vec::new(), Vec::<(Arc<Door>, String)>::new(), Vec::new());
    for link in links {
        if link.url != DIALS_IN {
            reached.push(link);
            continue;
        }
        let known = doors.iter().find(|(door, _)| door.admits(&link.token)).map(|(_, url)| url.clone());
        let url = if let Some(url) = known {
            url
        } else {
            let (door, listener) = (Door::of(&link.token), TcpListener::bind(("127.0.0.1", 0)).await?);
            let url = format!("http://{}", listener.local_addr()?);
            listeners.push((listener, Arc::clone(&door)));
            doors.push((door, url.clone()));
            url
        };
        reached.push(Link { url, ..link });
    }
    let doors = Doors::new(doors.into_iter().map(|(door, _)| door).collect());
    Ok(Opened { links: reached, doors, listeners })
}

impl Opened {
    /// Carries until `stop` is cancelled.
    pub fn carry(self, tasks: &TaskTracker, stop: &CancellationToken) -> Doors {
        for (listener, door) in self.listeners {
            let router = Router::new().fallback(carry).with_state((door, stop.clone()));
            let served = axum::serve(listener, router).with_graceful_shutdown(stop.clone().cancelled_owned());
            tasks.spawn(served.into_future());
        }
        self.doors
    }
}

/// Carries whatever a module asks to the link, and its answer back.
async fn carry(State((door, stop)): State<(Arc<Door>, CancellationToken)>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    if !bearer(&parts.headers).is_some_and(|token| door.admits(token)) {
        return told(Answer::own(StatusCode::UNAUTHORIZED, "unauthorized", "a bearer token is required, and this is not it"));
    }
    let body = match bytes_of(body, MOST).await {
        Ok(bytes) if bytes.is_empty() => Value::Null,
        Ok(bytes) => match serde_json::from_slice(&bytes) {
            Ok(body) => body,
            Err(fault) => return told(Answer::own(StatusCode::BAD_REQUEST, "bad_json", &fault.to_string())),
        },
        Err(problem) => return problem.into_response(),
    };
    let header = |name: &str| Some((name.to_owned(), Value::from(parts.headers.get(name)?.to_str().ok()?)));
    let headers: Map<String, Value> = CARRIED.into_iter().filter_map(header).collect();
    let path = parts.uri.path_and_query().map_or("/", |path| path.as_str()).to_owned();
    told(door.ask(parts.method.to_string(), path, Value::Object(headers), body, &stop).await)
}

fn told(Answer { status, body }: Answer) -> Response {
    (status, axum::Json(body)).into_response()
}

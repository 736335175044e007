//! What a sidecar has seen of the engine's log: asked for, and set where history goes on elsewhere.

use leasehold_link::wire::{ErrorName, LINK_ERROR, Mark as WireMark, Reply, Seen};
use leasehold_module::{Failure, Mark};
use reqwest::{RequestBuilder, StatusCode};

use super::Sidecar;
use crate::verdict::Exchange;

impl Sidecar {
    /// The newest place that commands came from; none where no command has named one, or where the sidecar is one that does
    /// not remember.
    pub async fn last_seen(&self) -> Result<Option<Mark>, Failure> {
        let seen = self.ask_of_engine(self.http.get(self.engine_route())).await?;
        Ok(seen.and_then(|seen| seen.last().cloned()).map(|mark| Mark {
            log: mark.log,
            position: mark.position,
            hash: mark.hash,
        }))
    }

    /// Has the sidecar take that place for the newest.
    pub async fn go_on_from(&self, mark: &Mark) -> Result<(), Failure> {
        let body = WireMark { log: mark.log.clone(), position: mark.position, hash: mark.hash.clone() };
        let seen = self.ask_of_engine(self.http.put(self.engine_route()).json(&body)).await?;
        match seen {
            Some(seen) if seen.last() != Some(&body) => Err(nonsense("a yes that names another place")),
            _ => Ok(()),
        }
    }

    fn engine_route(&self) -> String {
        format!("{}/engine", self.base)
    }

    async fn ask_of_engine(&self, request: RequestBuilder) -> Result<Option<Seen>, Failure> {
        let (status, body) = match self.exchange(request).await {
            Exchange::NotSent(why) => return Err(Failure::not_now("not_sent", format!("the sidecar was not reached: {why}"))),
            Exchange::Lost(why) => return Err(Failure::not_now("not_sent", format!("the sidecar did not answer: {why}"))),
            Exchange::Answered { status, body } => (StatusCode::from_u16(status).unwrap_or_default(), body),
        };
        match status {
            StatusCode::OK => match serde_json::from_slice::<Seen>(&body) {
                Ok(seen) if seen.seen.iter().all(|mark| mark.fault().is_none()) => Ok(Some(seen)),
                _ => Err(nonsense("a body that is none")),
            },
            StatusCode::NOT_FOUND if remembers_nothing(&body) => Ok(None),
            StatusCode::UNAUTHORIZED => Err(Failure::refused("unauthorized", "the sidecar does not accept this engine's token")),
            other => Err(nonsense(&format!("status {}", other.as_u16()))),
        }
    }
}

/// A sidecar of before has no such route, and says so itself.
fn remembers_nothing(body: &[u8]) -> bool {
    let reply = serde_json::from_slice(body).ok().and_then(Reply::read);
    reply.is_some_and(|reply| reply.kind == LINK_ERROR && reply.error.as_deref() == Some(ErrorName::NoSuchRoute.as_str()))
}

fn nonsense(what: &str) -> Failure {
    Failure::not_now("nonsense", format!("what the sidecar has seen of the log was answered by {what}"))
}

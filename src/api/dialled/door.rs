//! One door for each token of a link that dials in.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::call::{Answer, Call};
use super::session::Session;
use crate::engine::mint;

/// Every door of this engine. Cheap to clone.
#[derive(Clone, Default)]
pub struct Doors(Arc<Vec<Arc<Door>>>);

/// Where one link dials in.
pub struct Door {
    /// Digest of its token.
    token: Vec<u8>,
    session: Mutex<Option<Arc<Session>>>,
}

impl Doors {
    pub fn new(doors: Vec<Arc<Door>>) -> Self {
        Self(Arc::new(doors))
    }

    /// The door that this token opens. Digests are compared, so that the time taken tells nothing of the token.
    pub fn of(&self, token: &str) -> Option<Arc<Door>> {
        let digest = mint::token_digest(token);
        self.0.iter().find(|door| door.token == AsRef::<[u8]>::as_ref(&digest)).cloned()
    }
}

impl Door {
    pub fn of(token: &str) -> Arc<Self> {
        let digest = mint::token_digest(token);
        Arc::new(Self { token: AsRef::<[u8]>::as_ref(&digest).to_vec(), session: Mutex::default() })
    }

    /// Whether that token opens it.
    pub fn admits(&self, token: &str) -> bool {
        self.token == AsRef::<[u8]>::as_ref(&mint::token_digest(token))
    }

    /// A link comes: it takes the place of the one that was there.
    pub fn enter(&self) -> Arc<Session> {
        let session = Session::begin(mint::id().to_string());
        let before = self.session.lock().unwrap_or_else(PoisonError::into_inner).replace(Arc::clone(&session));
        tracing::info!(takes_over = before.is_some(), "a link has dialled in");
        if let Some(before) = before {
            before.over.cancel();
        }
        session
    }

    /// The session of the link that is there.
    pub fn session(&self) -> Option<Arc<Session>> {
        let session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        session.as_ref().filter(|session| !session.over.is_cancelled()).cloned()
    }

    /// Asks the link and waits for its answer for as long as the asker does.
    pub async fn ask(&self, method: String, path: String, headers: Value, body: Value, stop: &CancellationToken) -> Answer {
        let Some(session) = self.session() else { return Answer::not_sent("the link has not dialled in") };
        let (call, answer) = Call::new(method, path, headers, body);
        let waiting = Waiting(Arc::new(call));
        if session.calls.try_send(Arc::clone(&waiting.0)).is_err() {
            return Answer::not_sent("too much waits for the link already");
        }
        tokio::select! {
            biased;
            Ok(answer) = answer => answer,
            () = session.over.cancelled() => waiting.0.given_up(),
            () = stop.cancelled() => waiting.0.given_up(),
        }
    }
}

/// Whoever hangs up before the link took it is not waited for any more.
struct Waiting(Arc<Call>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.withdraw();
    }
}

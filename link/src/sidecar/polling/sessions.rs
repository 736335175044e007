//! The sessions of games that come by HTTP, by their ids.

use super::session::Session;
use crate::sidecar::chance;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// How often it is looked whether a game has fallen silent.
const LOOK: Duration = Duration::from_millis(200);

/// Every session that is not over.
pub struct Sessions {
    each: Mutex<HashMap<String, Arc<Session>>>,
    /// Without a poll for that long a game is gone.
    silence: Duration,
}

impl Sessions {
    pub fn new(silence: Duration) -> Self {
        Self { each: Mutex::default(), silence }
    }

    fn each(&self) -> MutexGuard<'_, HashMap<String, Arc<Session>>> {
        self.each.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Without a poll for that long a game is gone.
    pub const fn silence(&self) -> Duration {
        self.silence
    }

    /// Takes a session in and gives its id.
    pub fn begin(&self, session: Session) -> String {
        let id = format!("{}{}", chance::nonce(), chance::nonce());
        self.each().insert(id.clone(), Arc::new(session));
        self.end_silent();
        id
    }

    pub fn get(&self, id: &str) -> Option<Arc<Session>> {
        self.each().get(id).cloned()
    }

    /// Lets go of every session that is over.
    fn end_silent(&self) {
        let over: Vec<Arc<Session>> = {
            let mut each = self.each();
            let ids: Vec<String> =
                each.iter().filter(|(_, session)| session.is_over(self.silence)).map(|(id, _)| id.clone()).collect();
            ids.iter().filter_map(|id| each.remove(id)).collect()
        };
        // Outside of the lock: whoever waits for an answer over it is told by its end.
        drop(over);
    }

    /// Looks after them for ever.
    pub async fn watch(&self) {
        loop {
            tokio::time::sleep(LOOK).await;
            self.end_silent();
        }
    }
}

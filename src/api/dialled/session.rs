//! One link's time at its door. Requests are numbered from 1 and given again until the link names them as taken, so that an
//! answer that is lost on the way loses nothing.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::{Mutex as Turn, mpsc};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::call::{Answer, Call};

/// Requests that may wait for the link.
const WAITING: usize = 256;
/// Requests that are out at once, given and not yet taken.
const OUT: usize = 256;
/// Without a poll for that long a link is gone.
pub const SILENCE: Duration = Duration::from_secs(15);

pub struct Session {
    pub id: String,
    pub calls: mpsc::Sender<Arc<Call>>,
    /// Another has taken its place, or it fell silent.
    pub over: CancellationToken,
    turn: Turn<Calls>,
    /// Given, and not yet answered.
    open: Mutex<HashMap<u64, Arc<Call>>>,
    pace: Mutex<Pace>,
}

struct Calls {
    waiting: mpsc::Receiver<Arc<Call>>,
    /// Given, and not yet named as taken.
    out: VecDeque<(u64, Arc<Call>)>,
    numbered: u64,
}

struct Pace {
    /// Ends the wait of the poll that has the turn.
    hurry: CancellationToken,
    polls: u32,
    quiet_since: Instant,
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Session {
    pub fn begin(id: String) -> Arc<Self> {
        let (calls, waiting) = mpsc::channel(WAITING);
        let pace = Pace { hurry: CancellationToken::new(), polls: 0, quiet_since: Instant::now() };
        let session = Arc::new(Self {
            id,
            calls,
            over: CancellationToken::new(),
            turn: Turn::new(Calls { waiting, out: VecDeque::new(), numbered: 0 }),
            open: Mutex::default(),
            pace: Mutex::new(pace),
        });
        tokio::spawn(end_when_silent(Arc::clone(&session)));
        session
    }

    /// What the link is to do behind that number; waits that long where there is nothing. None where the session is over.
    pub async fn poll(&self, after: u64, wait: Duration) -> Option<Vec<Value>> {
        let (hurry, _under_way) = self.arrive();
        let mut calls = self.turn.lock().await;
        calls.out.retain(|(number, _)| *number > after);
        let patience = Instant::now() + wait;
        loop {
            if self.over.is_cancelled() {
                return None;
            }
            let given = self.give(&mut calls);
            if !given.is_empty() {
                return Some(given);
            }
            let call = tokio::select! {
                biased;
                () = self.over.cancelled() => return None,
                call = calls.waiting.recv() => call?,
                () = hurry.cancelled() => return Some(Vec::new()),
                () = tokio::time::sleep_until(patience) => return Some(Vec::new()),
            };
            calls.take(call);
        }
    }

    /// An answer of the link; one that nobody waits for is passed over.
    pub fn answered(&self, number: u64, answer: Answer) {
        if let Some(call) = held(&self.open).remove(&number) {
            call.settle(answer);
        }
    }

    /// How many requests are given and not answered.
    #[cfg(test)]
    pub fn unanswered(&self) -> usize {
        held(&self.open).len()
    }

    fn arrive(&self) -> (CancellationToken, UnderWay<'_>) {
        let mut pace = held(&self.pace);
        pace.polls += 1;
        let hurry = CancellationToken::new();
        std::mem::replace(&mut pace.hurry, hurry.clone()).cancel();
        (hurry, UnderWay(self))
    }

    fn give(&self, calls: &mut Calls) -> Vec<Value> {
        while calls.out.len() < OUT {
            let Ok(call) = calls.waiting.try_recv() else { break };
            calls.take(call);
        }
        let (mut open, mut given) = (held(&self.open), Vec::new());
        // What the link never answers is not kept for longer than somebody waits for it.
        if open.len() >= OUT {
            open.retain(|_, call| call.is_awaited());
        }
        calls.out.retain(|(number, call)| {
            let told = call.given(*number);
            let stays = told.is_some();
            if let Some(told) = told {
                open.insert(*number, Arc::clone(call));
                given.push(told);
            }
            stays
        });
        given
    }

    fn is_silent(&self) -> bool {
        let pace = held(&self.pace);
        pace.polls == 0 && pace.quiet_since.elapsed() > SILENCE
    }
}

impl Calls {
    fn take(&mut self, call: Arc<Call>) {
        self.numbered += 1;
        self.out.push_back((self.numbered, call));
    }
}

/// A poll that is under way; it ends however its request does.
struct UnderWay<'a>(&'a Session);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        let mut pace = held(&self.0.pace);
        pace.polls -= 1;
        pace.quiet_since = Instant::now();
    }
}

async fn end_when_silent(session: Arc<Session>) {
    while !session.is_silent() {
        tokio::select! {
            () = session.over.cancelled() => return,
            () = tokio::time::sleep(Duration::from_millis(500)) => (),
        }
    }
    tracing::warn!("a link that dials in has fallen silent");
    session.over.cancel();
}

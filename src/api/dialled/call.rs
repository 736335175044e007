//! One request to a link that dials in, and the one question that matters about it: was it given?

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use axum::http::StatusCode;
use serde_json::{Value, json};
use tokio::sync::oneshot;

const WAITING: u8 = 0;
const GIVEN: u8 = 1;
const WITHDRAWN: u8 = 2;

/// What the link answered, or what is answered in its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    pub status: StatusCode,
    pub body: Value,
}

/// A request that waits for its turn or for its answer. It is given or withdrawn, once, by one compare-and-set, so that
/// "nothing was sent" is never said of one that was.
#[derive(Debug)]
pub struct Call {
    method: String,
    path: String,
    headers: Value,
    body: Value,
    since: Instant,
    stage: AtomicU8,
    answer: Mutex<Option<oneshot::Sender<Answer>>>,
}

impl Answer {
    /// Nothing reached the link.
    pub fn not_sent(why: &str) -> Self {
        Self::own(StatusCode::SERVICE_UNAVAILABLE, "not_sent", &format!("{why}; nothing was sent"))
    }

    /// It was given to the link, and no answer came.
    pub fn no_answer() -> Self {
        let reason = "the link took it and its connection ended: whether it applied is unknown; repeat it under the same key";
        Self::own(StatusCode::GATEWAY_TIMEOUT, "no_answer", reason)
    }

    /// In the words of a link.
    pub fn own(status: StatusCode, error: &str, reason: &str) -> Self {
        Self { status, body: json!({"kind": "link.error", "error": error, "reason": reason}) }
    }
}

impl Call {
    /// A request and who waits for its answer. `body` is null where there is none.
    pub fn new(method: String, path: String, headers: Value, body: Value) -> (Self, oneshot::Receiver<Answer>) {
        let (sender, answer) = oneshot::channel();
        let (stage, sender) = (AtomicU8::new(WAITING), Mutex::new(Some(sender)));
        (Self { method, path, headers, body, since: Instant::now(), stage, answer: sender }, answer)
    }

    /// As it is given under that number; none where it was withdrawn before.
    pub fn given(&self, number: u64) -> Option<Value> {
        let given = self.stage.compare_exchange(WAITING, GIVEN, Ordering::AcqRel, Ordering::Acquire);
        let held = u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX);
        let told = || json!({"n": number, "method": self.method, "path": self.path, "headers": self.headers, "body": self.body, "heldMs": held});
        (given != Err(WITHDRAWN)).then(told)
    }

    /// Withdraws it; true where it will now never be given.
    pub fn withdraw(&self) -> bool {
        self.stage.compare_exchange(WAITING, WITHDRAWN, Ordering::AcqRel, Ordering::Acquire) != Err(GIVEN)
    }

    /// What is to be said of it where no answer will come.
    pub fn given_up(&self) -> Answer {
        if self.withdraw() { Answer::not_sent("the link's connection ended") } else { Answer::no_answer() }
    }

    /// Whether somebody still waits for its answer.
    pub fn is_awaited(&self) -> bool {
        let waiting = self.answer.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.as_ref().is_some_and(|waiting| !waiting.is_closed())
    }

    pub fn settle(&self, answer: Answer) {
        let waiting = self.answer.lock().unwrap_or_else(PoisonError::into_inner).take();
        // Who does not wait any more has asked again, or will.
        drop(waiting.map(|waiting| waiting.send(answer)));
    }
}

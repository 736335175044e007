//! The trace that a call to a module belongs to, for modules that pass it on to their games.

use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use crate::Answering;

thread_local! {
    static CURRENT: RefCell<Option<Arc<str>>> = const { RefCell::new(None) };
}

/// The `traceparent` (W3C Trace Context) of the call that is being answered, fit to be a header as it is; none where nobody
/// traces. Known while the answer is made, and not in tasks that it starts.
pub fn traceparent() -> Option<Arc<str>> {
    CURRENT.with_borrow(Clone::clone)
}

/// An answer in the making, as part of a trace.
pub struct Traced<'a, T> {
    parent: Option<Arc<str>>,
    answering: Answering<'a, T>,
}

impl<'a, T> Traced<'a, T> {
    pub fn new(parent: Option<Arc<str>>, answering: Answering<'a, T>) -> Self {
        Self { parent, answering }
    }
}

impl<T> Future for Traced<'_, T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        let _within = Within(CURRENT.replace(self.parent.clone()));
        self.answering.as_mut().poll(context)
    }
}

/// Puts back what was current before, however the poll ends.
struct Within(Option<Arc<str>>);

impl Drop for Within {
    fn drop(&mut self) {
        CURRENT.set(self.0.take());
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use super::*;

    #[test]
    fn a_trace_is_known_while_its_answer_is_made_and_nowhere_else() {
        let now = || traceparent().as_deref().map(str::to_owned);
        let inner = Traced::new(Some("inner".into()), Box::pin(async move { now() }));
        let answer: Answering<'_, _> = Box::pin(async move { (now(), inner.await, now()) });
        let mut outer = Box::pin(Traced::new(Some("outer".into()), answer));
        let Poll::Ready(seen) = outer.as_mut().poll(&mut Context::from_waker(Waker::noop())) else { panic!("it is ready") };
        assert_eq!(seen, (Some("outer".into()), Some("inner".into()), Some("outer".into())));
        assert_eq!(now(), None);
    }
}

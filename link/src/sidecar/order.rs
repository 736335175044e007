//! One command on its way to the game, and the one question that matters about it: was it sent?

use leasehold_link::wire::Kind;
use serde_json::{Map, Value};
use std::{
    sync::atomic::{AtomicU8, Ordering},
    time::Instant,
};

const QUEUED: u8 = 0;
const SENT: u8 = 1;
const WITHDRAWN: u8 = 2;

/// A command that waits for its turn or for its answer.
///
/// It is *queued*, then either *sent* (by the writer, just before the first byte leaves) or *withdrawn* (by whoever stopped
/// waiting). Each is decided once, by one compare-and-set, so that "nothing was sent" is never said of a command that was.
#[derive(Debug)]
pub struct Order {
    pub req_id: String,
    kind: Kind,
    body: Map<String, Value>,
    accepted: Instant,
    stage: AtomicU8,
}

/// The order was no longer good when its turn came.
#[derive(Debug, PartialEq, Eq)]
pub struct TtlExpired {
    pub ttl_ms: u64,
    pub held_ms: u64,
}

impl Order {
    /// An order accepted at that instant. The body's own `kind` and `reqId`, if any, do not count.
    pub fn new(req_id: String, kind: Kind, body: Map<String, Value>, accepted: Instant) -> Self {
        Self { req_id, kind, body, accepted, stage: AtomicU8::new(QUEUED) }
    }

    /// The line as sent at that instant, without its line feed: the body verbatim, its kind and correlation set, `ttlMs` less what
    /// the sidecar held it. An error where nothing is left of `ttlMs`.
    pub fn line(&self, now: Instant) -> Result<String, TtlExpired> {
        let mut object = self.body.clone();
        object.insert("kind".to_owned(), self.kind.as_str().into());
        object.insert("reqId".to_owned(), self.req_id.clone().into());
        if let Some(ttl_ms) = object.get("ttlMs").and_then(Value::as_u64) {
            let held_ms = u64::try_from(now.saturating_duration_since(self.accepted).as_millis()).unwrap_or(u64::MAX);
            match ttl_ms.checked_sub(held_ms).filter(|left| *left > 0) {
                Some(left) => object.insert("ttlMs".to_owned(), left.into()),
                None => return Err(TtlExpired { ttl_ms, held_ms }),
            };
        }
        Ok(Value::Object(object).to_string())
    }

    /// Marks it sent; false where it was withdrawn before and must not be sent.
    pub fn mark_sent(&self) -> bool {
        self.stage.compare_exchange(QUEUED, SENT, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// Whether it was sent, as far as anybody knows.
    pub fn is_sent(&self) -> bool {
        self.stage.load(Ordering::Acquire) == SENT
    }

    /// Withdraws it; true where it will now never be sent, false where it was sent before.
    pub fn withdraw(&self) -> bool {
        self.stage.compare_exchange(QUEUED, WITHDRAWN, Ordering::AcqRel, Ordering::Acquire) != Err(SENT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::time::Duration;

    fn order(body: &Value, accepted: Instant) -> Order {
        Order::new("r-1".into(), Kind::WorldSpawn, body.as_object().unwrap().clone(), accepted)
    }

    #[test]
    fn the_body_passes_verbatim_and_the_route_gives_the_kind() {
        let start = Instant::now();
        let body = json!({"kind": "run.close", "reqId": "mine", "fence": u64::MAX, "odd": {"a": [1, 2.5, null]}, "ttlMs": 900});
        let line = order(&body, start).line(start + Duration::from_millis(250)).unwrap();
        let sent: Value = serde_json::from_str(&line).unwrap();
        let wanted =
            json!({"kind": "world.spawn", "reqId": "r-1", "fence": u64::MAX, "odd": {"a": [1, 2.5, null]}, "ttlMs": 650});
        assert_eq!(sent, wanted);
    }

    #[test]
    fn an_order_held_for_its_whole_time_is_never_sent() {
        let start = Instant::now();
        let order = order(&json!({"ttlMs": 100}), start);
        assert!(order.line(start + Duration::from_millis(99)).is_ok());
        let expired = order.line(start + Duration::from_millis(100));
        assert_eq!(expired, Err(TtlExpired { ttl_ms: 100, held_ms: 100 }));
    }

    #[test]
    fn a_ttl_of_the_wrong_shape_is_left_for_the_game_to_refuse() {
        let start = Instant::now();
        let line = order(&json!({"ttlMs": "soon"}), start).line(start + Duration::from_secs(9)).unwrap();
        assert!(line.contains(r#""ttlMs":"soon""#));
    }

    #[test]
    fn sent_and_withdrawn_exclude_each_other() {
        let start = Instant::now();
        let sent = order(&json!({}), start);
        assert!(sent.mark_sent() && !sent.withdraw());
        let withdrawn = order(&json!({}), start);
        assert!(withdrawn.withdraw() && withdrawn.withdraw() && !withdrawn.mark_sent());
    }
}

//! The exchange: which game is on the line, which commands wait, and what becomes of each.

use super::{
    chance,
    order::{Order, TtlExpired},
};
use leasehold_link::wire::{Correlation, Disposition, ErrorName, Hello, Kind, Refusal, Reply, limits};
use serde_json::{Map, Value};
use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

/// How many commands may queue for the game before further ones wait outside.
const QUEUE: usize = 256;

/// What became of one command.
#[derive(Debug)]
pub enum Fate {
    /// The game answered.
    Answered(Reply),
    /// The sidecar answers for itself.
    Own(Disposition, Refusal),
}

/// Numbers the commands of this process, so that no two of them, to whatever game, correlate alike.
pub struct Numbering {
    nonce: String,
    counter: AtomicU64,
}

impl Numbering {
    pub const fn new(nonce: String) -> Self {
        Self { nonce, counter: AtomicU64::new(0) }
    }

    fn next(&self) -> String {
        format!("r-{}-{}", self.nonce, self.counter.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

/// One game's line. Shared between the game's connection and the HTTP handlers. Locked for moments only, never across an await.
pub struct Exchange {
    numbering: Arc<Numbering>,
    reply_timeout: Duration,
    line: Mutex<GameLine>,
}

#[derive(Default)]
struct GameLine {
    session: Option<Session>,
    /// Boot id and digest of the manifest of the game that was on the line last.
    last: Option<(String, Option<String>)>,
    refused_protocol: Option<u64>,
    sessions_so_far: u64,
}

struct Session {
    number: u64,
    hello: Arc<Hello>,
    manifest_digest: Option<String>,
    since_ms: i64,
    queue: mpsc::Sender<Arc<Order>>,
    waiting: HashMap<String, oneshot::Sender<Fate>>,
    replaced: CancellationToken,
}

/// What the connection of an accepted game works with.
pub struct Installed {
    pub number: u64,
    pub orders: mpsc::Receiver<Arc<Order>>,
    /// Fires when a newer connection has taken its place.
    pub replaced: CancellationToken,
}

/// What `/health` tells.
pub struct Health {
    pub game: Option<OnLine>,
    pub refused_protocol: Option<u64>,
}

/// The game on the line.
pub struct OnLine {
    pub hello: Arc<Hello>,
    pub manifest_digest: Option<String>,
    /// When it was welcomed, in milliseconds since 1970.
    pub since_ms: i64,
}

impl Exchange {
    pub fn new(numbering: Arc<Numbering>, reply_timeout: Duration) -> Self {
        Self { numbering, reply_timeout, line: Mutex::default() }
    }

    pub const fn reply_timeout(&self) -> Duration {
        self.reply_timeout
    }

    fn line(&self) -> MutexGuard<'_, GameLine> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn health(&self) -> Health {
        let line = self.line();
        let game = line.session.as_ref().map(|session| OnLine {
            hello: Arc::clone(&session.hello),
            manifest_digest: session.manifest_digest.clone(),
            since_ms: session.since_ms,
        });
        Health { game, refused_protocol: line.refused_protocol }
    }

    /// Whether its boot or its manifest is another than that of the game that was on the line last.
    pub fn is_news(&self, hello: &Hello) -> bool {
        let told = (hello.boot_id.clone(), hello.manifest_digest());
        self.line().last.as_ref() != Some(&told)
    }

    /// A game was accepted: it takes the line, also from an older connection.
    pub fn install(&self, hello: Hello) -> Installed {
        let manifest_digest = hello.manifest_digest();
        let (queue, orders) = mpsc::channel(QUEUE);
        let replaced = CancellationToken::new();
        let mut line = self.line();
        line.refused_protocol = None;
        line.sessions_so_far += 1;
        line.last = Some((hello.boot_id.clone(), manifest_digest.clone()));
        let number = line.sessions_so_far;
        let session = Session {
            number,
            hello: Arc::new(hello),
            manifest_digest,
            since_ms: chance::wall_ms(),
            queue,
            waiting: HashMap::new(),
            replaced: replaced.clone(),
        };
        if let Some(older) = line.session.replace(session) {
            older.replaced.cancel();
        }
        Installed { number, orders, replaced }
    }

    /// A game of another protocol was refused.
    pub fn refuse_protocol(&self, protocol: u64) {
        self.line().refused_protocol = Some(protocol);
    }

    /// The connection of that number ended. Whoever waits for an answer over it learns so.
    pub fn remove(&self, number: u64) {
        let mut line = self.line();
        if line.session.as_ref().is_some_and(|session| session.number == number) {
            line.session = None;
        }
    }

    /// Settles the command of that correlation id; false where nobody waits for it any more.
    pub fn settle(&self, req_id: &str, fate: Fate) -> bool {
        let waiting = self.line().session.as_mut().and_then(|session| session.waiting.remove(req_id));
        waiting.is_some_and(|sender| sender.send(fate).is_ok())
    }

    /// The order's line, if it is still to be sent; it then counts as sent.
    pub fn line_of(&self, order: &Order) -> Option<String> {
        match order.line(Instant::now()) {
            Ok(line) if order.mark_sent() => Some(line),
            Err(expired) if order.withdraw() => {
                self.settle(&order.req_id, ttl_expired(&expired));
                None
            }
            _ => None,
        }
    }

    /// Takes one frame of the game: an answer goes to who waits for it, a report is given back to be kept, anything else is
    /// logged and costs itself only.
    pub fn hear(&self, object: Map<String, Value>) -> Option<Map<String, Value>> {
        let correlation = Correlation::of(&object).filter(|correlation| correlation.field == "reqId");
        let Some(correlation) = correlation else {
            tracing::debug!(kind = ?object.get("kind"), "the game reports something");
            return Some(object)
                .filter(|object| object.get("kind").is_some_and(Value::is_string) && Correlation::of(object).is_none());
        };
        match Reply::read(Value::Object(object)) {
            None => tracing::warn!(req_id = correlation.value, "an answer without a kind was thrown away"),
            Some(reply) => {
                if !self.settle(&correlation.value, Fate::Answered(reply)) {
                    tracing::warn!(req_id = correlation.value, "an answer came that nobody waits for");
                }
            }
        }
        None
    }

    /// Carries one command to the game and waits for its answer, at most the reply time-out from its acceptance.
    pub async fn carry(&self, kind: Kind, body: Map<String, Value>, accepted: Instant) -> Fate {
        let order = Arc::new(Order::new(self.numbering.next(), kind, body, accepted));
        match order.line(Instant::now()) {
            Err(expired) => return ttl_expired(&expired),
            Ok(line) if line.len() > limits::LINE_MAX_BYTES => return too_large(line.len()),
            Ok(_) => (),
        }
        let (queue, answer) = match self.enrol(&order) {
            Ok(enrolled) => enrolled,
            Err(fate) => return fate,
        };
        let place = Place { exchange: self, order: &order };
        let handed = async {
            queue.send(Arc::clone(&order)).await.ok()?;
            answer.await.ok()
        };
        let deadline = accepted + self.reply_timeout;
        match tokio::time::timeout_at(deadline.into(), handed).await {
            Ok(Some(fate)) => fate,
            Ok(None) => place.withdraw("the connection to the game ended"),
            Err(_) => place.withdraw(&format!("the game did not answer within {} ms", self.reply_timeout.as_millis())),
        }
    }

    fn enrol(&self, order: &Order) -> Result<(mpsc::Sender<Arc<Order>>, oneshot::Receiver<Fate>), Fate> {
        let mut line = self.line();
        let refused = line.refused_protocol;
        let Some(session) = line.session.as_mut() else {
            return Err(refused.map_or_else(|| not_sent("no game is connected"), protocol_gate));
        };
        let (sender, answer) = oneshot::channel();
        session.waiting.insert(order.req_id.clone(), sender);
        Ok((session.queue.clone(), answer))
    }
}

/// A command's place among those that wait. Given up on drop, also when the engine hangs up.
struct Place<'a> {
    exchange: &'a Exchange,
    order: &'a Order,
}

impl Place<'_> {
    fn withdraw(&self, why: &str) -> Fate {
        if self.order.withdraw() { not_sent(why) } else { no_answer(why) }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.order.withdraw();
        if let Some(session) = self.exchange.line().session.as_mut() {
            session.waiting.remove(&self.order.req_id);
        }
    }
}

/// The answer for an order whose time ran out in the sidecar.
fn ttl_expired(expired: &TtlExpired) -> Fate {
    let TtlExpired { ttl_ms, held_ms } = expired;
    let reason = format!("the order was good for {ttl_ms} ms and waited {held_ms} ms here; nothing was sent");
    Fate::Own(Disposition::TtlExpired, Refusal::new(ErrorName::TtlExpired, reason))
}

fn too_large(length: usize) -> Fate {
    let reason = format!("the command is {length} bytes as a line, the limit is {}; nothing was sent", limits::LINE_MAX_BYTES);
    Fate::Own(Disposition::TooLarge, Refusal::new(ErrorName::TooLarge, reason))
}

/// The answer for a command that no game can be given.
pub fn not_sent(why: &str) -> Fate {
    Fate::Own(Disposition::NotSent, Refusal::new(ErrorName::NotSent, format!("{why}; nothing was sent")))
}

fn no_answer(why: &str) -> Fate {
    let reason = format!("the command was sent and {why}: whether it applied is unknown; repeat it under the same key");
    Fate::Own(Disposition::NoAnswer, Refusal::new(ErrorName::NoAnswer, reason))
}

/// The answer while a game of another protocol is all there is.
pub fn protocol_gate(refused: u64) -> Fate {
    let reason = format!("the game speaks protocol {refused}, this sidecar speaks {}; nothing was sent", limits::PROTOCOL);
    Fate::Own(Disposition::ProtocolGate, Refusal::new(ErrorName::ProtocolMismatch, reason))
}

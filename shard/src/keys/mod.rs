//! The memory of idempotency keys: pure, without I/O or a clock of its own.
//!
//! **A command that carries a key is executed at most once; a repeat is answered with the original reply.**
//!
//! 1. A key is reserved before its handler runs. A repeat of one in flight is *busy*.
//! 2. A key that has begun is never released, not even when its handler fails, but for a refusal: a handler that refused did nothing.
//! 3. A replay carries the repeat's correlation and `replayed: true`; all else is the original, its `t` too.
//! 4. The bound is loud: keys live an hour and there are at most 4096; dropping one that is still alive is counted and said.

mod counters;
mod digest;

pub use counters::Counters;
pub use digest::digest;

use leasehold_link::wire::{Correlation, ErrorName, Refusal};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashMap};

/// What a repeat must agree in with the first attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    pub kind: String,
    /// Of the body, see [`digest()`].
    pub digest: String,
    /// The correlation field.
    pub field: &'static str,
}

/// Where a key stands.
#[derive(Clone, Debug, PartialEq)]
pub enum Standing {
    /// Its handler has begun and not answered.
    InFlight,
    /// Its answer.
    Answered(Map<String, Value>),
    /// It had begun when the process before this one ended.
    Interrupted,
}

/// One remembered key.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub identity: Identity,
    /// When it began, by the game's clock.
    pub begun_ms: i64,
    pub standing: Standing,
}

/// What to do with a keyed command.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Never seen, or forgotten: run it.
    Fresh,
    /// In flight.
    Busy,
    /// Answer this; the correlation is already the repeat's.
    Replay(Map<String, Value>),
    /// Begun before a restart: say so, run nothing.
    Interrupted,
    /// The repeat is not a repeat; the key is kept.
    Refused(Refusal),
}

/// Keys in the order in which they began.
#[derive(Debug)]
pub struct KeyStore {
    ttl_ms: i64,
    cap: usize,
    entries: HashMap<String, (u64, Entry)>,
    order: BTreeMap<u64, String>,
    next: u64,
    pub counters: Counters,
}

impl KeyStore {
    /// An empty store that remembers keys for `ttl_sec` seconds, at most `cap` of them.
    pub fn new(ttl_sec: u64, cap: usize) -> Self {
        let ttl_ms = i64::try_from(ttl_sec.saturating_mul(1000)).unwrap_or(i64::MAX);
        Self { ttl_ms, cap, entries: HashMap::new(), order: BTreeMap::new(), next: 0, counters: Counters::default() }
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// What to do with a command under that key. Reserves nothing: see [`Self::begin`].
    pub fn ask(&mut self, now_ms: i64, key: &str, identity: &Identity, correlation: &Correlation) -> Verdict {
        self.expire(now_ms);
        self.counters.seen += 1;
        let Some((_, entry)) = self.entries.get(key) else { return Verdict::Fresh };
        if let Some(refusal) = entry.identity.disagreement(identity) {
            self.counters.refused += 1;
            return Verdict::Refused(refusal);
        }
        match &entry.standing {
            Standing::InFlight => {
                self.counters.busy += 1;
                Verdict::Busy
            }
            Standing::Interrupted => {
                self.counters.interrupted += 1;
                Verdict::Interrupted
            }
            Standing::Answered(original) => {
                self.counters.replayed += 1;
                let mut replay = original.clone();
                correlation.stamp(&mut replay);
                replay.insert("replayed".to_owned(), true.into());
                Verdict::Replay(replay)
            }
        }
    }

    /// Reserves a fresh key. Gives the live key that had to be forgotten for it, if any. Refused where every key is in flight.
    pub fn begin(&mut self, now_ms: i64, key: &str, identity: Identity) -> Result<Option<String>, Refusal> {
        let evicted = if self.entries.len() >= self.cap { Some(self.evict()?) } else { None };
        self.insert(key.to_owned(), Entry { identity, begun_ms: now_ms, standing: Standing::InFlight });
        Ok(evicted)
    }

    /// Keeps the answer of a key in flight.
    pub fn settle(&mut self, key: &str, reply: Map<String, Value>) {
        if let Some((_, entry)) = self.entries.get_mut(key) {
            entry.standing = Standing::Answered(reply);
        }
    }

    /// Forgets a key whose handler refused: nothing happened, so the caller may ask again.
    pub fn release(&mut self, key: &str) {
        self.remove(key);
        self.counters.released += 1;
    }

    /// Takes in what an earlier process remembered, oldest first. One without an answer was interrupted. Beyond the cap the oldest go:
    /// the earlier process had dropped them too.
    pub fn restore(&mut self, key: String, mut entry: Entry) {
        if entry.standing == Standing::InFlight {
            entry.standing = Standing::Interrupted;
        }
        self.remove(&key);
        if self.entries.len() >= self.cap
            && let Some((_, oldest)) = self.order.pop_first()
        {
            self.entries.remove(&oldest);
        }
        self.insert(key, entry);
    }

    /// Every remembered key, oldest first.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &Entry)> {
        self.order.values().filter_map(|key| Some((key.as_str(), &self.entries.get(key)?.1)))
    }

    /// Forgets what is older than the time to live. A key in flight does not age.
    fn expire(&mut self, now_ms: i64) {
        let born_before = now_ms.saturating_sub(self.ttl_ms);
        let dead = self.entries().take_while(|(_, entry)| entry.begun_ms <= born_before);
        let dead: Vec<String> =
            dead.filter(|(_, entry)| entry.standing != Standing::InFlight).map(|(key, _)| key.to_owned()).collect();
        for key in dead {
            self.remove(&key);
        }
    }

    fn evict(&mut self) -> Result<String, Refusal> {
        let oldest = self.entries().find(|(_, entry)| entry.standing != Standing::InFlight).map(|(key, _)| key.to_owned());
        let Some(key) = oldest else {
            self.counters.refused += 1;
            let reason = format!("all {} remembered keys are in flight; ask again when one is done", self.cap);
            return Err(Refusal::new(ErrorName::KeyStoreFull, reason));
        };
        self.remove(&key);
        self.counters.evicted += 1;
        Ok(key)
    }

    fn insert(&mut self, key: String, entry: Entry) {
        self.order.insert(self.next, key.clone());
        self.entries.insert(key, (self.next, entry));
        self.next += 1;
    }

    fn remove(&mut self, key: &str) {
        if let Some((place, _)) = self.entries.remove(key) {
            self.order.remove(&place);
        }
    }
}

impl Identity {
    fn disagreement(&self, repeat: &Self) -> Option<Refusal> {
        if self.kind != repeat.kind || self.digest != repeat.digest {
            let reason = format!("the key belongs to another {} than this {}; it is kept", self.kind, repeat.kind);
            return Some(Refusal::new(ErrorName::KeyReused, reason));
        }
        (self.field != repeat.field).then(|| {
            let reason = format!("the first attempt correlated on {}, this repeat on {}", self.field, repeat.field);
            Refusal::new(ErrorName::CorrelationChanged, reason)
        })
    }
}

#[cfg(test)]
mod model;
#[cfg(test)]
mod tests;

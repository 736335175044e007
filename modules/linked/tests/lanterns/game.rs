//! The game's half of the wire: keys, fences, holds, and what hangs.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::acts::options;
use super::values::at_boot;

/// What goes wrong with the next command of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It is done and written down, and the answer is not sent.
    LoseAnswer,
    /// The game dies before the effect, with the key written down.
    DieBefore,
    /// The game dies after the effect, before the answer is written down.
    DieAfter,
    /// The handler fails half-way, after its effect.
    Fail,
    /// It is refused.
    Refuse,
    /// It is being worked on until the faults are mended, and then done.
    Defer,
    /// The answer is a yes that says nothing of what it must say.
    Nonsense,
}

#[derive(Debug, Clone)]
struct Key {
    kind: String,
    answer: Option<Value>,
    deferred: Option<Value>,
}

#[derive(Debug, Clone)]
pub struct Hold {
    pub(super) run: String,
    pub(super) baseline: String,
    pub(super) applied: String,
    pub(super) lasts_ms: u64,
}

#[derive(Debug)]
pub struct Game {
    scope: String,
    pub manifest: Option<Value>,
    pub boot_id: String,
    boots: u32,
    /// Another number is another connection; what hung on the old one is over.
    pub line: u64,
    pub hidden: bool,
    /// Reference of each lantern: its run, and the key that hung it.
    pub(super) hung: BTreeMap<String, (String, String)>,
    pub(super) numbers: u64,
    pub(super) values: BTreeMap<String, String>,
    /// A value that reads back and does nothing.
    pub inert: Option<String>,
    pub(super) holds: BTreeMap<String, Hold>,
    keys: BTreeMap<String, Key>,
    fences: BTreeMap<String, u64>,
    closed: BTreeMap<String, u64>,
    pub faults: BTreeMap<String, Fault>,
    /// What is answered next to a kind, whatever is asked.
    pub prepared: BTreeMap<String, Value>,
    pub applied: Vec<String>,
    pub reports: Vec<Value>,
    pub reported: u64,
    pub(super) said: Vec<String>,
}

impl Game {
    pub fn new(scope: &str, manifest: Option<Value>) -> Self {
        Self {
            scope: scope.to_owned(),
            manifest,
            boot_id: format!("{scope}-0"),
            boots: 0,
            line: 0,
            hidden: false,
            hung: BTreeMap::new(),
            numbers: 0,
            values: at_boot(),
            inert: None,
            holds: BTreeMap::new(),
            keys: BTreeMap::new(),
            fences: BTreeMap::new(),
            closed: BTreeMap::new(),
            faults: BTreeMap::new(),
            prepared: BTreeMap::new(),
            applied: Vec::new(),
            reports: Vec::new(),
            reported: 0,
            said: Vec::new(),
        }
    }

    pub fn hello(&self) -> (Value, u64) {
        let mut hello = json!({"kind": "server.hello", "t": 1_788_550_000_000_i64, "protocol": 7, "bootId": self.boot_id,
            "keyMemorySec": 3600, "keyCap": 4096, "game": "lanterns", "scope": self.scope});
        if let Some(manifest) = &self.manifest {
            hello["manifest"] = manifest.clone();
        }
        (hello, self.line)
    }

    pub fn world(&self) -> Value {
        let hung: BTreeMap<_, _> = self.hung.iter().map(|(reference, (run, _))| (reference, run)).collect();
        let values: BTreeMap<_, _> = self.values.keys().map(|key| (key, self.in_use(key))).collect();
        let holds: BTreeMap<_, _> = self.holds.iter().map(|(key, hold)| (key, &hold.run)).collect();
        json!({"hung": hung, "values": values, "holds": holds})
    }

    pub fn in_use(&self, lease: &str) -> String {
        if self.inert.as_deref() == Some(lease) { at_boot()[lease].clone() } else { self.values[lease].clone() }
    }

    pub fn set(&mut self, lease: &str, value: &str) {
        self.values.insert(lease.to_owned(), value.to_owned());
    }

    pub fn wipe(&mut self) {
        self.hung.clear();
    }

    /// No fault is on, and what was deferred is done.
    pub fn mend(&mut self) {
        self.faults.clear();
        let deferred: Vec<(String, Value)> =
            self.keys.iter_mut().filter_map(|(key, known)| Some((key.clone(), known.deferred.take()?))).collect();
        for (key, command) in deferred {
            let answer = self.run(&command);
            self.settle(&key, &answer);
        }
    }

    pub fn restart(&mut self) {
        self.boots += 1;
        self.line += 1;
        self.boot_id = format!("{}-{}", self.scope, self.boots);
        self.values = at_boot();
        self.holds.clear();
        self.faults.clear();
    }

    /// One command; the answer, unless it is to be none.
    pub fn take(&mut self, command: &Value) -> Option<Value> {
        let kind = command["kind"].as_str()?.to_owned();
        let correlation = command.get("reqId")?.clone();
        let mut answer = match command["idempotencyKey"].as_str() {
            _ if self.prepared.contains_key(&kind) => self.prepared.remove(&kind)?,
            Some(key) => self.keyed(&kind, key, command)?,
            None => self.run(command),
        };
        answer["reqId"] = correlation;
        answer["t"] = json!(1_788_550_000_000_i64);
        Some(answer)
    }

    fn keyed(&mut self, kind: &str, key: &str, command: &Value) -> Option<Value> {
        if let Some(known) = self.keys.get(key) {
            return Some(match (&known.answer, &known.deferred) {
                _ if known.kind != kind => refusal("bridge", "key_reused", "the key belongs to another command"),
                (Some(answer), _) => {
                    let mut again = answer.clone();
                    again["replayed"] = json!(true);
                    again
                }
                (None, Some(_)) => json!({"kind": "bridge.busy", "busyKind": kind, "error": "busy", "reason": "at work"}),
                (None, None) => json!({"kind": "bridge.interrupted", "error": "interrupted", "reason": "the game had died"}),
            });
        }
        if let Err(refused) = self.admit(kind, command) {
            return Some(refused);
        }
        let fault = self.faults.remove(kind);
        if fault == Some(Fault::Refuse) {
            return Some(refusal(kind, "not_today", "the keeper is away"));
        }
        self.keys.insert(key.to_owned(), Key { kind: kind.to_owned(), answer: None, deferred: None });
        match fault {
            Some(Fault::DieBefore) => {
                self.restart();
                return None;
            }
            Some(Fault::Defer) => {
                self.keys.get_mut(key)?.deferred = Some(command.clone());
                return None;
            }
            _ => {}
        }
        let mut answer = self.run(command);
        match fault {
            Some(Fault::DieAfter) => {
                self.restart();
                return None;
            }
            Some(Fault::Fail) => answer = refusal("bridge", "handler_failed", "it fell"),
            Some(Fault::Nonsense) => {
                self.settle(key, &answer);
                return Some(json!({"kind": answer["kind"], "resources": "some", "removed": 5, "baseline": null}));
            }
            _ => {}
        }
        self.settle(key, &answer);
        (fault != Some(Fault::LoseAnswer)).then_some(answer)
    }

    /// A refusal releases its key; everything else keeps it.
    fn settle(&mut self, key: &str, answer: &Value) {
        let kind = answer["kind"].as_str().unwrap_or_default();
        if kind.strip_suffix(".error").is_some_and(|of| of != "bridge") {
            self.keys.remove(key);
        } else if let Some(known) = self.keys.get_mut(key) {
            known.answer = Some(answer.clone());
        }
    }

    /// The claim of the run; undos pass.
    fn admit(&mut self, kind: &str, command: &Value) -> Result<(), Value> {
        if ["act.revert", "lease.release"].contains(&kind) {
            return Ok(());
        }
        let (run, fence) = (text(command, "runId"), command["fence"].as_u64().unwrap_or_default());
        if self.closed.get(&run).is_some_and(|closed| fence <= *closed) {
            return Err(refusal(kind, "run_closed", "the run is over"));
        }
        let seen = self.fences.entry(run).or_default();
        if fence < *seen {
            return Err(refusal(kind, "stale_fence", "somebody newer has the run"));
        }
        *seen = fence;
        Ok(())
    }

    fn run(&mut self, command: &Value) -> Value {
        match command["kind"].as_str().unwrap_or_default() {
            "act.perform" => self.perform(command),
            "act.verify" => self.verify(command),
            "act.revert" => self.revert(command),
            "act.reconcile" => self.reconcile(command),
            "options.list" => options(command),
            "lease.list" => self.leases(),
            "lease.apply" => self.apply(command),
            "lease.release" => self.release(command),
            "run.close" => self.close(command),
            _ => refusal("bridge", "unknown_kind", "no such command"),
        }
    }

    fn close(&mut self, command: &Value) -> Value {
        let (run, fence) = (text(command, "runId"), command["fence"].as_u64().unwrap_or_default());
        let closed = self.closed.entry(run.clone()).or_default();
        *closed = fence.max(*closed);
        json!({"kind": "run.ok", "runId": run, "fence": *closed})
    }
}

pub(super) fn refusal(kind: &str, error: &str, reason: &str) -> Value {
    json!({"kind": format!("{kind}.error"), "error": error, "reason": reason})
}

pub(super) fn text(object: &Value, field: &str) -> String {
    object.get(field).and_then(Value::as_str).unwrap_or_default().to_owned()
}

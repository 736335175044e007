//! What the module makes of a sidecar that misbehaves: a listener that reads one request and answers with given bytes.

#[cfg(test)]
mod canned;
#[cfg(test)]
#[path = "../common/mod.rs"]
mod common;
mod dry_run;
mod lease;
mod look;
mod removal;
mod seen;
mod spawn;
mod transport;

use canned::{Canned, json_answer};
use leasehold_module::Link;
use leasehold_uo::{Uo, UoSettings};
use serde_json::{Value, json};

/// The module, whose scope `main` is answered by `answers` in turn.
async fn against(answers: Vec<Vec<u8>>) -> (Uo, Canned) {
    let canned = Canned::start(answers).await;
    (module(&canned.url, 10_000), canned)
}

fn module(url: &str, reply_timeout_ms: u64) -> Uo {
    let link = Link { scope: "main".into(), url: url.into(), token: "the-token".into() };
    Uo::with_settings(&[link], UoSettings { reply_timeout_ms })
}

fn ok(body: &Value) -> Vec<u8> {
    json_answer(200, body)
}

fn health() -> Vec<u8> {
    ok(&json!({"protocol": 7, "connected": true, "bootId": "b", "keyMemorySec": 3600, "since": 5}))
}

fn catalogue(held: &Value) -> Value {
    json!({"kind": "lease.list.ok", "leases": [{"key": "PlayerCaps.SkillCap", "type": "int", "current": "1000",
        "default": "1000", "min": "100", "max": "1200", "maxHoldMs": 86_400_000, "reaches": "new_joins", "held": held}]})
}

//! What a game says first, by whichever door it comes.

use super::{exchange::Exchange, scopes::Scopes};
use leasehold_link::wire::{Hello, LinkRefused, PROTOCOL, SERVER_HELLO};
use serde_json::{Map, Value};
use std::sync::Arc;

/// Reads a hello and finds its line. A refusal says why, and is remembered where the game speaks another protocol.
pub fn greet(object: Map<String, Value>, scopes: &Scopes) -> Result<(Hello, Arc<Exchange>), LinkRefused> {
    let hello = read(object, scopes)?;
    let line = scopes.line(&hello.scope).map_err(|reason| refused(&reason))?;
    tracing::info!(game = hello.game, scope = hello.scope, boot_id = hello.boot_id, "the game is on the line");
    scopes.accepted();
    Ok((hello, line))
}

/// A refusal in these words.
pub fn refused(reason: &str) -> LinkRefused {
    LinkRefused { reason: reason.to_owned(), protocol: PROTOCOL }
}

fn read(object: Map<String, Value>, scopes: &Scopes) -> Result<Hello, LinkRefused> {
    if object.get("kind").and_then(Value::as_str) != Some(SERVER_HELLO) {
        return Err(refused("the first frame must be server.hello"));
    }
    match object.get("protocol").and_then(Value::as_u64) {
        Some(protocol) if protocol == u64::from(PROTOCOL) => (),
        Some(other) => {
            scopes.refuse_protocol(object.get("scope").and_then(Value::as_str), other);
            return Err(refused(&format!("this sidecar speaks protocol {PROTOCOL}, the game speaks {other}")));
        }
        None => return Err(refused("the hello names no protocol")),
    }
    serde_json::from_value(Value::Object(object)).map_err(|fault| refused(&format!("the hello is not whole: {fault}")))
}

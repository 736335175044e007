//! The games of this sidecar: a line for each scope that it knows of.

use super::exchange::{Exchange, Numbering};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// How many scopes one sidecar serves.
pub const MOST: usize = 64;
/// Longest name of a scope in bytes.
pub const NAME_MAX_BYTES: usize = 64;

/// Every line, by its scope. A scope that was heard of once is known from then on.
pub struct Scopes {
    numbering: Arc<Numbering>,
    reply_timeout: Duration,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    lines: BTreeMap<String, Arc<Exchange>>,
    /// Of a game that was refused before it said which scope it is.
    refused_protocol: Option<u64>,
}

/// What was asked for.
pub struct Found {
    /// The scope; none where none was named and none is known.
    pub scope: Option<String>,
    /// Its line; none where it was never heard of.
    pub line: Option<Arc<Exchange>>,
    /// The protocol of a game that was refused and named no scope.
    pub refused_protocol: Option<u64>,
}

/// There are several, and none was named.
pub struct Ambiguous(pub Vec<String>);

impl Scopes {
    /// With the scopes that were heard of in an earlier life.
    pub fn new(nonce: String, reply_timeout: Duration, known: impl IntoIterator<Item = String>) -> Self {
        let scopes = Self { numbering: Arc::new(Numbering::new(nonce)), reply_timeout, known: Mutex::default() };
        for scope in known {
            let line = scopes.fresh();
            scopes.known().lines.entry(scope).or_insert(line);
        }
        scopes
    }

    pub const fn reply_timeout(&self) -> Duration {
        self.reply_timeout
    }

    fn fresh(&self) -> Arc<Exchange> {
        Arc::new(Exchange::new(Arc::clone(&self.numbering), self.reply_timeout))
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The line of that scope, made where it is new. An error in words where it cannot be one.
    pub fn line(&self, scope: &str) -> Result<Arc<Exchange>, String> {
        if let Some(fault) = fault_of(scope) {
            return Err(fault);
        }
        let mut known = self.known();
        if let Some(line) = known.lines.get(scope) {
            return Ok(Arc::clone(line));
        }
        if known.lines.len() >= MOST {
            return Err(format!("this sidecar serves {MOST} scopes already, and {scope} is another"));
        }
        let line = self.fresh();
        known.lines.insert(scope.to_owned(), Arc::clone(&line));
        Ok(line)
    }

    /// The scope of that name or, where none is named, the only one: on the line, or else ever heard of.
    pub fn find(&self, named: Option<String>) -> Result<Found, Ambiguous> {
        let known = self.known();
        let refused_protocol = known.refused_protocol;
        let scope = match named {
            Some(named) => Some(named),
            None => only(&known.lines)?,
        };
        let line = scope.as_ref().and_then(|scope| known.lines.get(scope)).cloned();
        Ok(Found { scope, line, refused_protocol })
    }

    /// Every scope and its line.
    pub fn all(&self) -> Vec<(String, Arc<Exchange>)> {
        self.known().lines.iter().map(|(scope, line)| (scope.clone(), Arc::clone(line))).collect()
    }

    /// A game of another protocol was refused; it may have said which scope it is.
    pub fn refuse_protocol(&self, scope: Option<&str>, protocol: u64) {
        match scope.and_then(|scope| self.line(scope).ok()) {
            Some(line) => line.refuse_protocol(protocol),
            None => self.known().refused_protocol = Some(protocol),
        }
    }

    /// A game of the right protocol has come: what was refused before does not count any more.
    pub fn accepted(&self) {
        self.known().refused_protocol = None;
    }
}

/// What is wrong with a scope's name; none where it is one.
pub fn fault_of(scope: &str) -> Option<String> {
    let fits = (1..=NAME_MAX_BYTES).contains(&scope.len()) && !scope.chars().any(char::is_control);
    (!fits).then(|| format!("scope must be 1 to {NAME_MAX_BYTES} bytes without control characters"))
}

fn only(lines: &BTreeMap<String, Arc<Exchange>>) -> Result<Option<String>, Ambiguous> {
    let mut on_the_line = lines.iter().filter(|(_, line)| line.health().game.is_some()).map(|(scope, _)| scope);
    match (on_the_line.next(), on_the_line.next()) {
        (Some(only), None) => return Ok(Some(only.clone())),
        (None, _) if lines.len() <= 1 => return Ok(lines.keys().next().cloned()),
        _ => (),
    }
    Err(Ambiguous(lines.keys().cloned().collect()))
}

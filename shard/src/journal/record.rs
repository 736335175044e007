//! One line of the journal.

use crate::{
    fences::{Fences, Marks},
    keys::{Entry, Identity, KeyStore, Standing},
};
use leasehold_link::wire::{Correlation, Kind};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::HashMap;

/// A fact that must survive the process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "j", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Record {
    /// A key was reserved; its handler may have run since.
    Begun {
        key: String,
        kind: String,
        digest: String,
        field: String,
        t: i64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        run_id: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fence: Option<u64>,
    },
    /// Its answer.
    Answered { key: String, reply: Map<String, Value> },
    /// Its handler refused; the key is free again.
    Released { key: String },
    /// What is known of a run's claims.
    Run { run_id: String, marks: Marks },
}

/// What a journal amounts to: keys in the order in which they began, and the marks of runs.
#[derive(Debug, Default)]
pub struct Remembered {
    keys: HashMap<String, (usize, Entry)>,
    taken: usize,
    runs: Fences,
}

impl Remembered {
    /// Takes in the next record. Answers and releases of unknown keys are passed over: their beginning was compacted away.
    pub fn take(&mut self, record: Record) {
        match record {
            Record::Begun { key, kind, digest, field, t, run_id, fence } => {
                if let (Some(run_id), Some(fence)) = (run_id, fence) {
                    self.runs.note(&run_id, Marks { highest: fence, closed: None });
                }
                let Some(field) = Correlation::field_named(&field) else { return };
                let identity = Identity { kind, digest, field };
                self.taken += 1;
                self.keys.insert(key, (self.taken, Entry { identity, begun_ms: t, standing: Standing::InFlight }));
            }
            Record::Answered { key, reply } => {
                if let Some((_, entry)) = self.keys.get_mut(&key) {
                    entry.standing = Standing::Answered(reply);
                }
            }
            Record::Released { key } => {
                self.keys.remove(&key);
            }
            Record::Run { run_id, marks } => self.runs.note(&run_id, marks),
        }
    }

    /// Hands the keys to a store, as if each had begun at `now_ms`: how long the game was away is not known for certain, and a key
    /// must not be forgotten too early.
    pub fn into_store(self, now_ms: i64, store: &mut KeyStore) -> Fences {
        let mut keys: Vec<_> = self.keys.into_iter().collect();
        keys.sort_unstable_by_key(|(_, (place, _))| *place);
        for (key, (_, entry)) in keys {
            store.restore(key, Entry { begun_ms: now_ms, ..entry });
        }
        self.runs
    }
}

/// The records that say the same as a store and the marks of runs, and nothing else. Keys of looks are not among them.
pub fn records(store: &KeyStore, runs: &Fences) -> impl Iterator<Item = Record> {
    let runs = runs.entries().map(|(run_id, marks)| Record::Run { run_id: run_id.to_owned(), marks });
    let looks = |entry: &Entry| Kind::parse(&entry.identity.kind).is_some_and(Kind::reads);
    runs.chain(store.entries().filter(move |(_, entry)| !looks(entry)).flat_map(|(key, entry)| of_key(key, entry)))
}

fn of_key(key: &str, entry: &Entry) -> impl Iterator<Item = Record> {
    let Identity { kind, digest, field } = entry.identity.clone();
    let (t, field) = (entry.begun_ms, field.to_owned());
    let begun = Record::Begun { key: key.to_owned(), kind, digest, field, t, run_id: None, fence: None };
    let answered = match &entry.standing {
        Standing::Answered(reply) => Some(Record::Answered { key: key.to_owned(), reply: reply.clone() }),
        Standing::InFlight | Standing::Interrupted => None,
    };
    std::iter::once(begun).chain(answered)
}

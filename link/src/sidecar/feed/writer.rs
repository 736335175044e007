//! The one thread that writes: it takes all that waits, flushes it at once and tells each game how far it is kept.

use super::{
    extent::Extents,
    store::{Entry, Fault, Store},
};
use crate::sidecar::chance;
use serde_json::{Map, Value};
use std::{fs::File, io, sync::Arc, thread};
use tokio::sync::mpsc;

/// Reports flushed at once.
const AT_ONCE: usize = 512;

/// What became of a report: kept (with its `seq`, where the game gave one), or not.
pub type Outcome = Result<Option<u64>, Fault>;

/// A report on its way to the disk.
pub struct Incoming {
    pub scope: Arc<str>,
    /// The boot of the game that it comes from.
    pub boot_id: Arc<str>,
    pub frame: Map<String, Value>,
    /// Is told what became of it, in the order in which reports were handed in.
    pub done: mpsc::UnboundedSender<Outcome>,
}

/// What the thread is asked for.
pub enum Work {
    Report(Incoming),
    /// Old reports are to be dropped, though nothing comes.
    Trim,
}

/// The number that a game gives its report, where it wants to be told that it is kept: from 1.
fn seq_of(frame: &Map<String, Value>) -> Option<u64> {
    frame.get("seq").and_then(Value::as_u64).filter(|seq| (1..=i64::MAX.unsigned_abs()).contains(seq))
}

/// Starts the thread. It ends when nobody can hand anything in any more, and gives the file back.
pub fn start(mut store: Store, mut work: mpsc::Receiver<Work>, extents: Arc<Extents>, lock: File) -> io::Result<()> {
    let write = move || {
        let mut broken = Broken::default();
        while let Some(first) = work.blocking_recv() {
            let more = std::iter::from_fn(|| work.try_recv().ok());
            let asked = std::iter::once(first).chain(more.take(AT_ONCE - 1));
            let batch: Vec<Incoming> =
                asked.filter_map(|work| if let Work::Report(incoming) = work { Some(incoming) } else { None }).collect();
            let all = batch.len() + 1 < AT_ONCE;
            flush(&mut store, &extents, &broken.pass(batch), &mut broken);
            if all {
                broken.forget_who_left();
            }
        }
        drop(lock);
    };
    thread::Builder::new().name("feed".to_owned()).spawn(write).map(drop)
}

/// Whose reports could not be kept: the numbers behind one that is missing are not kept either, however much room there is by
/// then, because each says the same of every lower one. Who sends them again comes by another way.
#[derive(Default)]
pub(super) struct Broken {
    ways: Vec<(mpsc::UnboundedSender<Outcome>, Fault)>,
}

impl Broken {
    /// Those that may be kept; the others are told.
    pub fn pass(&self, batch: Vec<Incoming>) -> Vec<Incoming> {
        let fault = |incoming: &Incoming| {
            let broken = self.ways.iter().find(|(way, _)| way.same_channel(&incoming.done));
            broken.filter(|_| seq_of(&incoming.frame).is_some()).map(|(_, fault)| fault.clone())
        };
        let (mut kept, mut refused) = (Vec::new(), Vec::new());
        for incoming in batch {
            match fault(&incoming) {
                None => kept.push(incoming),
                Some(fault) => refused.push((incoming, fault)),
            }
        }
        for (incoming, fault) in refused {
            drop(incoming.done.send(Err(fault)));
        }
        kept
    }

    fn failed(&mut self, way: &mpsc::UnboundedSender<Outcome>, fault: &Fault) {
        if !self.ways.iter().any(|(known, _)| known.same_channel(way)) {
            self.ways.push((way.clone(), fault.clone()));
        }
    }

    /// Nothing waits any more: of those who are gone nothing can come.
    fn forget_who_left(&mut self) {
        self.ways.retain(|(way, _)| !way.is_closed());
    }
}

pub(super) fn flush(store: &mut Store, extents: &Extents, batch: &[Incoming], broken: &mut Broken) {
    let entry = |incoming: &'_ Incoming| seq_of(&incoming.frame);
    let seqs: Vec<Option<u64>> = batch.iter().map(entry).collect();
    let entries: Vec<Entry<'_>> = batch
        .iter()
        .zip(&seqs)
        .map(|(incoming, seq)| Entry { scope: &incoming.scope, boot_id: &incoming.boot_id, seq: *seq, frame: &incoming.frame })
        .collect();
    let written = store.write(&entries, chance::wall_ms());
    match &written {
        Ok(()) => extents.written(store.extents()),
        Err(fault) => {
            tracing::error!(%fault, reports = batch.len(), "reports of the game cannot be kept");
            extents.failed(fault.to_string());
        }
    }
    for (incoming, seq) in batch.iter().zip(seqs) {
        if let Err(fault) = &written {
            broken.failed(&incoming.done, fault);
        }
        // Who has left meanwhile sends them again.
        drop(incoming.done.send(written.clone().map(|()| seq)));
    }
}

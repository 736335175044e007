//! One reading of the log for all who build from it at the same time: a page is read once, whoever asks for it first, and
//! handed to everybody.
//!
//! Each reader keeps its own place and takes only what its projection is made from. Readers that are near each other go
//! together: whoever is [`SPREAD`] pages ahead waits for the slowest. That is a favour and no duty. A reader that has not
//! moved for [`PATIENCE`] is left behind, and one that begins far from the others never was with them; both read for
//! themselves alone. So a reader that stops or hangs holds nobody up.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use leasehold_projections::LoggedEvent;
use tokio::sync::{Notify, OnceCell};
use tokio::time::Instant;

use super::batch::logged;
use crate::log::{Log, LogError};

/// Pages between the slowest reader and the fastest.
const SPREAD: u64 = 2;
/// After this a reader that does not move is not waited for any more.
const PATIENCE: Duration = Duration::from_secs(1);
/// Those who begin together are told so within this; the first waits for the others.
const GATHERING: Duration = Duration::from_millis(50);

/// The log, read for all who build from it in this process. Cheap to clone.
#[derive(Clone)]
pub struct Reading(Arc<Shared>);

struct Shared {
    log: Log,
    group: Mutex<Group>,
    moved: Notify,
}

#[derive(Default)]
struct Group {
    minted: u64,
    /// Those who go together.
    readers: BTreeMap<u64, Reader>,
    pages: Vec<Arc<Leaf>>,
    /// When everybody is there who begins together.
    complete: Option<Instant>,
}

struct Reader {
    kinds: &'static [&'static str],
    /// What it has taken.
    after: u64,
    moved: Instant,
}

/// A page that is read, or will be by the first who waits for it.
struct Leaf {
    kinds: Vec<&'static str>,
    after: u64,
    to: u64,
    events: OnceCell<Arc<[LoggedEvent]>>,
}

/// Events past the last page and up to `through`.
pub(super) struct Page {
    pub through: u64,
    kinds: &'static [&'static str],
    events: Arc<[LoggedEvent]>,
}

impl Page {
    /// Those that its reader's projection is made from.
    pub fn events(&self) -> Vec<&LoggedEvent> {
        self.events.iter().filter(|event| self.kinds.contains(&event.aggregate_type.as_str())).collect()
    }
}

/// Somebody who reads up to a position, page after page.
pub(super) struct Member {
    reading: Reading,
    place: Placed,
    through: u64,
}

/// Where a reader stands.
#[derive(Clone, Copy)]
struct Placed {
    id: u64,
    kinds: &'static [&'static str],
    after: u64,
    window: u64,
}

impl Reading {
    pub fn of(log: &Log) -> Self {
        Self(Arc::new(Shared { log: log.clone(), group: Mutex::default(), moved: Notify::new() }))
    }

    /// Begins to read streams of these kinds past `after` and up to `through`, `window` positions a page.
    pub(super) fn join(&self, kinds: &'static [&'static str], after: u64, through: u64, window: u64) -> Member {
        let place = self.group().join(kinds, after, window.max(1), Instant::now());
        Member { reading: self.clone(), place, through }
    }

    fn group(&self) -> MutexGuard<'_, Group> {
        self.0.group.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is to be done for the next page.
enum Next {
    Read(Arc<Leaf>),
    /// Somebody is to move first; not longer than until then.
    Wait(Instant),
}

impl Group {
    fn slowest(&self) -> Option<u64> {
        self.readers.values().map(|reader| reader.after).min()
    }

    fn join(&mut self, kinds: &'static [&'static str], after: u64, window: u64, now: Instant) -> Placed {
        self.minted += 1;
        if self.readers.is_empty() {
            self.complete = Some(now + GATHERING);
        }
        if self.slowest().is_none_or(|slowest| slowest.abs_diff(after) <= SPREAD * window) {
            self.readers.insert(self.minted, Reader { kinds, after, moved: now });
        }
        Placed { id: self.minted, kinds, after, window }
    }

    /// The page from where a reader stands up to `to`; those who are left behind leave the group.
    fn next(&mut self, member: Placed, to: u64, now: Instant) -> Next {
        let alone = || Arc::new(Leaf::new(member.kinds.to_vec(), member.after, to));
        if !self.readers.contains_key(&member.id) {
            return Next::Read(alone());
        }
        if let Some(complete) = self.complete.filter(|complete| now < *complete) {
            return Next::Wait(complete);
        }
        let far = |reader: &Reader| member.after.saturating_sub(reader.after) > SPREAD * member.window;
        self.readers.retain(|_, reader| !far(reader) || now < reader.moved + PATIENCE);
        if let Some(waited) = self.readers.values().filter(|reader| far(reader)).map(|reader| reader.moved + PATIENCE).min() {
            return Next::Wait(waited);
        }
        let same = |leaf: &&Arc<Leaf>| (leaf.after, leaf.to) == (member.after, to);
        match self.pages.iter().find(same) {
            Some(leaf) if member.kinds.iter().all(|kind| leaf.kinds.contains(kind)) => Next::Read(leaf.clone()),
            Some(_) => Next::Read(alone()),
            None => {
                let still = self.readers.values().filter(|reader| reader.after <= member.after);
                let mut kinds: Vec<_> = still.flat_map(|reader| reader.kinds).copied().collect();
                kinds.sort_unstable();
                kinds.dedup();
                let leaf = Arc::new(Leaf::new(kinds, member.after, to));
                self.pages.push(leaf.clone());
                Next::Read(leaf)
            }
        }
    }

    /// It has that page.
    fn took(&mut self, id: u64, to: u64, now: Instant) {
        if let Some(reader) = self.readers.get_mut(&id) {
            (reader.after, reader.moved) = (to, now);
            self.tidy();
        }
    }

    fn leave(&mut self, id: u64) {
        self.readers.remove(&id);
        self.tidy();
    }

    /// Forgets the pages that everybody has.
    fn tidy(&mut self) {
        let needed = self.slowest();
        self.pages.retain(|leaf| needed.is_some_and(|after| leaf.to > after));
    }
}

impl Leaf {
    fn new(kinds: Vec<&'static str>, after: u64, to: u64) -> Self {
        Self { kinds, after, to, events: OnceCell::new() }
    }
}

impl Member {
    /// The next page; none behind the last.
    pub async fn next(&mut self) -> Result<Option<Page>, LogError> {
        let Placed { id, kinds, after, window } = self.place;
        if after >= self.through {
            return Ok(None);
        }
        // Everybody's pages end at the same positions, wherever they began.
        let to = self.through.min((after / window + 1) * window);
        let leaf = self.leaf(to).await;
        let read = async || {
            let texts = self.reading.0.log.read_texts(&leaf.kinds, leaf.after, leaf.to).await?;
            Ok::<_, LogError>(texts.into_iter().map(logged).collect())
        };
        let events = leaf.events.get_or_try_init(read).await?.clone();
        self.place.after = to;
        self.reading.group().took(id, to, Instant::now());
        self.reading.0.moved.notify_waiters();
        Ok(Some(Page { through: to, kinds, events }))
    }

    async fn leaf(&self, to: u64) -> Arc<Leaf> {
        loop {
            let mut moved = std::pin::pin!(self.reading.0.moved.notified());
            moved.as_mut().enable();
            let next = self.reading.group().next(self.place, to, Instant::now());
            match next {
                Next::Read(leaf) => return leaf,
                Next::Wait(until) => tokio::select! {
                    () = moved => {}
                    () = tokio::time::sleep_until(until) => {}
                },
            }
        }
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        self.reading.group().leave(self.place.id);
        self.reading.0.moved.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: u64 = 10;

    fn taken(group: &mut Group, place: &mut Placed, now: Instant) -> Arc<Leaf> {
        let to = (place.after / WINDOW + 1) * WINDOW;
        let Next::Read(leaf) = group.next(*place, to, now) else { panic!("it waits at {}", place.after) };
        place.after = to;
        group.took(place.id, to, now);
        leaf
    }

    fn waits(group: &mut Group, place: Placed, now: Instant) -> bool {
        matches!(group.next(place, place.after + WINDOW, now), Next::Wait(_))
    }

    #[test]
    fn those_who_begin_together_have_each_page_once_and_for_all_of_them() {
        let (mut group, begun) = (Group::default(), Instant::now());
        let mut runs = group.join(&["run"], 0, WINDOW, begun);
        assert!(waits(&mut group, runs, begun), "the others may come yet");
        let mut ledger = group.join(&["ledger"], 3, WINDOW, begun);
        let now = begun + GATHERING;
        let first = taken(&mut group, &mut runs, now);
        assert_eq!((first.after, first.to, first.kinds.as_slice()), (0, 10, ["run"].as_slice()), "nobody else begins there");
        assert_eq!(taken(&mut group, &mut ledger, now).to, 10);
        let (one, other) = (taken(&mut group, &mut ledger, now), taken(&mut group, &mut runs, now));
        assert!(Arc::ptr_eq(&one, &other));
        assert_eq!(one.kinds, ["ledger", "run"]);
        assert!(group.pages.is_empty(), "everybody has them");
    }

    #[test]
    fn the_fast_wait_for_the_slow_but_not_for_whoever_stands_still_or_left() {
        for leaves in [false, true] {
            let (mut group, begun) = (Group::default(), Instant::now());
            let (mut fast, mut slow) = (group.join(&["run"], 0, WINDOW, begun), group.join(&["ledger"], 0, WINDOW, begun));
            let now = begun + GATHERING;
            for _ in 0..=SPREAD {
                taken(&mut group, &mut fast, now);
            }
            assert!(waits(&mut group, fast, now));
            let kept = taken(&mut group, &mut slow, now);
            assert_eq!(kept.kinds, ["ledger", "run"], "what the fast had read is there");
            taken(&mut group, &mut fast, now);
            assert!(waits(&mut group, fast, now));
            let later = if leaves { now } else { now + PATIENCE };
            if leaves {
                group.leave(slow.id);
            }
            assert_eq!(taken(&mut group, &mut fast, later).kinds, ["run"]);
            assert_eq!(taken(&mut group, &mut slow, later).kinds, ["ledger"], "it goes on for itself");
        }
    }

    #[test]
    fn who_begins_far_away_reads_for_itself() {
        let (mut group, begun) = (Group::default(), Instant::now());
        let mut ahead = group.join(&["run"], 500, WINDOW, begun);
        let mut behind = group.join(&["ledger"], 0, WINDOW, begun);
        let now = begun + GATHERING;
        assert_eq!(taken(&mut group, &mut behind, now).kinds, ["ledger"]);
        assert_eq!(taken(&mut group, &mut ahead, now).kinds, ["run"]);
    }
}

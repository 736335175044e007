//! Which commands of a batch go ahead: each is held against the ends of its streams as the commands before it leave them.

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;

use super::known::Known;
use super::waiting::Prepared;
use super::{AppendError, Appended};
use crate::log::stream::StreamId;

/// What a look under the log's lock has shown beside head and streams.
#[derive(Default)]
pub(super) struct Seen {
    /// Those of the batch's commands that committed before.
    pub done: BTreeMap<Uuid, Appended>,
    /// Those of the staged items which the batch names that are there; none where nobody looked.
    pub items: Option<BTreeSet<Uuid>>,
}

/// What becomes of each command of a batch, if the whole of it commits behind the head that is known.
#[derive(Default)]
pub(super) struct Plan<'a> {
    /// By their place in the batch, with the positions that they will have.
    pub ahead: Vec<(usize, Appended)>,
    /// Refused singly; told once the batch has committed, because a refusal may rest on a neighbour's events.
    pub refused: Vec<(usize, AppendError)>,
    /// Where the streams that the batch names will end.
    pub ends: BTreeMap<&'a StreamId, u64>,
    /// Ends that are not remembered and were taken to be as the commands expect them.
    pub assumed: Vec<(&'a StreamId, u64)>,
    /// Somebody has seen more of a stream than is known here: what others wrote must be read first.
    pub behind: bool,
    pub events: u64,
    items: Option<BTreeSet<Uuid>>,
}

/// Takes the commands in their order. Of a stream whose end is not remembered, the expectation is believed and noted.
pub(super) fn plan<'a>(commands: &[&'a Prepared], known: &mut Known, seen: Seen) -> Plan<'a> {
    let mut plan = Plan { items: seen.items, ..Plan::default() };
    let next = known.head.as_ref().map_or(0, |head| head.position + 1);
    for (nth, command) in commands.iter().enumerate() {
        let done = seen.done.get(&command.append.command_id);
        let taken = match done {
            Some(appended) => Err(AppendError::AlreadyDone(*appended)),
            None => plan.take(nth, command, next, known),
        };
        if let Err(refused) = taken {
            plan.behind |= further(&refused);
            plan.refused.push((nth, refused));
        }
    }
    plan
}

/// Whether it was refused for having seen more than is known here.
fn further(refused: &AppendError) -> bool {
    match refused {
        AppendError::Conflict { expected, actual, .. } | AppendError::Moved { expected, actual, .. } => expected > actual,
        _ => false,
    }
}

impl<'a> Plan<'a> {
    fn take(&mut self, nth: usize, command: &'a Prepared, next: u64, known: &mut Known) -> Result<(), AppendError> {
        let append = &command.append;
        let believed = self.streams_are_as_expected(command, known)?;
        self.items_are_there(&append.unstage)?;
        let first = next + self.events;
        let last = (first + command.events).checked_sub(1).ok_or(AppendError::NotOpen)?;
        self.ends.extend(believed.iter().copied());
        self.assumed.extend(believed);
        self.ends.extend(append.writes.iter().map(|write| (&write.stream, write.expected + write.events.len() as u64)));
        if let Some(items) = &mut self.items {
            items.retain(|item| !append.unstage.contains(item));
            items.extend(append.stage.iter().map(|item| item.id));
        }
        self.ahead.push((nth, Appended { first: first.min(last), last }));
        self.events += command.events;
        Ok(())
    }

    /// Every stream that the command names ends where it expects; returned are those of which that is only believed.
    fn streams_are_as_expected(&self, command: &'a Prepared, known: &mut Known) -> Result<Vec<(&'a StreamId, u64)>, AppendError> {
        let mut believed: Vec<(&StreamId, u64)> = Vec::new();
        let mut end = |stream: &'a StreamId, expected: u64| {
            let told = believed.iter().find(|(named, _)| *named == stream).map(|(_, end)| *end);
            self.ends.get(stream).copied().or(told).or_else(|| known.end(stream)).unwrap_or_else(|| {
                believed.push((stream, expected));
                expected
            })
        };
        for write in &command.append.writes {
            let (stream, expected, actual) = (&write.stream, write.expected, end(&write.stream, write.expected));
            if actual != expected {
                return Err(AppendError::Conflict { stream: stream.clone(), expected, actual });
            }
        }
        for (stream, expected) in &command.append.requires {
            let (expected, actual) = (*expected, end(stream, *expected));
            if actual != expected {
                return Err(AppendError::Moved { stream: stream.clone(), expected, actual });
            }
        }
        Ok(believed)
    }

    fn items_are_there(&self, unstage: &[Uuid]) -> Result<(), AppendError> {
        let Some(items) = &self.items else { return Ok(()) };
        unstage.iter().find(|item| !items.contains(item)).map_or(Ok(()), |gone| Err(AppendError::Unstaged(*gone)))
    }

    /// What each command is told.
    pub fn verdicts(self) -> Verdicts {
        let reached = self.ahead.iter().map(|(_, appended)| appended.last).max();
        Verdicts { ahead: self.ahead, refused: self.refused, reached }
    }
}

/// What each command of a batch is told, by its place in it.
pub(super) struct Verdicts {
    pub ahead: Vec<(usize, Appended)>,
    pub refused: Vec<(usize, AppendError)>,
    /// The position that the log is known to have reached by it, if anything went ahead.
    pub reached: Option<u64>,
}

impl Verdicts {
    /// Those of the batch that were found to be done, by their place in it, with the positions that they made.
    pub fn done(&self) -> impl Iterator<Item = (usize, Appended)> {
        self.refused.iter().filter_map(|(nth, refused)| match refused {
            AppendError::AlreadyDone(appended) => Some((*nth, *appended)),
            _ => None,
        })
    }

    /// The connection broke, and when it was there again these were found to have been written by what was sent on it.
    pub fn found(&mut self, ours: &BTreeSet<usize>) {
        let found: Vec<_> = self.done().filter(|(nth, _)| ours.contains(nth)).collect();
        self.refused.retain(|(nth, _)| !found.iter().any(|(ours, _)| ours == nth));
        self.ahead.extend(found);
    }
}

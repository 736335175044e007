//! The newest events of the log, kept for everybody in this process that follows it: what one has read or written, the others
//! need not read. Events are dense and never change, so what is kept is what a reading would bring; a reader that is far
//! behind reads for itself.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::Log;
use super::error::LogError;
use super::read::{RecordedText, decode};
use super::stream::Recorded;

/// Events kept at most, and bytes of their texts.
const EVENTS: usize = 4_096;
const BYTES: usize = 8 << 20;

/// An event as followers share it: decoded once, by whoever wants it first.
#[derive(Debug)]
pub struct RecentEvent {
    pub text: RecordedText,
    decoded: OnceLock<Result<Arc<Recorded>, String>>,
}

impl RecentEvent {
    fn of(text: RecordedText) -> Arc<Self> {
        Arc::new(Self { text, decoded: OnceLock::new() })
    }

    /// [`LogError::Undecodable`] for what a raw writer recorded and nobody can read.
    pub fn recorded(&self) -> Result<Arc<Recorded>, LogError> {
        let decoded = self.decoded.get_or_init(|| match decode(self.text.clone()) {
            Ok(recorded) => Ok(Arc::new(recorded)),
            Err(LogError::Undecodable { why, .. }) => Err(why),
            Err(other) => Err(other.to_string()),
        });
        decoded.clone().map_err(|why| LogError::Undecodable { position: self.text.position, why })
    }
}

/// A part of the log without gaps, the newest that is known here.
#[derive(Default)]
pub(super) struct Recent {
    kept: Mutex<Kept>,
    /// Whoever reads what is not kept, while the others wait for it.
    reading: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct Kept {
    events: VecDeque<Arc<RecentEvent>>,
    bytes: usize,
}

/// What is kept of what lies past a position.
enum Past {
    /// As many as asked for, or as there are; one at least.
    Some(Vec<Arc<RecentEvent>>),
    /// Nothing yet.
    Unread,
    /// It is older than all that is kept.
    Older,
}

impl Recent {
    /// What was appended just now.
    pub fn appended(&self, events: impl IntoIterator<Item = RecordedText>) {
        let mut kept = self.kept();
        for event in events {
            kept.add(RecentEvent::of(event));
        }
    }

    /// The log may not be what it was: a connection broke, and with it perhaps the server.
    pub fn forget(&self) {
        *self.kept() = Kept::default();
    }

    fn past(&self, after: u64, limit: usize) -> Past {
        let kept = self.kept();
        let (Some(front), Some(back)) = (kept.events.front(), kept.events.back()) else { return Past::Unread };
        let (front, back) = (front.text.position, back.text.position);
        if after >= back {
            return Past::Unread;
        }
        let Some(skipped) = (after + 1).checked_sub(front) else { return Past::Older };
        let skipped = usize::try_from(skipped).unwrap_or(usize::MAX);
        Past::Some(kept.events.iter().skip(skipped).take(limit).cloned().collect())
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    /// Takes what follows the newest; what lies further ahead takes everybody's place, and what lies behind is not kept.
    fn add(&mut self, event: Arc<RecentEvent>) {
        if let Some(back) = self.events.back() {
            let (newest, position) = (back.text.position, event.text.position);
            if position <= newest {
                return;
            }
            if position > newest + 1 {
                *self = Self::default();
            }
        }
        self.bytes += size(&event);
        self.events.push_back(event);
        while self.events.len() > EVENTS || (self.bytes > BYTES && self.events.len() > 1) {
            let oldest = self.events.pop_front();
            self.bytes -= oldest.as_deref().map_or(0, size);
        }
    }
}

fn size(event: &RecentEvent) -> usize {
    event.text.payload.len() + event.text.metadata.len()
}

impl Log {
    /// The events past `after`, in order, `limit` at most, for whoever follows the log from there. There may be more, even if
    /// they are fewer; none are the end of the log. What is kept is not read again.
    pub async fn recent_after(&self, after: u64, limit: u32) -> Result<Vec<Arc<RecentEvent>>, LogError> {
        let asked = usize::try_from(limit).unwrap_or(usize::MAX);
        let reading = match self.recent.past(after, asked) {
            Past::Some(events) => return Ok(events),
            Past::Older => None,
            Past::Unread => Some(self.recent.reading.lock().await),
        };
        if reading.is_some()
            && let Past::Some(events) = self.recent.past(after, asked)
        {
            return Ok(events);
        }
        let read = self.texts_after(Some(after), limit).await.inspect_err(|_| self.recent.forget())?;
        let events: Vec<_> = read.into_iter().map(RecentEvent::of).collect();
        if reading.is_some() {
            let mut kept = self.recent.kept();
            events.iter().cloned().for_each(|event| kept.add(event));
        }
        Ok(events)
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;
    use crate::log::StreamId;

    fn text(position: u64, payload: &str) -> RecordedText {
        RecordedText {
            position,
            recorded_at: DateTime::UNIX_EPOCH,
            stream: StreamId::new("lamp", "a"),
            sequence: position,
            event_type: "lit".into(),
            event_version: "1".into(),
            payload: payload.into(),
            metadata: "{}".into(),
        }
    }

    fn positions(past: Past) -> Option<Vec<u64>> {
        if let Past::Some(events) = past { Some(events.iter().map(|event| event.text.position).collect()) } else { None }
    }

    #[test]
    fn what_follows_is_kept_without_gaps() {
        let recent = Recent::default();
        assert!(matches!(recent.past(0, 10), Past::Unread));
        recent.appended((5..9).map(|position| text(position, "{}")));
        recent.appended([text(7, "{\"again\":1}")]);
        assert_eq!(positions(recent.past(4, 10)), Some(vec![5, 6, 7, 8]));
        assert_eq!(positions(recent.past(6, 1)), Some(vec![7]));
        assert!(matches!(recent.past(8, 10), Past::Unread));
        assert!(matches!(recent.past(3, 10), Past::Older));
        recent.appended([text(12, "{}")]);
        assert!(matches!(recent.past(8, 10), Past::Older), "what lies between was never seen");
        assert_eq!(positions(recent.past(11, 10)), Some(vec![12]));
        recent.forget();
        assert!(matches!(recent.past(11, 10), Past::Unread));
    }

    #[test]
    fn so_many_events_are_kept_and_so_many_bytes() {
        let recent = Recent::default();
        recent.appended((0..2 * EVENTS as u64).map(|position| text(position, "{}")));
        assert_eq!(recent.kept().events.len(), EVENTS);
        let long = "x".repeat(BYTES / 4);
        let first = 2 * EVENTS as u64;
        recent.appended((first..first + 8).map(|position| text(position, &long)));
        assert!(recent.kept().bytes <= BYTES);
        recent.appended([text(first + 8, &"x".repeat(2 * BYTES))]);
        assert_eq!(positions(recent.past(first + 7, 10)), Some(vec![first + 8]), "one is kept however long it is");
        assert_eq!(recent.kept().events.len(), 1);
    }

    #[test]
    fn what_cannot_be_decoded_is_told_to_everybody_who_asks() {
        let event = RecentEvent::of(text(3, "{"));
        for _ in 0..2 {
            assert!(matches!(event.recorded(), Err(LogError::Undecodable { position: 3, .. })));
        }
    }
}

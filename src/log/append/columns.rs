//! The rows to be, column by column: what one statement takes for a whole batch.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::plan::Plan;
use super::waiting::Prepared;
use crate::log::RecordedText;
use crate::log::canonical::Canonical;
use crate::log::error::{place, stored};
use crate::log::stream::{Head, StreamId};

/// The columns of the events, stamped behind a head, and of the commands that made them.
#[derive(Default)]
pub(super) struct Columns<'a> {
    pub aggregate_type: Vec<&'a str>,
    pub aggregate_id: Vec<&'a str>,
    pub sequence: Vec<i64>,
    pub event_type: Vec<&'a str>,
    pub event_version: Vec<&'a str>,
    pub payload: Vec<&'a str>,
    pub metadata: Vec<&'a str>,
    pub position: Vec<i64>,
    pub hash: Vec<Vec<u8>>,
    pub command_id: Vec<Uuid>,
    pub first: Vec<i64>,
    pub last: Vec<i64>,
    /// The instant that all of them carry.
    pub recorded_at: DateTime<Utc>,
}

impl Columns<'_> {
    /// The events as a reading brings them.
    pub fn recorded(&self) -> Vec<RecordedText> {
        let event = |nth: usize| RecordedText {
            position: place(self.position[nth]),
            recorded_at: self.recorded_at,
            stream: StreamId::new(self.aggregate_type[nth], self.aggregate_id[nth]),
            sequence: place(self.sequence[nth]),
            event_type: self.event_type[nth].to_owned(),
            event_version: self.event_version[nth].to_owned(),
            payload: self.payload[nth].to_owned(),
            metadata: self.metadata[nth].to_owned(),
        };
        (0..self.position.len()).map(event).collect()
    }
}

/// Stamps the events of every command that goes ahead behind `head`. `clock` is the database's, or an instant before it.
pub(super) fn stamp<'a>(
    commands: &[&'a Prepared],
    plan: &Plan<'_>,
    head: Option<&Head>,
    clock: DateTime<Utc>,
) -> (Columns<'a>, Option<Head>) {
    let recorded_at = head.map_or(clock, |head| clock.max(head.recorded_at));
    let mut columns = Columns { recorded_at, ..Columns::default() };
    let mut position = head.map_or(0, |head| stored(head.position) + 1);
    let mut front = head.map_or_else(Vec::new, |head| head.hash.clone());
    for (nth, appended) in &plan.ahead {
        let command = commands[*nth];
        let mut payloads = command.payloads.iter();
        for write in &command.append.writes {
            for ((sequence, event), payload) in (stored(write.expected) + 1..).zip(&write.events).zip(&mut payloads) {
                front = Canonical {
                    position,
                    recorded_at,
                    aggregate_type: &write.stream.aggregate_type,
                    aggregate_id: &write.stream.aggregate_id,
                    sequence,
                    event_type: &event.event_type,
                    event_version: &event.event_version,
                    payload,
                    metadata: &command.metadata,
                }
                .hash(&front);
                columns.aggregate_type.push(&write.stream.aggregate_type);
                columns.aggregate_id.push(&write.stream.aggregate_id);
                columns.sequence.push(sequence);
                columns.event_type.push(&event.event_type);
                columns.event_version.push(&event.event_version);
                columns.payload.push(payload);
                columns.metadata.push(&command.metadata);
                columns.position.push(position);
                columns.hash.push(front.clone());
                position += 1;
            }
        }
        columns.command_id.push(command.append.command_id);
        columns.first.push(stored(appended.first));
        columns.last.push(stored(appended.last));
    }
    let newest = columns.position.last().map(|_| Head { position: position.unsigned_abs() - 1, hash: front, recorded_at });
    let newest = newest.or_else(|| head.cloned());
    (columns, newest)
}

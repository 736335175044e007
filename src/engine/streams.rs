//! Streams as aggregates: loading folds them, deciding makes the writes.

use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::event::{DecodeFault, decode};

use crate::log::{Log, LogError, NewEvent, Recorded, StreamId, StreamWrite};

/// An aggregate as its stream stands, and where the stream ends.
#[derive(Debug, Clone, Default)]
pub struct Loaded<A> {
    pub id: String,
    pub state: A,
    /// The newest event's sequence; 0 where there is no stream.
    pub sequence: u64,
}

/// Why a stream cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StreamFault {
    #[error(transparent)]
    Log(#[from] LogError),
    #[error("the event at position {position} cannot be used")]
    Undecodable { position: u64, source: DecodeFault },
    #[error("an event cannot be written down")]
    Unwritable(#[source] serde_json::Error),
}

/// Folds the whole stream.
pub async fn load<A: Decide>(log: &Log, id: &str) -> Result<Loaded<A>, StreamFault> {
    fold(id, log.load(&stream::<A>(id)).await?)
}

/// Folds what a stream held when the log stood at `position`.
pub async fn load_until<A: Decide>(log: &Log, id: &str, position: u64) -> Result<Loaded<A>, StreamFault> {
    fold(id, log.load_until(&stream::<A>(id), position).await?)
}

/// Folds events that were read already.
pub fn fold<A: Decide>(id: &str, events: Vec<Recorded>) -> Result<Loaded<A>, StreamFault> {
    let mut loaded = Loaded { id: id.to_owned(), state: A::default(), sequence: 0 };
    for recorded in events {
        loaded.sequence = recorded.sequence;
        loaded.state.apply(event::<A>(recorded)?);
    }
    Ok(loaded)
}

/// Decodes one recorded event of this aggregate.
pub fn event<A: Decide>(recorded: Recorded) -> Result<A::Event, StreamFault> {
    decode(&recorded.event_type, &recorded.event_version, recorded.payload)
        .map_err(|source| StreamFault::Undecodable { position: recorded.position, source })
}

/// The name of one aggregate's stream.
pub fn stream<A: Decide>(id: &str) -> StreamId {
    StreamId::new(A::TYPE, id)
}

impl<A: Decide> Loaded<A> {
    pub fn stream(&self) -> StreamId {
        stream::<A>(&self.id)
    }

    /// This stream as something that the decision rests on.
    pub fn required(&self) -> (StreamId, u64) {
        (self.stream(), self.sequence)
    }

    /// The events as a write that follows what was loaded.
    pub fn write(&self, events: &[A::Event]) -> Result<StreamWrite, StreamFault> {
        let events = events.iter().map(new_event::<A>).collect::<Result<_, _>>()?;
        Ok(StreamWrite { stream: self.stream(), expected: self.sequence, events })
    }
}

fn new_event<A: Decide>(event: &A::Event) -> Result<NewEvent, StreamFault> {
    use cqrs_es::DomainEvent;
    let payload = serde_json::to_value(event).map_err(StreamFault::Unwritable)?;
    Ok(NewEvent { event_type: event.event_type(), event_version: event.event_version(), payload })
}

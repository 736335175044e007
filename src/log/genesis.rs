//! The opening of the log: position 0, with an id that tells this log from every other.

use std::collections::BTreeMap;

use uuid::{Uuid, uuid};

use super::Log;
use super::append::{Append, AppendError};
use super::error::LogError;
use super::stream::{NewEvent, StreamId, StreamWrite};

/// The command that opens a log: always the same, so that of two engines one opens it and the other finds it open.
const OPENING: Uuid = uuid!("0e2ab6c5-70c2-5d8e-8f0b-3e4a5f1d9c27");

impl Log {
    /// Opens an empty log with `log_id`, a random one; a log with events in it stays as it is. True if this call opened it.
    pub async fn open_genesis(&self, log_id: Uuid, metadata: BTreeMap<String, String>) -> Result<bool, OpenError> {
        if self.head().await?.is_some() {
            return Ok(false);
        }
        let opened = NewEvent {
            event_type: "log_opened".to_owned(),
            event_version: "1".to_owned(),
            payload: serde_json::json!({"type": "log_opened", "log_id": log_id}),
        };
        let write = StreamWrite { stream: genesis(), expected: 0, events: vec![opened] };
        match self.append(Append { writes: vec![write], metadata, ..Append::of(OPENING) }).await {
            Ok(_) => Ok(true),
            Err(AppendError::AlreadyDone(_) | AppendError::Conflict { .. }) => Ok(false),
            Err(refused) => Err(refused.into()),
        }
    }

    /// The id with which this log was opened; none if a raw writer came first.
    pub async fn log_id(&self) -> Result<Option<Uuid>, LogError> {
        let opening = self.load(&genesis()).await?;
        let id = opening.first().and_then(|event| event.payload.get("log_id")?.as_str());
        Ok(id.and_then(|id| id.parse().ok()))
    }
}

fn genesis() -> StreamId {
    StreamId::new("log", "genesis")
}

/// Why a log could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("whether the log is open could not be seen")]
    Read(#[from] LogError),
    #[error("the log's first event was not taken")]
    Append(#[from] AppendError),
}

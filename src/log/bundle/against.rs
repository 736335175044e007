//! Comparing a bundle with a log.

use std::collections::BTreeMap;

use sqlx::Row;

use super::{Bundle, BundledEvent, Part};
use crate::log::Log;
use crate::log::error::{LogError, stored};
use crate::log::stream::StreamId;

/// How a bundle and a log differ.
#[derive(Debug, thiserror::Error)]
pub enum AgainstError {
    #[error(transparent)]
    Log(#[from] LogError),
    #[error("the log has another event at position {position}, or none")]
    Event { position: u64 },
    #[error("the log has another event at position {position}, or none: it does not lead through the head of the bundle")]
    Head { position: u64 },
    #[error("the log has events of {stream} up to the head of the bundle that are not in it")]
    Short { stream: StreamId },
}

impl AgainstError {
    /// Where in the bundle.
    pub fn part(&self) -> Option<Part> {
        match self {
            Self::Event { position } => Some(Part::Event(*position)),
            Self::Head { .. } | Self::Short { .. } => Some(Part::Header),
            Self::Log(_) => None,
        }
    }
}

impl From<sqlx::Error> for AgainstError {
    fn from(error: sqlx::Error) -> Self {
        Self::Log(error.into())
    }
}

impl Bundle {
    /// Whether `log` holds each of these events in just this form, leads through the head of the bundle, and held no more
    /// of these streams then. That the log itself is whole is for [`Log::verify`] to say.
    pub async fn differs_from(&self, log: &Log) -> Result<(), AgainstError> {
        for event in &self.events {
            if !is_in(log, event).await? {
                return Err(AgainstError::Event { position: event.recorded.position });
            }
        }
        let at_head: Option<Vec<u8>> = sqlx::query_scalar("select hash from public.events where position = $1")
            .bind(stored(self.head.position))
            .fetch_optional(log.pool())
            .await?;
        if at_head.as_deref() != Some(&self.head.hash[..]) {
            return Err(AgainstError::Head { position: self.head.position });
        }
        self.has_all_of_its_streams(log).await
    }

    async fn has_all_of_its_streams(&self, log: &Log) -> Result<(), AgainstError> {
        let mut counts: BTreeMap<&StreamId, i64> = BTreeMap::new();
        for event in &self.events {
            *counts.entry(&event.recorded.stream).or_default() += 1;
        }
        for (stream, count) in counts {
            let there: i64 = sqlx::query_scalar(
                "select count(*) from public.events where aggregate_type = $1 and aggregate_id = $2 and position <= $3",
            )
            .bind(&stream.aggregate_type)
            .bind(&stream.aggregate_id)
            .bind(stored(self.head.position))
            .fetch_one(log.pool())
            .await?;
            if there != count {
                return Err(AgainstError::Short { stream: stream.clone() });
            }
        }
        Ok(())
    }
}

async fn is_in(log: &Log, event: &BundledEvent) -> Result<bool, sqlx::Error> {
    let recorded = &event.recorded;
    let row = sqlx::query(
        "select recorded_at = $2 and aggregate_type = $3 and aggregate_id = $4 and sequence = $5 and event_type = $6
                and event_version = $7 and payload::text = $8 and metadata::text = $9 and hash = $10 as same
         from public.events where position = $1",
    )
    .bind(stored(recorded.position))
    .bind(recorded.recorded_at)
    .bind(&recorded.stream.aggregate_type)
    .bind(&recorded.stream.aggregate_id)
    .bind(stored(recorded.sequence))
    .bind(&recorded.event_type)
    .bind(&recorded.event_version)
    .bind(&event.texts.0)
    .bind(&event.texts.1)
    .bind(&event.hash[..])
    .fetch_optional(log.pool())
    .await?;
    row.map_or(Ok(false), |row| row.try_get("same"))
}

//! What every read of a projection takes: `pageToken`, `limit`, and `minPosition`, a position that the rows must contain.

use std::time::Duration;

use leasehold_projections::{MOST, PageRequest};

use super::query::Query;
use super::{Api, Problem};

/// How long a read waits for its rows.
const PATIENCE: Duration = Duration::from_secs(5);
/// Between two looks at a head that another process moves.
const GLANCE: Duration = Duration::from_millis(250);
/// Longest page token that is looked at.
const LONGEST_TOKEN: usize = 2_000;

/// The position that a read waits for, where it asks for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MinPosition(pub(super) Option<u64>);

impl MinPosition {
    /// Waits until the rows of these projections contain the position that was asked for.
    pub async fn reached_by(self, api: &Api, projections: &[&str]) -> Result<(), Problem> {
        let (Some(position), Some(projectors)) = (self.0, api.engine.projectors()) else { return Ok(()) };
        for projection in projections {
            projectors.wait_for(projection, position, PATIENCE).await?;
        }
        Ok(())
    }

    /// For what is told from streams, which are never behind the log: waits until the log itself has come so far.
    pub async fn reached(self, api: &Api) -> Result<(), Problem> {
        let Some(asked) = self.0 else { return Ok(()) };
        let (log, deadline) = (&api.engine.log, tokio::time::Instant::now() + PATIENCE);
        let mut nudge = log.subscribe();
        loop {
            nudge.borrow_and_update();
            let stands = log.head().await?.map_or(0, |head| head.position);
            if stands >= asked {
                return Ok(());
            }
            tokio::select! {
                _ = nudge.changed() => {}
                () = tokio::time::sleep(GLANCE) => {}
                () = tokio::time::sleep_until(deadline) => return Err(Problem::not_yet(stands, asked)),
            }
        }
    }
}

pub struct Paging {
    pub page: PageRequest,
    min_position: MinPosition,
}

impl Paging {
    pub fn of(query: &mut Query) -> Self {
        let token = query.text("pageToken", LONGEST_TOKEN);
        let limit = query.number("limit", 1..=u64::from(MOST)).and_then(|limit| u32::try_from(limit).ok());
        Self { page: PageRequest { token, limit }, min_position: query.min_position() }
    }

    /// Waits until the log itself holds the position that was asked for: for lists that are told from streams.
    pub async fn reached_by_log(&self, api: &Api) -> Result<(), Problem> {
        self.min_position.reached(api).await
    }

    /// Waits until the rows of these projections contain the position that was asked for.
    pub async fn reached(&self, api: &Api, projections: &[&str]) -> Result<(), Problem> {
        self.min_position.reached_by(api, projections).await
    }
}

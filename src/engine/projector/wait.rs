//! Waiting until a projection's rows contain a position: what a read after a write asks for.

use std::time::Duration;

use super::{Projector, Projectors};
use crate::log::LogError;

/// Between two looks at a cursor that another process moves.
const GLANCE: Duration = Duration::from_millis(50);

/// Why rows do not contain a position.
#[derive(Debug, thiserror::Error)]
pub enum NotReached {
    #[error("there is no projection {0}")]
    Unknown(String),
    #[error("the projection {name} stands at position {stands}, not at {asked} yet; ask again, or without a position")]
    Late { name: &'static str, stands: u64, asked: u64 },
    #[error("the projection {name} has stopped in front of position {at} and does not reach {asked}")]
    Stopped { name: &'static str, at: u64, asked: u64 },
    #[error("how far a projection has come could not be seen")]
    Database(#[from] LogError),
}

impl Projectors {
    /// Returns when the rows of `name` contain `position`, whoever writes them; `within` bounds the wait.
    pub async fn wait_for(&self, name: &str, position: u64, within: Duration) -> Result<(), NotReached> {
        let projector = self.each.iter().find(|projector| projector.status.borrow().name == name);
        let projector = projector.ok_or_else(|| NotReached::Unknown(name.to_owned()))?;
        let deadline = tokio::time::Instant::now() + within;
        let mut status = projector.status.clone();
        let mut alive = true;
        loop {
            let seen = status.borrow_and_update().clone();
            if seen.position >= position {
                return Ok(());
            }
            let stands = self.cursor(projector).await?;
            if stands >= position {
                return Ok(());
            }
            if let Some(at) = seen.stopped_at.filter(|at| *at <= position && stands < *at) {
                return Err(NotReached::Stopped { name: seen.name, at, asked: position });
            }
            tokio::select! {
                changed = status.changed(), if alive => alive = changed.is_ok(),
                () = tokio::time::sleep(GLANCE) => {}
                () = tokio::time::sleep_until(deadline) => return Err(NotReached::Late { name: seen.name, stands, asked: position }),
            }
        }
    }

    async fn cursor(&self, projector: &Projector) -> Result<u64, LogError> {
        Ok(self.log.cursor(&projector.consumer).await?.map_or(0, |cursor| cursor.position))
    }
}

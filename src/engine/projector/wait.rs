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
    #[error("the projection {name} is being built and does not serve yet; ask again")]
    Building { name: &'static str },
    #[error("the projection {name} has stopped in front of position {at} and does not reach {asked}")]
    Stopped { name: &'static str, at: u64, asked: u64 },
    #[error("how far a projection has come could not be seen")]
    Database(#[from] LogError),
}

impl Projectors {
    /// Returns when the rows of `name` contain `position`, whoever writes them; `within` bounds the wait.
    pub async fn wait_for(&self, name: &str, position: u64, within: Duration) -> Result<(), NotReached> {
        let projector = self.each.iter().find(|projector| projector.projection.name() == name);
        let projector = projector.ok_or_else(|| NotReached::Unknown(name.to_owned()))?;
        let name = projector.projection.name();
        let deadline = tokio::time::Instant::now() + within;
        let mut status = projector.status.clone();
        let mut alive = true;
        loop {
            let seen = status.borrow_and_update().clone();
            if seen.generation.is_some() && seen.position >= position {
                return Ok(());
            }
            projector.hurry.notify_one();
            let stands = self.served(projector).await?;
            match (stands, seen.stopped_at) {
                (Some(stands), _) if stands >= position => return Ok(()),
                (Some(stands), Some(at)) if at <= position && stands < at => {
                    return Err(NotReached::Stopped { name, at, asked: position });
                }
                _ => {}
            }
            tokio::select! {
                changed = status.changed(), if alive => alive = changed.is_ok(),
                () = tokio::time::sleep(GLANCE) => {}
                () = tokio::time::sleep_until(deadline) => return Err(match stands {
                    Some(stands) => NotReached::Late { name, stands, asked: position },
                    None => NotReached::Building { name },
                }),
            }
        }
    }

    /// The last position that the rows contain which answer reads; none while there are none.
    async fn served(&self, projector: &Projector) -> Result<Option<u64>, LogError> {
        let position: Option<i64> = sqlx::query_scalar(
            "select c.position from projections.generations g
             join public.cursors c on c.consumer = format('projection/%s/%s/%s', g.name, g.version, g.generation)
             where g.name = $1 and g.version = $2 and g.state = 'serving'",
        )
        .bind(projector.projection.name())
        .bind(i64::from(projector.projection.version()))
        .fetch_optional(self.log.pool())
        .await?;
        Ok(position.map(i64::unsigned_abs))
    }
}

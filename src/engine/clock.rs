//! The one clock. `now` is the database's, carried on by monotonic time in between, so that engines agree whatever
//! their own machines believe.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use chrono::{DateTime, DurationRound, TimeDelta, Utc};
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

use super::fault::told;

/// How old the last look at the database's clock may be.
const RESYNC: Duration = Duration::from_secs(10);
/// How often a controlled clock is looked at while somebody waits for it.
const GLANCE: Duration = Duration::from_millis(20);
/// Pause before a database that did not answer is asked again.
const PAUSE: Duration = Duration::from_millis(200);

/// Where the time comes from. Cheap to clone.
#[derive(Clone)]
pub struct Clock {
    pool: PgPool,
    kind: Kind,
}

#[derive(Clone)]
enum Kind {
    Database(Arc<Mutex<Option<Seen>>>),
    Controlled,
}

#[derive(Clone, Copy)]
struct Seen {
    database: DateTime<Utc>,
    here: Instant,
}

/// Why there is no time.
#[derive(Debug, thiserror::Error)]
pub enum ClockFault {
    #[error("the database did not tell the time")]
    Database(#[from] sqlx::Error),
    #[error("--clock=controlled is for tests: this database has no row in controlled_clock")]
    NotATest,
}

impl Clock {
    /// The database's clock.
    pub fn of_database(pool: PgPool) -> Self {
        Self { pool, kind: Kind::Database(Arc::default()) }
    }

    /// The clock that tests move: a row. Refused where a test has not put one there.
    pub async fn controlled(pool: PgPool) -> Result<Self, ClockFault> {
        let clock = Self { pool, kind: Kind::Controlled };
        clock.now().await?;
        Ok(clock)
    }

    /// The instant, in whole microseconds.
    pub async fn now(&self) -> Result<DateTime<Utc>, ClockFault> {
        let now = match &self.kind {
            Kind::Controlled => {
                let row = sqlx::query_scalar("select now from public.controlled_clock").fetch_optional(&self.pool).await?;
                row.ok_or(ClockFault::NotATest)?
            }
            Kind::Database(seen) => self.database_now(seen).await?,
        };
        Ok(now.duration_trunc(TimeDelta::microseconds(1)).unwrap_or(now))
    }

    /// The instant, however long the database takes to tell it; `None` if `stop` comes first.
    pub async fn now_at_last(&self, stop: &CancellationToken) -> Option<DateTime<Utc>> {
        loop {
            match self.now().await {
                Ok(now) => return Some(now),
                Err(error) => tracing::warn!(error = %told(&error), "the time is not known; asking again"),
            }
            tokio::select! {
                () = stop.cancelled() => return None,
                () = tokio::time::sleep(PAUSE) => {}
            }
        }
    }

    async fn database_now(&self, seen: &Mutex<Option<Seen>>) -> Result<DateTime<Utc>, ClockFault> {
        let last = *seen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(last) = last
            && last.here.elapsed() < RESYNC
        {
            return Ok(last.database + last.here.elapsed());
        }
        let asked = Instant::now();
        let told: DateTime<Utc> = sqlx::query_scalar("select clock_timestamp()").fetch_one(&self.pool).await?;
        let here = asked + asked.elapsed() / 2;
        *seen.lock().unwrap_or_else(PoisonError::into_inner) = Some(Seen { database: told, here });
        Ok(told)
    }

    /// Waits until it may be `instant`, at the latest; a controlled clock may be moved at any moment, so there it is
    /// only a short while.
    pub async fn until(&self, instant: Option<DateTime<Utc>>, now: DateTime<Utc>) {
        let wait = match self.kind {
            Kind::Controlled => GLANCE,
            Kind::Database(_) => match instant {
                Some(instant) => (instant - now).to_std().unwrap_or(Duration::ZERO).min(RESYNC),
                None => RESYNC,
            },
        };
        tokio::time::sleep(wait).await;
    }
}

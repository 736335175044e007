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
    /// The last look.
    seen: Arc<Mutex<Option<Seen>>>,
}

#[derive(Clone, Copy)]
enum Kind {
    Database,
    Controlled,
}

#[derive(Clone, Copy)]
struct Seen {
    told: DateTime<Utc>,
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
        Self { pool, kind: Kind::Database, seen: Arc::default() }
    }

    /// The clock that tests move: a row. Refused where a test has not put one there.
    pub async fn controlled(pool: PgPool) -> Result<Self, ClockFault> {
        let clock = Self { pool, kind: Kind::Controlled, seen: Arc::default() };
        clock.now().await?;
        Ok(clock)
    }

    /// The instant, in whole microseconds.
    pub async fn now(&self) -> Result<DateTime<Utc>, ClockFault> {
        let now = match &self.kind {
            Kind::Controlled => {
                let row = sqlx::query_scalar("select now from public.controlled_clock").fetch_optional(&self.pool).await?;
                let told = row.ok_or(ClockFault::NotATest)?;
                self.saw(told, Instant::now());
                told
            }
            Kind::Database => self.database_now().await?,
        };
        Ok(now.duration_trunc(TimeDelta::microseconds(1)).unwrap_or(now))
    }

    /// The instant by the last look at the clock, however long ago that was; none before the first. Asks nobody, and is
    /// nothing to decide by.
    pub fn reckoned(&self) -> Option<DateTime<Utc>> {
        let seen = *self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.map(|seen| match self.kind {
            Kind::Database => seen.told + seen.here.elapsed(),
            Kind::Controlled => seen.told,
        })
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

    async fn database_now(&self) -> Result<DateTime<Utc>, ClockFault> {
        let last = *self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(last) = last
            && last.here.elapsed() < RESYNC
        {
            return Ok(last.told + last.here.elapsed());
        }
        let asked = Instant::now();
        let told: DateTime<Utc> = sqlx::query_scalar("select clock_timestamp()").fetch_one(&self.pool).await?;
        self.saw(told, asked + asked.elapsed() / 2);
        Ok(told)
    }

    fn saw(&self, told: DateTime<Utc>, here: Instant) {
        *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = Some(Seen { told, here });
    }

    /// Waits until it may be `instant`, or for a while. A controlled clock may be moved at any moment: it is looked at again
    /// and again, until it shows the instant or cannot be seen.
    pub async fn until(&self, instant: Option<DateTime<Utc>>, now: DateTime<Utc>) {
        match self.kind {
            Kind::Database => {
                let wait = instant.map_or(RESYNC, |instant| (instant - now).to_std().unwrap_or(Duration::ZERO).min(RESYNC));
                tokio::time::sleep(wait).await;
            }
            Kind::Controlled => loop {
                tokio::time::sleep(GLANCE).await;
                match self.now().await {
                    Ok(now) if instant.is_none_or(|instant| now < instant) => {}
                    Ok(_) | Err(_) => return,
                }
            },
        }
    }
}

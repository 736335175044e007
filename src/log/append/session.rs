//! The append task's own connection.

use std::time::{Duration, Instant};

use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Executor, PgConnection};

/// Between two tries at a database that does not answer.
const PAUSE: Duration = Duration::from_millis(50);

/// How sessions that append are opened.
#[derive(Clone)]
pub(in crate::log) struct Sessions {
    pub database: PgConnectOptions,
    /// Statements that set the limits of a session.
    pub limits: String,
    /// How long to go on trying.
    pub connection_wait: Duration,
    pub lock_wait: Duration,
}

impl Sessions {
    /// A session, as soon as the database lets us in. A database that is away is asked again until the wait is over.
    pub async fn open(&self) -> Result<PgConnection, sqlx::Error> {
        let asked = Instant::now();
        loop {
            let left = self.connection_wait.saturating_sub(asked.elapsed());
            let opened = tokio::time::timeout(left, self.try_open()).await.unwrap_or(Err(sqlx::Error::PoolTimedOut));
            match opened {
                Err(error) if passes(&error) && asked.elapsed() + PAUSE < self.connection_wait => tokio::time::sleep(PAUSE).await,
                settled => return settled,
            }
        }
    }

    async fn try_open(&self) -> Result<PgConnection, sqlx::Error> {
        let mut session = self.database.connect().await?;
        session.execute(self.limits.as_str()).await?;
        Ok(session)
    }
}

/// Whether the database may let us in a little later: it is away, starting or stopping, or full.
fn passes(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) | sqlx::Error::Protocol(_) => true,
        sqlx::Error::Database(refusal) => {
            let code = refusal.code().unwrap_or_default();
            code.starts_with("57P") || code == "53300"
        }
        _ => false,
    }
}

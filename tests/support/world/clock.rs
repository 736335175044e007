//! The clock of the engines: a row that tests move.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

/// What time it is when a world begins: a Monday in winter, noon in Greenwich, 13:00 in Berlin.
pub const BEGINNING: &str = "2027-03-01T12:00:00Z";

/// The controlled clock of one database.
#[derive(Debug)]
pub struct Clock {
    connection: tokio::sync::Mutex<PgConnection>,
}

impl Clock {
    /// Marks the database as a test's, by putting the clock there, at that instant.
    pub async fn start(mut connection: PgConnection, beginning: &str) -> Self {
        let beginning: DateTime<Utc> = beginning.parse().unwrap();
        sqlx::query("insert into public.controlled_clock (now) values ($1)")
            .bind(beginning)
            .execute(&mut connection)
            .await
            .unwrap();
        Self { connection: tokio::sync::Mutex::new(connection) }
    }

    /// The clock that is there already, as in a copy.
    pub fn going_on(connection: PgConnection) -> Self {
        Self { connection: tokio::sync::Mutex::new(connection) }
    }

    /// What time it is.
    pub async fn now(&self) -> DateTime<Utc> {
        let mut connection = self.connection.lock().await;
        sqlx::query_scalar("select now from public.controlled_clock").fetch_one(&mut *connection).await.unwrap()
    }

    /// Moves the engines' clock alone.
    pub async fn advance(&self, seconds: u32) {
        let mut connection = self.connection.lock().await;
        let moved = sqlx::query("update public.controlled_clock set now = now + $1 * interval '1 second'");
        moved.bind(f64::from(seconds)).execute(&mut *connection).await.unwrap();
    }

    /// Sets the engines' clock back, as an operator or a time server may.
    pub async fn set_back(&self, seconds: u32) {
        let mut connection = self.connection.lock().await;
        let moved = sqlx::query("update public.controlled_clock set now = now - $1 * interval '1 second'");
        moved.bind(f64::from(seconds)).execute(&mut *connection).await.unwrap();
    }
}

//! How far the consumers of the log have come, and who leads them.

use sqlx::{PgConnection, Row};
use uuid::Uuid;

use super::Log;
use super::error::{LogError, place};

/// One consumer, beside the head.
#[derive(Debug, Clone, PartialEq)]
pub struct Lag {
    pub consumer: String,
    /// The last position that it has dealt with.
    pub position: u64,
    /// Events that it has not dealt with.
    pub behind: u64,
    /// Seconds since the first of them was recorded, by the database's clock; 0 where there is none.
    pub waiting: f64,
    /// Changes of hands so far.
    pub epoch: u64,
    /// Who leads it, while the term runs.
    pub holder: Option<Uuid>,
}

/// A reader of something else than the log, by its own numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Followed {
    pub consumer: String,
    pub position: u64,
    pub epoch: u64,
    pub holder: Uuid,
}

impl Log {
    /// The consumers whose names begin so and that somebody leads.
    pub async fn followed(connection: &mut PgConnection, prefix: &str) -> Result<Vec<Followed>, LogError> {
        let rows = sqlx::query(
            "select c.consumer, c.position, l.epoch, l.holder from public.cursors c
             join public.leadership l on l.consumer = c.consumer and l.expires_at > clock_timestamp()
             where starts_with(c.consumer, $1) order by c.consumer",
        );
        let followed = |row: sqlx::postgres::PgRow| {
            Ok(Followed {
                consumer: row.try_get("consumer")?,
                position: place(row.try_get("position")?),
                epoch: place(row.try_get("epoch")?),
                holder: row.try_get("holder")?,
            })
        };
        rows.bind(prefix).fetch_all(connection).await?.into_iter().map(followed).collect()
    }

    /// How those of `consumers` stand that were ever led. One statement, by index.
    pub async fn lags(connection: &mut PgConnection, consumers: &[String]) -> Result<Vec<Lag>, LogError> {
        let rows = sqlx::query(
            "select c.consumer, c.position, greatest(head.position - c.position, 0) as behind,
                    coalesce(greatest(extract(epoch from clock_timestamp() - waiting.recorded_at), 0), 0)::float8 as waiting,
                    coalesce(l.epoch, c.epoch) as epoch, case when l.expires_at > clock_timestamp() then l.holder end as holder
             from public.cursors c
             cross join (select coalesce(max(position), 0) as position from public.events) head
             left join public.events waiting on waiting.position = c.position + 1
             left join public.leadership l on l.consumer = c.consumer
             where c.consumer = any($1) order by c.consumer",
        );
        let lag = |row: sqlx::postgres::PgRow| {
            Ok(Lag {
                consumer: row.try_get("consumer")?,
                position: place(row.try_get("position")?),
                behind: place(row.try_get("behind")?),
                waiting: row.try_get("waiting")?,
                epoch: place(row.try_get("epoch")?),
                holder: row.try_get("holder")?,
            })
        };
        rows.bind(consumers).fetch_all(connection).await?.into_iter().map(lag).collect()
    }
}

//! Every generation there is, as the database knows it: of this program's versions and of others.

use leasehold_projections::{Generation, Projection};
use sqlx::{FromRow, PgExecutor};

/// What a generation is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display, strum::EnumString, serde::Serialize)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum State {
    /// It answers the reads of its version's programs.
    Serving,
    /// It is filled beside the one that serves.
    Building,
    /// Nobody reads it any more, and it is about to be dropped.
    Retired,
    Dropped,
}

/// One generation at one moment.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Standing {
    pub name: String,
    pub version: u32,
    pub generation: u32,
    pub state: State,
    /// The last position that its rows contain.
    pub position: u64,
    /// The newest position of the log at the same moment.
    pub head: u64,
    /// The process that leads it, while its term runs.
    pub led_by: Option<uuid::Uuid>,
    /// Position of the event in front of which it stands, as no program of late could use it.
    pub stopped_at: Option<u64>,
    /// Why not.
    pub why: Option<String>,
    /// Seconds since the term of its last leader ended; 0 while one leads.
    pub unled_seconds: u64,
}

#[derive(FromRow)]
struct Row {
    name: String,
    version: i32,
    generation: i32,
    state: String,
    position: i64,
    head: i64,
    led_by: Option<uuid::Uuid>,
    stopped_at: Option<i64>,
    stopped_why: Option<String>,
    unled_seconds: i64,
}

/// All generations that have tables, by name, version and number.
pub async fn standings(database: impl PgExecutor<'_>) -> Result<Vec<Standing>, sqlx::Error> {
    let rows: Vec<Row> = sqlx::query_as(
        "select g.name, g.version, g.generation, g.state, coalesce(c.position, 0) as position,
                coalesce((select max(e.position) from public.events e), 0) as head,
                case when l.expires_at > clock_timestamp() then l.holder end as led_by, g.stopped_at, g.stopped_why,
                greatest(0, extract(epoch from clock_timestamp() - coalesce(l.expires_at, g.made_at)))::bigint as unled_seconds
         from projections.generations g
         cross join lateral format('projection/%s/%s/%s', g.name, g.version, g.generation) as consumer
         left join public.cursors c using (consumer)
         left join public.leadership l using (consumer)
         where g.state <> 'dropped' order by g.name, g.version, g.generation",
    )
    .fetch_all(database)
    .await?;
    rows.into_iter().map(read).collect()
}

fn read(row: Row) -> Result<Standing, sqlx::Error> {
    let state = row.state.parse().map_err(|error: strum::ParseError| sqlx::Error::Decode(error.into()))?;
    Ok(Standing {
        name: row.name,
        version: row.version.unsigned_abs(),
        generation: row.generation.unsigned_abs(),
        state,
        position: row.position.unsigned_abs(),
        head: row.head.unsigned_abs(),
        led_by: row.led_by,
        stopped_at: row.stopped_at.map(i64::unsigned_abs),
        why: row.stopped_why,
        unled_seconds: row.unled_seconds.unsigned_abs(),
    })
}

impl Standing {
    pub(super) fn is_of(&self, projection: &dyn Projection) -> bool {
        self.name == projection.name() && self.version == projection.version()
    }

    /// Events that it is still to be told of.
    pub fn behind(&self) -> u64 {
        self.head.saturating_sub(self.position)
    }
}

/// The generation of this version in that state, among these.
pub(super) fn find(standings: &[Standing], projection: &dyn Projection, state: State) -> Option<Generation> {
    let found = standings.iter().find(|standing| standing.is_of(projection) && standing.state == state);
    found.map(|standing| Generation::of(projection, standing.generation))
}

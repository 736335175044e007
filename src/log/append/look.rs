//! The beginning of a transaction that holds the log's lock, and the look around in it, in one trip: nobody else can append
//! until it ends, and what is seen is what was appended before.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use sqlx::postgres::PgRow;
use sqlx::{Executor, PgConnection, Row};
use uuid::Uuid;

use super::Appended;
use super::known::{self, Known};
use super::plan::Seen;
use super::waiting::Prepared;
use crate::log::error::{place, stored};
use crate::log::stream::{Head, StreamId};

/// Events of others that are read to learn where their streams end. Behind more, the ends are forgotten.
const READ: i64 = 20_000;

/// What the look has shown.
pub(super) struct Looked {
    pub seen: Seen,
    pub clock: DateTime<Utc>,
    /// Others have written since the head that was known.
    pub others: bool,
    /// Some of the commands committed before.
    pub found: bool,
}

/// Begins, takes the lock, and brings what is known up to date.
pub(super) async fn locked(
    connection: &mut PgConnection,
    lock_wait: Duration,
    commands: &[&Prepared],
    known: &Mutex<Known>,
) -> Result<Looked, sqlx::Error> {
    let from = known::of(known).head.clone();
    let known_at = from.as_ref().map_or(-1, |head| stored(head.position));
    let command_ids = listed(commands.iter().map(|command| command.append.command_id));
    let items = listed(commands.iter().flat_map(|command| command.append.unstage.iter().copied()));
    // The limit comes with the transaction, so that it holds behind a pooler that shares sessions, too.
    let script = format!(
        "begin isolation level read committed; set local lock_timeout = {};
         select * from public.leasehold_look({known_at}, {READ}, '{{{command_ids}}}', '{{{items}}}')",
        lock_wait.as_millis(),
    );
    let rows = connection.fetch_all(sqlx::raw_sql(&script)).await?;
    understood(&rows, from.as_ref(), &mut known::of(known))
}

fn listed(ids: impl Iterator<Item = Uuid>) -> String {
    ids.map(|id| id.to_string()).collect::<Vec<_>>().join(",")
}

/// The rows of `leasehold_look`, whose two numbers mean by `what` of the row: `now` position of the head and its instant in
/// microseconds, `clock` the instant it is, `done` the command's first and last position, `end` the stream's last sequence.
fn understood(rows: &[PgRow], from: Option<&Head>, known: &mut Known) -> Result<Looked, sqlx::Error> {
    let (mut done, mut items) = (BTreeMap::new(), BTreeSet::new());
    let (mut clock, mut head, mut front) = (None, None, None);
    let mut ends = Vec::new();
    for row in rows {
        match row.try_get::<&str, _>("what") {
            Ok("now") => {
                front = row.try_get::<Option<Vec<u8>>, _>("front")?;
                head = head_of(row)?;
            }
            Ok("clock") => clock = instant(row.try_get("first")?),
            Ok("done") => {
                let made = Appended { first: place(row.try_get("first")?), last: place(row.try_get("last")?) };
                done.insert(row.try_get("id")?, made);
            }
            Ok("item") => {
                items.insert(row.try_get::<Uuid, _>("id")?);
            }
            Ok("end") => {
                let stream =
                    StreamId::new(row.try_get::<String, _>("aggregate_type")?, row.try_get::<String, _>("aggregate_id")?);
                ends.push((stream, place(row.try_get("first")?)));
            }
            _ => {}
        }
    }
    let others = from.is_some() && head.as_ref().map(|head| &head.hash) != from.map(|head| &head.hash);
    let continued = from.is_none_or(|from| front.as_ref() == Some(&from.hash));
    let far = others && head.as_ref().zip(from).is_some_and(|(head, from)| stored(head.position) > stored(from.position) + READ);
    if from.is_none() || !continued || far {
        known.forget();
    } else {
        for (stream, end) in &ends {
            known.ends_at(stream, *end);
        }
    }
    known.head = head;
    let clock = clock.ok_or_else(|| sqlx::Error::Protocol("the database told no time".to_owned()))?;
    known.heard(clock, Instant::now());
    let found = !done.is_empty();
    Ok(Looked { seen: Seen { done, items: Some(items) }, clock, others, found })
}

fn head_of(row: &PgRow) -> Result<Option<Head>, sqlx::Error> {
    let Some(position) = row.try_get::<Option<i64>, _>("first")? else { return Ok(None) };
    let recorded_at = instant(row.try_get("last")?).unwrap_or_default();
    Ok(Some(Head { position: place(position), hash: row.try_get("hash")?, recorded_at }))
}

fn instant(micros: i64) -> Option<DateTime<Utc>> {
    DateTime::from_timestamp_micros(micros)
}

/// Learns where the streams end that the commands name and of which nothing is known. The caller holds the lock.
pub(super) async fn unknown_ends(
    connection: &mut PgConnection,
    commands: &[&Prepared],
    known: &Mutex<Known>,
) -> Result<(), sqlx::Error> {
    let named = commands.iter().flat_map(|command| {
        let written = command.append.writes.iter().map(|write| &write.stream);
        written.chain(command.append.requires.iter().map(|(stream, _)| stream))
    });
    let unknown: BTreeSet<&StreamId> = {
        let mut known = known::of(known);
        named.filter(|stream| known.end(stream).is_none()).collect()
    };
    if unknown.is_empty() {
        return Ok(());
    }
    let ends: Vec<i64> = sqlx::query_scalar(
        "select coalesce((select max(e.sequence) from public.events e
                          where e.aggregate_type = k.aggregate_type and e.aggregate_id = k.aggregate_id), 0)
         from unnest($1::text[], $2::text[]) with ordinality as k (aggregate_type, aggregate_id, nth)
         order by k.nth",
    )
    .bind(unknown.iter().map(|stream| stream.aggregate_type.as_str()).collect::<Vec<_>>())
    .bind(unknown.iter().map(|stream| stream.aggregate_id.as_str()).collect::<Vec<_>>())
    .fetch_all(connection)
    .await?;
    let mut known = known::of(known);
    for (stream, end) in unknown.into_iter().zip(ends) {
        known.ends_at(stream, place(end));
    }
    Ok(())
}

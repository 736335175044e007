//! The one statement that writes a batch.
//!
//! The events come first: everything else reads from what their insert returns, so that the log's lock is taken before any
//! other and two engines cannot wait for each other. Whether the events follow the head is the schema's check. Two more
//! things are checked here, each by a division that fails: that streams of which nothing is remembered end where the batch
//! assumes, and that every staged item which the batch carries out was there. The snapshot is from before the lock; it holds
//! everything up to the head that the events follow, and if there is more, they follow nothing and the statement fails.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, Row};
use uuid::Uuid;

use super::columns::Columns;
use super::plan::Plan;
use super::waiting::Prepared;
use crate::log::error::stored;
use crate::log::staged::Staged;

macro_rules! statement {
    ($beside:literal, $checked:literal) => {
        concat!(
            "with written as (
                 insert into public.events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata,
                                            position, recorded_at, hash)
                 select r.aggregate_type, r.aggregate_id, r.sequence, r.event_type, r.event_version, r.payload::json,
                        r.metadata::json, r.position, $1, r.hash
                 from unnest($2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[], $9::bigint[],
                             $10::bytea[])
                      as r (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata, position, hash)
                 returning clock_timestamp() as clock
             ), ended as (
                 select max(w.clock) as clock from written w
             ), done as (
                 insert into public.commands (command_id, first_position, last_position)
                 select c.command_id, c.first, c.last
                 from ended, unnest($11::uuid[], $12::bigint[], $13::bigint[]) as c (command_id, first, last)
                 where ended.clock is not null
             )",
            $beside,
            " select ended.clock, 1 / (case when not exists (
                         select from unnest($14::text[], $15::text[], $16::bigint[]) as k (aggregate_type, aggregate_id, expected)
                         where k.expected <> coalesce((select max(e.sequence) from public.events e
                             where e.aggregate_type = k.aggregate_type and e.aggregate_id = k.aggregate_id), 0))",
            $checked,
            " then 1 else 0 end) as checked from ended"
        )
    };
}

/// Events and commands alone.
const PLAIN: &str = statement!("", "");
/// With items that are staged, and that are carried out.
const STAGING: &str = statement!(
    ", staged as (
         insert into public.staged (id, aggregate_type, aggregate_id, kind, due_at, payload)
         select s.id, s.aggregate_type, s.aggregate_id, s.kind, s.due_at, s.payload::json
         from ended, unnest($17::uuid[], $18::text[], $19::text[], $20::text[], $21::timestamptz[], $22::text[])
              as s (id, aggregate_type, aggregate_id, kind, due_at, payload)
         where ended.clock is not null
     ), gone as (
         delete from public.staged s using ended where s.id = any($23::uuid[]) and ended.clock is not null returning s.id
     )",
    " and (select count(*) from gone) = $24"
);

/// Writes events and commands of the plan, which has an event at least, and its staged items if they are to come along; says
/// what time it was there.
pub(super) async fn write(
    connection: &mut PgConnection,
    commands: &[&Prepared],
    plan: &Plan<'_>,
    columns: Columns<'_>,
    with_items: bool,
) -> Result<DateTime<Utc>, sqlx::Error> {
    let ahead = || plan.ahead.iter().map(|(nth, _)| &commands[*nth].append);
    let stage: Vec<&Staged> = ahead().flat_map(|append| &append.stage).collect();
    let unstage: Vec<Uuid> = ahead().flat_map(|append| append.unstage.iter().copied()).collect();
    let staging = with_items && !(stage.is_empty() && unstage.is_empty());
    let named = |of: fn(&(&crate::log::stream::StreamId, u64)) -> String| plan.assumed.iter().map(of).collect::<Vec<_>>();
    let mut query = sqlx::query(if staging { STAGING } else { PLAIN })
        .bind(columns.recorded_at)
        .bind(columns.aggregate_type)
        .bind(columns.aggregate_id)
        .bind(columns.sequence)
        .bind(columns.event_type)
        .bind(columns.event_version)
        .bind(columns.payload)
        .bind(columns.metadata)
        .bind(columns.position)
        .bind(columns.hash)
        .bind(columns.command_id)
        .bind(columns.first)
        .bind(columns.last)
        .bind(named(|(stream, _)| stream.aggregate_type.clone()))
        .bind(named(|(stream, _)| stream.aggregate_id.clone()))
        .bind(plan.assumed.iter().map(|(_, expected)| stored(*expected)).collect::<Vec<_>>());
    if staging {
        let count = stored(unstage.len() as u64);
        query = query
            .bind(stage.iter().map(|item| item.id).collect::<Vec<_>>())
            .bind(stage.iter().map(|item| item.stream.aggregate_type.as_str()).collect::<Vec<_>>())
            .bind(stage.iter().map(|item| item.stream.aggregate_id.as_str()).collect::<Vec<_>>())
            .bind(stage.iter().map(|item| item.kind.as_str()).collect::<Vec<_>>())
            .bind(stage.iter().map(|item| item.due_at).collect::<Vec<_>>())
            .bind(stage.iter().map(|item| item.payload.to_string()).collect::<Vec<_>>())
            .bind(unstage)
            .bind(count);
    }
    query.fetch_one(connection).await?.try_get("clock")
}

/// Writes commands that have made no event.
pub(super) async fn write_commands(connection: &mut PgConnection, columns: Columns<'_>) -> Result<(), sqlx::Error> {
    let commands = sqlx::query(
        "insert into public.commands (command_id, first_position, last_position)
         select * from unnest($1::uuid[], $2::bigint[], $3::bigint[])",
    );
    commands.bind(columns.command_id).bind(columns.first).bind(columns.last).execute(connection).await?;
    Ok(())
}

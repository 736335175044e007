//! Projections with one row a stream. The folded state is kept beside the row and the columns are told from it alone, so
//! that a row always says what folding its stream would say.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use sqlx::{PgConnection, Row};

use crate::fault::EventFault;
use crate::{ProjectionFault, SeenEvent, Table};

/// A row that stands for a stream.
pub(crate) trait StreamRow {
    /// The table; beside [`StreamRow::columns`] it has `id`, `sequence`, `position` and `folded`.
    const TABLE: Table;
    type State: Default + Serialize + DeserializeOwned + Send;

    fn fold(state: &mut Self::State, event: &SeenEvent) -> Result<(), EventFault>;

    /// The columns of its own.
    fn columns(id: &str, state: &Self::State) -> Result<Value, EventFault>;
}

struct Standing<S> {
    state: S,
    sequence: u64,
    position: u64,
}

/// Folds `events` into the rows of their streams: one read, one write, however many events.
pub(crate) async fn apply<R: StreamRow>(connection: &mut PgConnection, events: &[SeenEvent]) -> Result<(), ProjectionFault> {
    let mut streams = stand::<R>(connection, events).await?;
    for event in events {
        let standing = streams.entry(event.aggregate_id.clone()).or_insert_with(|| Standing {
            state: R::State::default(),
            sequence: 0,
            position: 0,
        });
        follow::<R>(standing, event).map_err(|source| ProjectionFault::Event { position: event.position, source })?;
    }
    let mut rows = Vec::with_capacity(streams.len());
    for (id, standing) in &streams {
        let row = row::<R>(id, standing);
        rows.push(row.map_err(|source| ProjectionFault::Event { position: standing.position, source })?);
    }
    R::TABLE.put(connection, &rows).await?;
    Ok(())
}

async fn stand<R: StreamRow>(
    connection: &mut PgConnection,
    events: &[SeenEvent],
) -> Result<BTreeMap<String, Standing<R::State>>, ProjectionFault> {
    let ids: Vec<&str> = events.iter().map(|event| event.aggregate_id.as_str()).collect();
    let select = format!("select id, sequence, position, folded::text as folded from {} where id = any($1)", R::TABLE.name);
    let mut standing = BTreeMap::new();
    for row in sqlx::query(&select).bind(ids).fetch_all(connection).await? {
        let position = row.try_get::<i64, _>("position")?.unsigned_abs();
        let state: R::State = serde_json::from_str(row.try_get("folded")?)
            .map_err(|error| ProjectionFault::Event { position, source: error.into() })?;
        let sequence = row.try_get::<i64, _>("sequence")?.unsigned_abs();
        standing.insert(row.try_get("id")?, Standing { state, sequence, position });
    }
    Ok(standing)
}

fn follow<R: StreamRow>(standing: &mut Standing<R::State>, event: &SeenEvent) -> Result<(), EventFault> {
    if event.sequence != standing.sequence + 1 {
        return Err(EventFault::OutOfStep { stands: standing.sequence, sequence: event.sequence });
    }
    R::fold(&mut standing.state, event)?;
    (standing.sequence, standing.position) = (event.sequence, event.position);
    Ok(())
}

fn row<R: StreamRow>(id: &str, standing: &Standing<R::State>) -> Result<Value, EventFault> {
    let mut row: Map<String, Value> = serde_json::from_value(R::columns(id, &standing.state)?)?;
    row.insert("id".into(), json!(id));
    row.insert("sequence".into(), json!(standing.sequence));
    row.insert("position".into(), json!(standing.position));
    row.insert("folded".into(), serde_json::to_value(&standing.state)?);
    Ok(Value::Object(row))
}

//! Projections with one row a stream. The folded state is kept beside the row and the columns are told from it alone, so
//! that a row always says what folding its stream would say.

use std::collections::{HashMap, HashSet};

use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::{PgConnection, Row};

use crate::cells::Json;
use crate::fault::EventFault;
use crate::projection::{Folded, Folding, Memory};
use crate::rows::Rows;
use crate::{LoggedEvent, Place, ProjectionFault, Table};

/// Batches for which an untouched stream is remembered; see [`Memory::Own`].
const REMEMBERED: u64 = 3;

/// A row that stands for a stream.
pub(crate) trait StreamRow: Send + 'static {
    /// The table; its key is `id`, and beside [`StreamRow::columns`] it has `sequence`, `position` and `folded`.
    const TABLE: Table;
    type State: Default + Serialize + DeserializeOwned + Send + Sync + 'static;

    /// Folds one event; what it means for other tables goes into `rows`.
    fn fold(state: &mut Self::State, event: &LoggedEvent, rows: &mut Rows) -> Result<(), EventFault>;

    /// What the state, as a batch leaves it, means for the rows of other tables; `there` says whether any may be left from
    /// a batch before.
    fn beside(_id: &str, _state: &Self::State, _there: bool, _rows: &mut Rows) -> Result<(), EventFault> {
        Ok(())
    }

    /// The columns of its own: a struct with a field for each, in the table's order.
    fn columns(id: &str, state: &Self::State) -> Result<impl Serialize, EventFault>;
}

struct Standing<S> {
    state: S,
    sequence: u64,
    position: u64,
    /// Whether a row of it has been written.
    there: bool,
    /// The batch that touched it last.
    touched: u64,
}

/// Folds the streams of one kind of row: one read and one write a table, however many events.
pub(crate) struct StreamFolding<R: StreamRow> {
    memory: Memory,
    batch: u64,
    streams: HashMap<String, Standing<R::State>>,
    /// Of this batch, for other tables.
    beside: Rows,
}

impl<R: StreamRow> StreamFolding<R> {
    pub fn boxed(memory: Memory) -> Box<dyn Folding> {
        Box::new(Self { memory, batch: 0, streams: HashMap::new(), beside: Rows::default() })
    }

    /// Reads the rows of streams that these events touch and that are not known.
    async fn look_up(
        &mut self,
        connection: &mut PgConnection,
        place: Place,
        events: &[&LoggedEvent],
    ) -> Result<(), ProjectionFault> {
        if self.memory == Memory::Everything {
            return Ok(());
        }
        let begins = |event: &LoggedEvent| self.memory != Memory::Rows && event.sequence == 1;
        let mut seen = HashSet::new();
        let mut ids = Vec::new();
        for event in events {
            let id = event.aggregate_id.as_str();
            if !self.streams.contains_key(id) && seen.insert(id) && !begins(event) {
                ids.push(id);
            }
        }
        if ids.is_empty() {
            return Ok(());
        }
        let name = place.name(&R::TABLE);
        let select = format!("select id, sequence, position, folded::text as folded from {name} where id = any($1)");
        for row in sqlx::query(&select).bind(ids).fetch_all(connection).await? {
            let position = row.try_get::<i64, _>("position")?.unsigned_abs();
            let state = serde_json::from_str(row.try_get("folded")?)
                .map_err(|error| ProjectionFault::Event { position, source: EventFault::State(error) })?;
            let sequence = row.try_get::<i64, _>("sequence")?.unsigned_abs();
            let standing = Standing { state, sequence, position, there: true, touched: self.batch };
            self.streams.insert(row.try_get("id")?, standing);
        }
        Ok(())
    }

    fn follow(&mut self, event: &LoggedEvent) -> Result<(), EventFault> {
        let new = || Standing { state: R::State::default(), sequence: 0, position: 0, there: false, touched: 0 };
        // Most events are of streams that are there: only a new one is worth a copy of its name.
        let standing = match self.streams.get_mut(&event.aggregate_id) {
            Some(standing) => standing,
            None => self.streams.entry(event.aggregate_id.clone()).or_insert_with(new),
        };
        if event.sequence != standing.sequence + 1 {
            return Err(EventFault::OutOfStep { stands: standing.sequence, sequence: event.sequence });
        }
        R::fold(&mut standing.state, event, &mut self.beside)?;
        (standing.sequence, standing.position, standing.touched) = (event.sequence, event.position, self.batch);
        Ok(())
    }

    async fn batch(
        &mut self,
        connection: &mut PgConnection,
        place: Place,
        events: &[&LoggedEvent],
    ) -> Result<(), ProjectionFault> {
        self.batch += 1;
        self.beside = Rows::default();
        let since = match self.memory {
            Memory::Rows => self.batch,
            Memory::Own => self.batch.saturating_sub(REMEMBERED),
            Memory::Everything => 0,
        };
        if since > 0 {
            self.streams.retain(|_, standing| standing.touched >= since);
        }
        self.look_up(connection, place, events).await?;
        for event in events {
            self.follow(event).map_err(|source| ProjectionFault::Event { position: event.position, source })?;
        }
        Ok(())
    }
}

impl<R: StreamRow> Folding for StreamFolding<R> {
    fn fold<'a>(&'a mut self, connection: &'a mut PgConnection, place: Place, events: &'a [&'a LoggedEvent]) -> Folded<'a> {
        Box::pin(self.batch(connection, place, events))
    }

    fn rows(&mut self) -> Result<Rows, ProjectionFault> {
        let mut rows = std::mem::take(&mut self.beside);
        for (id, standing) in self.streams.iter_mut().filter(|(_, standing)| standing.touched == self.batch) {
            let position = standing.position;
            told::<R>(id, standing, &mut rows).map_err(|source| ProjectionFault::Event { position, source })?;
            standing.there = true;
        }
        Ok(rows)
    }
}

/// The columns that every such row begins with.
#[derive(Serialize)]
struct First<'a, S> {
    id: &'a str,
    sequence: u64,
    position: u64,
    folded: Json<&'a S>,
}

fn told<R: StreamRow>(id: &str, standing: &Standing<R::State>, rows: &mut Rows) -> Result<(), EventFault> {
    let Standing { state, sequence, position, there, .. } = standing;
    let first = First { id, sequence: *sequence, position: *position, folded: Json(state) };
    rows.put_stream(&R::TABLE, &first, &R::columns(id, state)?, there.then_some(id))?;
    R::beside(id, state, *there, rows)
}

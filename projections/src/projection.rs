//! What a projection is: a name, a version, tables of its own, and how events become rows.

use std::pin::Pin;

use sqlx::PgConnection;

use crate::rows::Rows;
use crate::{LoggedEvent, Place, ProjectionFault, Table};

/// A fold under way: done, or why it was not.
pub type Folded<'a> = Pin<Box<dyn Future<Output = Result<(), ProjectionFault>> + Send + 'a>>;

/// Rows derived from the log. Everything in them comes from events: emptying the tables and starting at position 0 gives
/// the same rows again.
pub trait Projection: Send + Sync {
    /// Lowercase, unique among projections.
    fn name(&self) -> &'static str;

    /// Rises when the rows would come out differently. The names of the tables end in it, so that two versions can
    /// stand side by side.
    fn version(&self) -> u32;

    fn tables(&self) -> &'static [Table];

    /// The kinds of stream that it is made from. Of those it must understand every event.
    fn streams(&self) -> &'static [&'static str];

    fn folder(&self, memory: Memory) -> Box<dyn Folding>;
}

/// What a folder may rely on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    /// The rows are looked at for every batch: others may have written them since.
    Rows,
    /// Nobody else writes, and every batch is written before the third one after it is folded: what was touched lately
    /// is remembered, and a stream that begins has no row yet.
    Own,
    /// Nothing is written: every stream is remembered.
    Everything,
}

/// Somebody who folds events into rows, batch after batch. After a fault it is of no more use.
pub trait Folding: Send {
    /// Folds a batch. The events follow, among those of the streams that are read, directly on what the rows of `place`
    /// contain, or would if the rows of the batches before were written.
    fn fold<'a>(&'a mut self, connection: &'a mut PgConnection, place: Place, events: &'a [&'a LoggedEvent]) -> Folded<'a>;

    /// The rows as the last batch leaves them.
    fn rows(&mut self) -> Result<Rows, ProjectionFault>;
}

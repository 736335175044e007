//! What a projection is: a name, a version, tables of its own, and how a batch of events changes their rows.

use std::pin::Pin;

use sqlx::PgConnection;

use crate::{ProjectionFault, SeenEvent, Table};

/// A projection at work: done, or why nothing of the batch is kept.
pub type Applying<'a> = Pin<Box<dyn Future<Output = Result<(), ProjectionFault>> + Send + 'a>>;

/// Rows derived from the log. Everything in them comes from events: dropping the tables and starting at position 0 gives
/// the same rows again.
pub trait Projection: Send + Sync {
    /// Lowercase, unique among projections.
    fn name(&self) -> &'static str;

    /// Rises when the rows would come out differently. The names of the tables end in it, so that two versions can
    /// stand side by side.
    fn version(&self) -> u32;

    fn tables(&self) -> &'static [Table];

    /// Whether streams of this kind are its business. Of those it must understand every event.
    fn reads(&self, aggregate_type: &str) -> bool;

    /// Applies events that follow directly on those applied before, within the transaction that also moves the
    /// projection's cursor. Only events of streams that it [`Projection::reads`] are given.
    fn apply<'a>(&'a self, transaction: &'a mut PgConnection, events: &'a [SeenEvent]) -> Applying<'a>;

    /// Name of its durable cursor.
    fn consumer(&self) -> String {
        format!("projection/{}/{}", self.name(), self.version())
    }
}

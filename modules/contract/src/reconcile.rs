//! What of a run is still there: three answers, because "I cannot tell" is not "it is gone".

use crate::{Failure, RevertTarget};

/// A look at resources of one scope that the ledger holds. It changes nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reconcile {
    pub scope: String,
    pub run_id: String,
    /// The action that made them.
    pub action: String,
    pub resources: Vec<RevertTarget>,
}

/// The answer to [`Reconcile`]. A failure changes nothing in the ledger, and neither does a resource that it passes over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reconciled {
    Looked(Vec<Seen>),
    Failed(Failure),
}

/// What was seen of one resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    pub kind: String,
    pub reference: String,
    pub standing: Standing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Standing {
    Present,
    /// The game has loaded where it would be, and it is not there. Only this takes an entry out of the ledger.
    Gone,
    /// It may be there: what holds it is not loaded, or the game cannot say.
    Unknown,
}

use super::Arc;

/// What may be asked of a series.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SeriesCommand {
    Create {
        slug: String,
        arc: Arc,
    },
    /// Have it be this from now on.
    Revise {
        arc: Arc,
    },
    /// So many definitions leave it with that.
    Delete {
        detached: u64,
    },
}

//! Deleting notes that are past their keeping, together with the move of the cursor that says how far that was done.

use uuid::Uuid;

use crate::log::append::AppendError;
use crate::log::{CursorMove, Log, cursor};

impl Log {
    /// Moves the cursor and deletes these notes, or does neither; answers how many were there.
    /// [`AppendError::CursorMoved`] when somebody else moved it or leads now.
    pub async fn prune_notes(&self, step: &CursorMove, ids: &[Uuid]) -> Result<u64, AppendError> {
        let mut transaction = self.pool().begin().await?;
        cursor::advance(&mut transaction, step).await?;
        let gone = sqlx::query("delete from public.notes where id = any($1)").bind(ids).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(gone.rows_affected())
    }
}

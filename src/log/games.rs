//! In which life each game was when it had last told of everything that runs hold there.

use chrono::{DateTime, Utc};

use super::Log;
use super::error::LogError;

impl Log {
    /// The life in which the game of this module and scope was then; none where it was never asked.
    pub async fn game_boot(&self, module: &str, scope: &str) -> Result<Option<String>, LogError> {
        let boot = sqlx::query_scalar("select boot_id from public.games where module = $1 and scope = $2");
        Ok(boot.bind(module).bind(scope).fetch_optional(self.pool()).await?)
    }

    /// It has told of everything in this life.
    pub async fn keep_game_boot(&self, module: &str, scope: &str, boot: &str, at: DateTime<Utc>) -> Result<(), LogError> {
        let kept = sqlx::query(
            "insert into public.games (module, scope, boot_id, reconciled_at) values ($1, $2, $3, $4)
             on conflict (module, scope) do update set boot_id = excluded.boot_id, reconciled_at = excluded.reconciled_at",
        );
        kept.bind(module).bind(scope).bind(boot).bind(at).execute(self.pool()).await?;
        Ok(())
    }
}

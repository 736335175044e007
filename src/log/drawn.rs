//! What steps have drawn, straight from their claims.

use chrono::NaiveDate;

use super::Log;
use super::error::{LogError, place, stored};

impl Log {
    /// What the claims of that day, in UTC, have drawn on a dimension, behind `after` and up to `until`.
    pub async fn drawn_between(&self, dimension: &str, day: NaiveDate, after: u64, until: u64) -> Result<u64, LogError> {
        let drawn = sqlx::query_scalar::<_, i64>(
            "select least(coalesce(sum((payload -> 'draws' ->> $1)::numeric), 0), 9223372036854775807)::bigint
             from public.events
             where aggregate_type = 'run' and event_type = 'step_claimed' and position > $2 and position <= $3
               and payload ->> 'at' like $4",
        );
        let drawn = drawn.bind(dimension).bind(stored(after)).bind(stored(until)).bind(format!("{day}T%"));
        Ok(place(drawn.fetch_one(self.pool()).await?))
    }
}

//! Who leads a consumer.
//!
//! What the database decides: leadership is one row, and whether it has run out is judged by the expiry stored in it and
//! the database's clock, under the row's lock. A lock of the session would be kept by a process that is stopped but not
//! dead; a row is not. What a leader may conclude by itself: only that it *was* leader when the answer was sent. It may
//! have slept since, so nothing rests on it: the epoch fences every move of the cursor, and a change of hands raises the
//! epoch in the cursor's own row. A leader that wakes up late finds its move refused. An expiry
//! further ahead than the stored length of its own term is a clock that has stepped back, and stands in nobody's way.

use std::time::Duration;

use uuid::Uuid;

use super::Log;
use super::error::{LogError, place, stored};

impl Log {
    /// Leads `consumer` for `ttl` from now, and says in which epoch; none while another holder's term runs.
    ///
    /// A free, expired or released consumer changes hands: the epoch rises, in its cursor too (made at position 0 if the
    /// consumer is new). The present holder keeps its epoch and gets a new term. `ttl` is counted in whole milliseconds.
    pub async fn acquire(&self, consumer: &str, holder: Uuid, ttl: Duration) -> Result<Option<u64>, LogError> {
        let epoch: Option<i64> = sqlx::query_scalar(
            "with won as (
                 insert into public.leadership as l (consumer, holder, epoch, expires_at, term)
                 values ($1, $2, 1, clock_timestamp() + $3 * interval '1 millisecond', $3 * interval '1 millisecond')
                 on conflict (consumer) do update
                 set holder = excluded.holder,
                     epoch = case when l.holder = excluded.holder and l.expires_at > clock_timestamp() then l.epoch else l.epoch + 1 end,
                     expires_at = clock_timestamp() + $3 * interval '1 millisecond',
                     term = $3 * interval '1 millisecond'
                 where l.holder = excluded.holder or l.expires_at <= clock_timestamp()
                    or l.term > interval '0' and l.expires_at > clock_timestamp() + l.term + interval '1 second'
                 returning consumer, epoch
             )
             insert into public.cursors (consumer, position, epoch) select consumer, 0, epoch from won
             on conflict (consumer) do update set epoch = excluded.epoch
             returning epoch",
        )
        .bind(consumer)
        .bind(holder)
        .bind(milliseconds(ttl))
        .fetch_optional(self.pool())
        .await?;
        Ok(epoch.map(place))
    }

    /// Gives the holder a new term from now. False when its term has run out or another leads: it must [`Log::acquire`] anew.
    pub async fn renew(&self, consumer: &str, holder: Uuid, epoch: u64, ttl: Duration) -> Result<bool, LogError> {
        let renewed = sqlx::query(
            "update public.leadership
             set expires_at = clock_timestamp() + $4 * interval '1 millisecond', term = $4 * interval '1 millisecond'
             where consumer = $1 and holder = $2 and epoch = $3 and expires_at > clock_timestamp()",
        )
        .bind(consumer)
        .bind(holder)
        .bind(stored(epoch))
        .bind(milliseconds(ttl))
        .execute(self.pool())
        .await?;
        Ok(renewed.rows_affected() == 1)
    }

    /// Ends the holder's term now, so that the next need not wait for it. False when it was not the holder's to end.
    pub async fn release(&self, consumer: &str, holder: Uuid, epoch: u64) -> Result<bool, LogError> {
        let released = sqlx::query(
            "update public.leadership set expires_at = clock_timestamp()
             where consumer = $1 and holder = $2 and epoch = $3 and expires_at > clock_timestamp()",
        )
        .bind(consumer)
        .bind(holder)
        .bind(stored(epoch))
        .execute(self.pool())
        .await?;
        Ok(released.rows_affected() == 1)
    }
}

fn milliseconds(ttl: Duration) -> i64 {
    i64::try_from(ttl.as_millis()).unwrap_or(i64::MAX)
}

impl Log {
    /// Takes or renews the leadership of every one of `consumers` that is free, expired or held by `holder`; answers
    /// with the epochs of those that `holder` now leads. One statement, whatever their number.
    pub async fn acquire_all(
        &self,
        consumers: &[String],
        holder: Uuid,
        ttl: Duration,
    ) -> Result<std::collections::BTreeMap<String, u64>, LogError> {
        let won: Vec<(String, i64)> = sqlx::query_as(
            "with won as (
                 insert into public.leadership as l (consumer, holder, epoch, expires_at, term)
                 select name, $2, 1, clock_timestamp() + $3 * interval '1 millisecond', $3 * interval '1 millisecond' from unnest($1::text[]) as name
                 order by name
                 on conflict (consumer) do update
                 set holder = excluded.holder,
                     epoch = case when l.holder = excluded.holder and l.expires_at > clock_timestamp() then l.epoch else l.epoch + 1 end,
                     expires_at = clock_timestamp() + $3 * interval '1 millisecond',
                     term = $3 * interval '1 millisecond'
                 where l.holder = excluded.holder or l.expires_at <= clock_timestamp()
                    or l.term > interval '0' and l.expires_at > clock_timestamp() + l.term + interval '1 second'
                 returning consumer, epoch
             ), moved as (
                 -- A cursor is touched by a change of hands alone: a batch under way would hold the renewal up.
                 insert into public.cursors as c (consumer, position, epoch) select consumer, 0, epoch from won
                 where not exists (select from public.cursors k where k.consumer = won.consumer and k.epoch = won.epoch)
                 on conflict (consumer) do update set epoch = excluded.epoch
             )
             select consumer, epoch from won",
        )
        .bind(consumers)
        .bind(holder)
        .bind(milliseconds(ttl))
        .fetch_all(self.pool())
        .await?;
        Ok(won.into_iter().map(|(consumer, epoch)| (consumer, place(epoch))).collect())
    }

    /// Gives up everything that `holder` leads, so that another need not wait for the expiry.
    pub async fn release_all(&self, holder: Uuid) -> Result<(), LogError> {
        sqlx::query(
            "update public.leadership set expires_at = clock_timestamp() where holder = $1 and expires_at > clock_timestamp()",
        )
        .bind(holder)
        .execute(self.pool())
        .await?;
        Ok(())
    }
}

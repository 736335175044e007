//! Streams by what has and has not happened in them: a look at the whole log, for what happens seldom.

use super::{Log, LogError};

impl Log {
    /// Ids of the streams of `kind` that hold an event `begun` at a position before `before`, and none of `ended` anywhere; in
    /// the order in which they began.
    pub async fn streams_between(&self, kind: &str, begun: &str, ended: &[&str], before: u64) -> Result<Vec<String>, LogError> {
        let ended: Vec<String> = ended.iter().map(|&event| event.to_owned()).collect();
        let ids = sqlx::query_scalar(
            "select b.aggregate_id from events b
             where b.aggregate_type = $1 and b.event_type = $2 and b.position < $4
               and not exists (select from events e where e.aggregate_type = $1 and e.aggregate_id = b.aggregate_id
                                                      and e.event_type = any($3))
             order by b.position",
        );
        let before = i64::try_from(before).unwrap_or(i64::MAX);
        Ok(ids.bind(kind).bind(begun).bind(ended).bind(before).fetch_all(self.pool()).await?)
    }
}

//! Whose a command is that was found to be done after the connection broke on which it was sent: ours, or another engine's, which
//! had the same to do and was faster. Only whoever has written it may act upon it.

use std::collections::BTreeSet;

use sqlx::PgConnection;

use super::plan::Verdicts;
use super::waiting::Prepared;
use crate::log::error::stored;

/// The places in the batch of those commands that this process has written: the log has their metadata word for word, and in
/// it who recorded them. Of a command without events there is nothing to act upon, and it is anybody's.
pub(super) async fn ours(
    connection: &mut PgConnection,
    commands: &[&Prepared],
    verdicts: &Verdicts,
) -> Result<BTreeSet<usize>, sqlx::Error> {
    let (with, without): (Vec<_>, Vec<_>) = verdicts.done().partition(|(nth, _)| commands[*nth].events > 0);
    let ours = sqlx::query_scalar::<_, i64>(
        "select d.nth from unnest($1::bigint[], $2::bigint[], $3::text[]) as d (nth, position, metadata)
         join public.events e on e.position = d.position and e.metadata::text = d.metadata",
    );
    let ours = ours
        .bind(with.iter().map(|(nth, _)| stored(*nth as u64)).collect::<Vec<_>>())
        .bind(with.iter().map(|(_, appended)| stored(appended.first)).collect::<Vec<_>>())
        .bind(with.iter().map(|(nth, _)| commands[*nth].metadata.as_str()).collect::<Vec<_>>());
    let ours = if with.is_empty() { Vec::new() } else { ours.fetch_all(connection).await? };
    let nth = |nth: i64| usize::try_from(nth).unwrap_or(usize::MAX);
    Ok(ours.into_iter().map(nth).chain(without.into_iter().map(|(nth, _)| nth)).collect())
}

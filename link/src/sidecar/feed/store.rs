//! Reading and writing the file.

use super::extent::Extent;
use leasehold_link::wire::feed::{ANSWER_MAX_BYTES, Report};
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use serde_json::{Map, Value};
use std::{collections::BTreeMap, sync::Arc, time::Duration};

/// Boots of one scope whose numbers are remembered.
const BOOTS: u32 = 8;
/// Reports dropped in one statement, so that no commit grows without bound.
const DROPPED_AT_ONCE: u64 = 4096;

/// How much of each scope is kept. What is beyond is dropped for good.
#[derive(Clone, Copy, Debug)]
pub struct Retention {
    /// Reports.
    pub reports: u64,
    /// Since they came.
    pub age: Duration,
    /// Bytes of their frames; the newest is kept however long it is.
    pub bytes: u64,
}

/// The disk does not do what it is asked.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Fault(Arc<str>);

impl Fault {
    pub fn stopped() -> Self {
        Self("the sidecar is stopping".into())
    }
}

impl From<rusqlite::Error> for Fault {
    fn from(fault: rusqlite::Error) -> Self {
        Self(fault.to_string().into())
    }
}

/// The writing side.
pub struct Store {
    connection: Connection,
    retention: Retention,
    counted: BTreeMap<String, Counted>,
}

/// How far one scope has come.
#[derive(Clone, Copy)]
struct Counted {
    oldest: u64,
    newest: u64,
    at_ms: i64,
    upto: u64,
}

/// A report to be written.
pub struct Entry<'a> {
    pub scope: &'a str,
    pub boot_id: &'a str,
    /// Its number in its boot, where the game gives one.
    pub seq: Option<u64>,
    pub frame: &'a Map<String, Value>,
}

impl Store {
    pub(super) fn over(connection: Connection, retention: Retention) -> rusqlite::Result<Self> {
        let mut rows = connection.prepare(
            "select scope, newest, at_ms, upto,
                    coalesce((select min(n) from reports where reports.scope = counted.scope), newest + 1) from counted",
        )?;
        let read = rows.query_map((), |row| {
            let counted = Counted { newest: row.get(1)?, at_ms: row.get(2)?, upto: row.get(3)?, oldest: row.get(4)? };
            Ok((row.get(0)?, counted))
        })?;
        let counted = read.collect::<rusqlite::Result<_>>()?;
        drop(rows);
        Ok(Self { connection, retention, counted })
    }

    pub fn extents(&self) -> BTreeMap<String, Extent> {
        let extent = |counted: &Counted| Extent { oldest: counted.oldest, newest: counted.newest };
        self.counted.iter().map(|(scope, counted)| (scope.clone(), extent(counted))).collect()
    }

    /// Writes all of them or none, and drops what has become too much. What was kept before under its `seq` is passed over.
    pub fn write(&mut self, entries: &[Entry<'_>], now_ms: i64) -> Result<(), Fault> {
        let mut counted = self.counted.clone();
        let writing = self.connection.transaction()?;
        for entry in entries {
            if is_new(&writing, entry, now_ms)? {
                append(&writing, entry, now_ms, &mut counted)?;
            }
        }
        for (scope, counted) in &mut counted {
            trim(&writing, scope, counted, self.retention, now_ms)?;
        }
        writing.commit()?;
        self.counted = counted;
        Ok(())
    }

    /// Lets the file grow no further than so many pages, as a full disk does.
    #[cfg(test)]
    pub fn limit_pages(&self, pages: u32) {
        self.connection.pragma_update(None, "max_page_count", pages).unwrap();
    }
}

/// Whether a report was not kept before; its number is then the newest of its boot.
fn is_new(writing: &Transaction<'_>, entry: &Entry<'_>, now_ms: i64) -> rusqlite::Result<bool> {
    let Some(seq) = entry.seq else { return Ok(true) };
    let kept = "select seq from boots where scope = ?1 and boot_id = ?2";
    let kept: Option<u64> =
        writing.prepare_cached(kept)?.query_row(params![entry.scope, entry.boot_id], |row| row.get(0)).optional()?;
    if kept.is_some_and(|kept| seq <= kept) {
        return Ok(false);
    }
    let raise = "insert into boots (scope, boot_id, seq, at_ms) values (?1, ?2, ?3, ?4)
                 on conflict (scope, boot_id) do update set seq = excluded.seq, at_ms = excluded.at_ms";
    writing.prepare_cached(raise)?.execute(params![entry.scope, entry.boot_id, seq, now_ms])?;
    if kept.is_none() {
        let forget = "delete from boots where scope = ?1 and boot_id <> ?2 and boot_id not in (
                          select boot_id from boots where scope = ?1 order by at_ms desc limit ?3)";
        writing.prepare_cached(forget)?.execute(params![entry.scope, entry.boot_id, BOOTS])?;
    }
    Ok(true)
}

fn append(
    writing: &Transaction<'_>,
    entry: &Entry<'_>,
    now_ms: i64,
    all: &mut BTreeMap<String, Counted>,
) -> rusqlite::Result<()> {
    let frame = serde_json::to_string(entry.frame).unwrap_or_default();
    let counted = all.entry(entry.scope.to_owned()).or_insert(Counted { oldest: 1, newest: 0, at_ms: 0, upto: 0 });
    counted.newest += 1;
    counted.at_ms = counted.at_ms.max(now_ms);
    counted.upto += frame.len() as u64;
    let insert = "insert into reports (scope, n, at_ms, upto, frame) values (?1, ?2, ?3, ?4, ?5)";
    let row = params![entry.scope, counted.newest, counted.at_ms, counted.upto, frame];
    writing.prepare_cached(insert)?.execute(row)?;
    let count = "insert into counted (scope, newest, at_ms, upto) values (?1, ?2, ?3, ?4)
                 on conflict (scope) do update set newest = excluded.newest, at_ms = excluded.at_ms, upto = excluded.upto";
    writing.prepare_cached(count)?.execute(params![entry.scope, counted.newest, counted.at_ms, counted.upto])?;
    Ok(())
}

/// Drops what is beyond the retention, oldest first.
fn trim(
    writing: &Transaction<'_>,
    scope: &str,
    counted: &mut Counted,
    retention: Retention,
    now_ms: i64,
) -> rusqlite::Result<()> {
    let many = counted.newest.saturating_sub(retention.reports);
    let old = now_ms.saturating_sub(i64::try_from(retention.age.as_millis()).unwrap_or(i64::MAX));
    let long = counted.upto.saturating_sub(retention.bytes);
    let oldest = "select at_ms, upto from reports where scope = ?1 and n = ?2";
    let before = counted.oldest;
    loop {
        let row = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, u64>(1)?));
        let first = writing.prepare_cached(oldest)?.query_row(params![scope, counted.oldest], row).optional()?;
        let Some((at_ms, upto)) = first.filter(|_| counted.oldest <= counted.newest) else { break };
        if counted.oldest > many && at_ms >= old && (upto > long || counted.oldest == counted.newest) {
            break;
        }
        let end = counted.oldest + DROPPED_AT_ONCE;
        let drop = "delete from reports where scope = ?1 and n < ?2 and (n <= ?3 or at_ms < ?4 or (upto <= ?5 and n < ?6))";
        let dropped = writing.prepare_cached(drop)?.execute(params![scope, end, many, old, long, counted.newest])?;
        counted.oldest += dropped as u64;
    }
    if counted.oldest > before {
        tracing::info!(scope, dropped = counted.oldest - before, oldest = counted.oldest, "old reports are dropped for good");
    }
    Ok(())
}

/// The reading side.
pub struct Reader(pub(super) Connection);

impl Reader {
    /// What lies behind that number, with what was kept at that moment.
    pub fn after(&mut self, scope: &str, number: u64, limit: usize) -> Result<(Extent, Vec<Report>), Fault> {
        let moment = self.0.transaction()?;
        let extent = "select coalesce((select min(n) from reports where scope = ?1), newest + 1), newest
                      from counted where scope = ?1";
        let extent = moment
            .prepare_cached(extent)?
            .query_row([scope], |row| Ok(Extent { oldest: row.get(0)?, newest: row.get(1)? }))
            .optional()?
            .unwrap_or(Extent::EMPTY);
        let mut rows = moment.prepare_cached("select n, frame from reports where scope = ?1 and n > ?2 order by n limit ?3")?;
        let after = i64::try_from(number).unwrap_or(i64::MAX);
        let mut found = rows.query(params![scope, after, limit])?;
        let (mut reports, mut bytes) = (Vec::new(), 0);
        while let Some(row) = found.next()? {
            let text: String = row.get(1)?;
            bytes += text.len();
            if bytes > ANSWER_MAX_BYTES && !reports.is_empty() {
                break;
            }
            let frame = serde_json::from_str(&text).map_err(|fault| Fault(format!("a report does not read: {fault}").into()))?;
            reports.push(Report { n: row.get(0)?, frame });
        }
        Ok((extent, reports))
    }
}

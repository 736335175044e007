//! Whether the rows that serve are those that the log gives: compared with a fresh fold up to the same position.
//!
//! One transaction sees the rows and the cursor as of one moment and folds the log up to there into temporary tables of its
//! session. Nothing stops meanwhile, and nothing is left behind.

use std::sync::Arc;

use futures::TryStreamExt;
use leasehold_projections::{Generation, LoggedEvent, Memory, Place, Projection, ProjectionFault, Table, generations};
use serde::Serialize;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use sqlx::{Connection, PgConnection, Row};

use super::Pace;
use super::batch::{BatchFault, texts};
use crate::log::Log;

/// What a comparison found.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Verified {
    pub name: &'static str,
    pub version: u32,
    pub generation: u32,
    /// The position that the rows contained.
    pub position: u64,
    pub rows: u64,
    /// SHA-256 of all rows in the order of their keys: the same wherever the log is the same.
    pub digest: String,
    #[serde(flatten)]
    pub verdict: Verdict,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "verdict")]
pub enum Verdict {
    Equal,
    /// The first row, in the order of tables and keys, that is not as the log has it.
    Differs {
        table: &'static str,
        key: Map<String, Value>,
        how: How,
    },
}

/// What is wrong with a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// It is there, and no event gives it.
    Planted,
    /// Events give it, and it is not there.
    Missing,
    /// These columns are not as the events give them.
    Changed(Vec<String>),
}

/// Why nothing could be compared.
#[derive(Debug, thiserror::Error)]
pub enum VerifyFault {
    #[error("the projection {0} is being built and does not serve yet")]
    NotBuilt(&'static str),
    #[error("the log could not be folded anew")]
    Fold(#[source] ProjectionFault),
    #[error("the log could not be read")]
    Read(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("the database did not carry out what the comparison asked of it")]
    Database(#[from] sqlx::Error),
}

impl From<BatchFault> for VerifyFault {
    fn from(fault: BatchFault) -> Self {
        Self::Read(fault.into())
    }
}

/// Compares; `told` hears how far the fresh fold has come.
pub async fn verify(
    log: &Log,
    projection: &Arc<dyn Projection>,
    told: impl Fn(u64, u64) + Send,
) -> Result<Verified, VerifyFault> {
    let mut connection = log.pool().acquire().await?;
    let mut snapshot = connection.begin_with("begin isolation level repeatable read").await?;
    let known = sqlx::query_scalar::<_, bool>("select to_regclass('projections.generations') is not null");
    let known = known.fetch_one(&mut *snapshot).await?;
    let serving = if known { generations::serving(&mut snapshot, projection.as_ref()).await? } else { None };
    let generation = serving.ok_or(VerifyFault::NotBuilt(projection.name()))?;
    let position: i64 = sqlx::query_scalar("select position from public.cursors where consumer = $1")
        .bind(generation.consumer())
        .fetch_one(&mut *snapshot)
        .await?;
    let position = position.unsigned_abs();
    fold(log, projection.as_ref(), &mut snapshot, position, told).await?;
    let compared = compare(projection.as_ref(), generation, &mut snapshot).await?;
    snapshot.rollback().await?;
    let (rows, digest, verdict) = compared;
    Ok(Verified {
        name: generation.name,
        version: generation.version,
        generation: generation.number,
        position,
        rows,
        digest,
        verdict,
    })
}

/// Fills scratch tables from the beginning.
async fn fold(
    log: &Log,
    projection: &dyn Projection,
    snapshot: &mut PgConnection,
    through: u64,
    told: impl Fn(u64, u64),
) -> Result<(), VerifyFault> {
    generations::scratch(snapshot, projection).await?;
    let (mut folder, window) = (projection.folder(Memory::Own), u64::from(Pace::default().building));
    let mut after = 0;
    while after < through {
        let to = through.min(after + window);
        let events = texts(log, projection, after, to).await?;
        let events: Vec<&LoggedEvent> = events.iter().collect();
        folder.fold(snapshot, Place::Scratch, &events).await.map_err(VerifyFault::Fold)?;
        folder.rows().map_err(VerifyFault::Fold)?.write(snapshot, Place::Scratch).await?;
        after = to;
        told(after, through);
    }
    Ok(())
}

async fn compare(
    projection: &dyn Projection,
    generation: Generation,
    snapshot: &mut PgConnection,
) -> Result<(u64, String, Verdict), sqlx::Error> {
    let (mut rows, mut all) = (0, Sha256::new());
    let mut verdict = Verdict::Equal;
    for table in projection.tables() {
        let (count, there) = digest(snapshot, table, generation.place()).await?;
        let (_, given) = digest(snapshot, table, Place::Scratch).await?;
        rows += count;
        all.update(there);
        if there != given && verdict == Verdict::Equal {
            verdict = first_difference(snapshot, table, generation.place()).await?.unwrap_or(Verdict::Equal);
        }
    }
    Ok((rows, hex::encode(all.finalize()), verdict))
}

/// Number and digest of a table's rows, in the order of their keys.
async fn digest(snapshot: &mut PgConnection, table: &Table, place: Place) -> Result<(u64, [u8; 32]), sqlx::Error> {
    let select = format!("select to_jsonb(t)::text from {} t order by {}", place.name(table), table.key.join(", "));
    let mut rows = sqlx::query(&select).fetch(snapshot);
    let (mut count, mut hash) = (0, Sha256::new());
    while let Some(row) = rows.try_next().await? {
        let text: &str = row.try_get(0)?;
        hash.update((text.len() as u64).to_be_bytes());
        hash.update(text);
        count += 1;
    }
    Ok((count, hash.finalize().into()))
}

async fn first_difference(snapshot: &mut PgConnection, table: &Table, place: Place) -> Result<Option<Verdict>, sqlx::Error> {
    let (key, there, given) = (table.key.join(", "), place.name(table), Place::Scratch.name(table));
    let select = format!(
        "select to_jsonb(t) as there, to_jsonb(f) as given from {there} t full join {given} f using ({key})
         where to_jsonb(t) is distinct from to_jsonb(f) order by {key} limit 1"
    );
    let Some(row) = sqlx::query(&select).fetch_optional(snapshot).await? else { return Ok(None) };
    let (there, given): (Option<Value>, Option<Value>) = (row.try_get("there")?, row.try_get("given")?);
    let either = there.as_ref().or(given.as_ref()).cloned().unwrap_or_default();
    let key = table.key.iter().map(|column| ((*column).to_owned(), either[*column].clone())).collect();
    let how = match (&there, &given) {
        (Some(_), None) => How::Planted,
        (None, _) => How::Missing,
        (Some(there), Some(given)) => {
            let differs = |column: &&&str| there[**column] != given[**column];
            How::Changed(table.columns.iter().filter(differs).map(|column| (*column).to_owned()).collect())
        }
    };
    Ok(Some(Verdict::Differs { table: table.name, key, how }))
}

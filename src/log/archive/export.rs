//! Writing the log down.

use std::io::Write;

use futures::TryStreamExt;
use sha2::{Digest, Sha256};
use sqlx::{Connection, Executor, PgConnection};

use super::{ArchiveError, Archived, CARRIED, END, FORMAT, Header, TableLine, Trailer};
use crate::log::Log;
use crate::log::anchor::Anchor;

/// One view of the database for all tables, and one way to write instants and bytes.
const VIEW: &str = "begin isolation level repeatable read read only";
/// However the database or the role is set, values are written alike.
pub(super) const FORMS: &str = "set local timezone = 'UTC'; set local datestyle = 'ISO, YMD';
    set local intervalstyle = 'postgres'; set local bytea_output = 'hex'";

impl Log {
    /// Writes the whole log into `file`. Reads alone; what is appended meanwhile is not in it.
    pub async fn archive(&self, file: &mut (impl Write + Send)) -> Result<Archived, ArchiveError> {
        let mut connection = self.pool().acquire().await?;
        let mut view = connection.begin_with(VIEW).await?;
        view.execute(FORMS).await?;
        let (header, archived) = header(&mut view).await?;
        let mut out = Hashing { file, hash: Sha256::new() };
        out.line(&header)?;
        for table in CARRIED {
            let columns = table.columns(&mut view).await?;
            let statement = table.copy_out(&columns);
            out.line(&TableLine { table: table.name.to_owned(), columns })?;
            let mut rows = view.copy_out_raw(&statement).await?;
            while let Some(row) = rows.try_next().await? {
                out.write(&row)?;
            }
            drop(rows);
            out.write(END)?;
        }
        let sha256 = hex::encode(out.hash.clone().finalize());
        out.line(&Trailer { sha256 })?;
        out.file.flush()?;
        Ok(archived)
    }
}

async fn header(connection: &mut PgConnection) -> Result<(Header, Archived), ArchiveError> {
    let head: Option<(i64, Vec<u8>)> = sqlx::query_as("select position, hash from public.events order by position desc limit 1")
        .fetch_optional(&mut *connection)
        .await?;
    let (position, hash) = head.ok_or(ArchiveError::NotOpen)?;
    let log: Option<String> = sqlx::query_scalar("select payload ->> 'log_id' from public.events where position = 0")
        .fetch_optional(&mut *connection)
        .await?
        .flatten();
    let log = log.and_then(|id| id.parse().ok()).ok_or(ArchiveError::NotOpen)?;
    let hash = hash.try_into().unwrap_or_default();
    let head = Anchor { position: crate::log::error::place(position), hash };
    let schema = schema(connection).await?;
    let header = Header { format: FORMAT.to_owned(), schema, log, head: head.to_string() };
    Ok((header, Archived { log, head: head.position }))
}

/// The newest version of the schema that the database has.
pub(super) async fn schema(connection: &mut PgConnection) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("select max(version) from public._sqlx_migrations where success").fetch_one(connection).await
}

/// Hashes what it writes.
struct Hashing<'a, W> {
    file: &'a mut W,
    hash: Sha256,
}

impl<W: Write> Hashing<'_, W> {
    fn line(&mut self, line: &impl serde::Serialize) -> Result<(), ArchiveError> {
        let mut text = serde_json::to_vec(line).map_err(std::io::Error::from)?;
        text.push(b'\n');
        self.write(&text)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), ArchiveError> {
        self.hash.update(bytes);
        Ok(self.file.write_all(bytes)?)
    }
}

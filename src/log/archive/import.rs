//! Taking a log in: whole, into a database that holds nothing, or not at all.

use std::io::BufRead;

use sqlx::{Executor, PgConnection};

use super::export::{FORMS, schema};
use super::reader::Reader;
use super::table::Table;
use super::{ArchiveError, Archived, CARRIED, FORMAT, Header, TableLine, Trailer};
use crate::log::anchor::Anchor;
use crate::log::error::place;
use crate::log::{LOCK, Log};

/// Rows are handed to the server in pieces of about this many bytes.
const PIECE: usize = 64 * 1024;

impl Log {
    /// Takes in what [`Log::archive`] wrote. The schema's triggers check every event; the file's own sum, its head and the
    /// positions that the rows beside the log name are checked before anything is committed.
    pub async fn import(&self, file: impl BufRead + Send) -> Result<Archived, ArchiveError> {
        let mut file = Reader::new(file);
        let mut transaction = self.pool().begin_with("begin isolation level read committed").await?;
        transaction.execute(format!("select pg_advisory_xact_lock({LOCK}); {FORMS}").as_str()).await?;
        for table in CARRIED {
            if !table.is_empty(&mut transaction).await? {
                return Err(ArchiveError::NotEmpty { table: table.name });
            }
        }
        let header = header(&mut file, &mut transaction).await?;
        for table in CARRIED {
            take(table, &mut file, &mut transaction).await?;
        }
        let sum = file.sha256();
        let trailer: Trailer = file.said("its end")?;
        if trailer.sha256 != sum {
            return Err(ArchiveError::Malformed { part: "its end", why: "it is not as it was written".to_owned() });
        }
        file.end()?;
        let archived = agrees(&header, &mut transaction).await?;
        transaction.commit().await?;
        self.nudge.appended(archived.head, None);
        Ok(archived)
    }
}

async fn header(file: &mut Reader<impl BufRead>, connection: &mut PgConnection) -> Result<Header, ArchiveError> {
    let header: Header = file.said("its header")?;
    if header.format != FORMAT {
        return Err(ArchiveError::Malformed { part: "its header", why: format!("its format is {:?}", header.format) });
    }
    let here = schema(connection).await?;
    if header.schema != here {
        return Err(ArchiveError::OtherSchema { found: header.schema, here });
    }
    Ok(header)
}

async fn take(table: Table, file: &mut Reader<impl BufRead>, connection: &mut PgConnection) -> Result<(), ArchiveError> {
    let part = table.name;
    let said: TableLine = file.said(part)?;
    let columns = table.columns(connection).await?;
    if said != (TableLine { table: part.to_owned(), columns: columns.clone() }) {
        let why = format!("it should be the table {part} with the columns {}", columns.join(", "));
        return Err(ArchiveError::Malformed { part, why });
    }
    let refused = |source| ArchiveError::Refused { table: part, source };
    let mut copy = connection.copy_in_raw(&table.copy_in(&columns)).await.map_err(refused)?;
    let mut piece = Vec::with_capacity(PIECE);
    loop {
        let row = match file.row(part) {
            Ok(row) => row,
            Err(error) => {
                copy.abort("the file cannot be read on").await.map_err(refused)?;
                return Err(error);
            }
        };
        piece.extend_from_slice(row.unwrap_or_default());
        if row.is_none() || piece.len() >= PIECE {
            let ends = row.is_none();
            copy.send(&piece[..]).await.map_err(refused)?;
            piece.clear();
            if ends {
                break;
            }
        }
    }
    copy.finish().await.map_err(refused)?;
    Ok(())
}

/// What came in is the log that the header names, and no row beside it speaks of what has not happened.
async fn agrees(header: &Header, connection: &mut PgConnection) -> Result<Archived, ArchiveError> {
    let malformed = |part, why: String| Err(ArchiveError::Malformed { part, why });
    let head: Option<(i64, Vec<u8>)> = sqlx::query_as("select position, hash from public.events order by position desc limit 1")
        .fetch_optional(&mut *connection)
        .await?;
    let Some((position, hash)) = head else { return malformed("events", "there is none".to_owned()) };
    let head = Anchor { position: place(position), hash: hash.try_into().unwrap_or_default() };
    if head.to_string() != header.head {
        return malformed("events", format!("they lead to {head} and not to {}", header.head));
    }
    let log: Option<String> = sqlx::query_scalar("select payload ->> 'log_id' from public.events where position = 0")
        .fetch_one(&mut *connection)
        .await?;
    if log.as_deref() != Some(header.log.to_string().as_str()) {
        return malformed("events", format!("they do not open the log {}", header.log));
    }
    let ahead: Option<String> = sqlx::query_scalar(
        "select 'commands' from public.commands where last_position > $1
         union all select 'cursors' from public.cursors where position > $1
         union all select 'listeners' from public.listeners where after_position > $1 limit 1",
    )
    .bind(position)
    .fetch_optional(&mut *connection)
    .await?;
    match ahead {
        Some(table) => malformed("rows beside the log", format!("a row of {table} speaks of a position beyond the head")),
        None => Ok(Archived { log: header.log, head: head.position }),
    }
}

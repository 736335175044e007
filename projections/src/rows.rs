//! Rows on their way into tables: as a batch of events leaves them.

use serde::Serialize;
use serde_json::Value;
use sqlx::postgres::PgConnection;

use crate::cells::spell;
use crate::{EventFault, Place, Table};

/// Columns that the row of a stream begins with.
const STREAM_COLUMNS: usize = 4;

/// What a batch writes.
#[derive(Debug, Default)]
pub struct Rows {
    tables: Vec<TableRows>,
    patches: Vec<Patch>,
}

#[derive(Debug)]
struct TableRows {
    table: Table,
    /// First columns of the keys of rows that are there and take a new form.
    replaced: Vec<String>,
    /// In the text form of `COPY`.
    copied: String,
}

/// Some columns of a row that is there, unless the first of them is told already.
#[derive(Debug)]
struct Patch {
    table: Table,
    columns: &'static [&'static str],
    /// The key and those columns.
    record: Value,
}

impl Rows {
    /// Whether nothing is written.
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty() && self.patches.is_empty()
    }

    /// A row: a struct whose fields are the table's columns, in their order.
    pub fn put(&mut self, table: &Table, row: &impl Serialize) -> Result<(), EventFault> {
        let of = self.of(table);
        spell(&mut of.copied, table.columns, row)?;
        of.copied.push('\n');
        Ok(())
    }

    /// The row of a stream, in two parts: the columns that every such row begins with, and those of its own. Where it
    /// `replaces`, a row with that key goes first.
    pub(crate) fn put_stream(
        &mut self,
        table: &Table,
        first: &impl Serialize,
        own: &impl Serialize,
        replaces: Option<&str>,
    ) -> Result<(), EventFault> {
        let of = self.of(table);
        of.replaced.extend(replaces.map(str::to_owned));
        let (head, rest) = table.columns.split_at(STREAM_COLUMNS);
        spell(&mut of.copied, head, first)?;
        of.copied.push('\t');
        spell(&mut of.copied, rest, own)?;
        of.copied.push('\n');
        Ok(())
    }

    /// No rows any more with that first column of the key, but those that are put.
    pub(crate) fn remove(&mut self, table: &Table, first: &str) {
        self.of(table).replaced.push(first.to_owned());
    }

    pub(crate) fn patch(&mut self, table: Table, columns: &'static [&'static str], record: Value) {
        self.patches.push(Patch { table, columns, record });
    }

    fn of(&mut self, table: &Table) -> &mut TableRows {
        let nth = self.tables.iter().position(|rows| rows.table.name == table.name).unwrap_or_else(|| {
            self.tables.push(TableRows { table: *table, replaced: Vec::new(), copied: String::new() });
            self.tables.len() - 1
        });
        &mut self.tables[nth]
    }

    /// Writes them, within the transaction that also moves the cursor.
    pub async fn write(&self, connection: &mut PgConnection, place: Place) -> Result<(), sqlx::Error> {
        for rows in &self.tables {
            rows.write(connection, place).await?;
        }
        for patch in &self.patches {
            patch.write(connection, place).await?;
        }
        Ok(())
    }
}

impl TableRows {
    async fn write(&self, connection: &mut PgConnection, place: Place) -> Result<(), sqlx::Error> {
        let name = place.name(&self.table);
        if !self.replaced.is_empty() {
            let delete = format!("delete from {name} where {} = any($1)", self.table.key[0]);
            sqlx::query(&delete).bind(&self.replaced).execute(&mut *connection).await?;
        }
        if self.copied.is_empty() {
            return Ok(());
        }
        let copy = format!("copy {name} ({}) from stdin", self.table.columns.join(", "));
        let mut into = connection.copy_in_raw(&copy).await?;
        into.send(self.copied.as_bytes()).await?;
        into.finish().await?;
        Ok(())
    }
}

impl Patch {
    async fn write(&self, connection: &mut PgConnection, place: Place) -> Result<(), sqlx::Error> {
        let (name, columns) = (place.name(&self.table), self.columns.join(", "));
        let told: Vec<String> = self.columns.iter().map(|column| format!("told.{column}")).collect();
        let same: Vec<String> = self.table.key.iter().map(|column| format!("there.{column} = told.{column}")).collect();
        let update = format!(
            "update {name} there set ({columns}) = row({}) from json_populate_record(null::{name}, $1::text::json) told
             where {} and there.{} is null",
            told.join(", "),
            same.join(" and "),
            self.columns[0],
        );
        sqlx::query(&update).bind(self.record.to_string()).execute(connection).await?;
        Ok(())
    }
}

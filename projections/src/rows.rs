//! Rows on their way into tables: as a batch of events leaves them.

use std::fmt::Write;

use serde_json::{Map, Value};
use sqlx::postgres::PgConnection;

use crate::{Place, Table};

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
    /// A row with every column. Where `replaces` is set, a row with that first column of the key goes first.
    pub fn put(&mut self, table: &Table, row: &Map<String, Value>, replaces: Option<&str>) {
        let of = self.of(table);
        of.replaced.extend(replaces.map(str::to_owned));
        for (nth, column) in table.columns.iter().enumerate() {
            of.copied.push_str(if nth == 0 { "" } else { "\t" });
            cell(&mut of.copied, row.get(*column).unwrap_or(&Value::Null));
        }
        of.copied.push('\n');
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

fn cell(copied: &mut String, value: &Value) {
    match value {
        Value::Null => copied.push_str("\\N"),
        Value::String(text) => escape(copied, text),
        Value::Array(_) | Value::Object(_) => escape(copied, &value.to_string()),
        // Writing to a string does not fail.
        Value::Bool(_) | Value::Number(_) => drop(write!(copied, "{value}")),
    }
}

/// As the text form of `COPY` wants it: the four characters that mean something there get a backslash.
fn escape(copied: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = rest.find(['\\', '\t', '\n', '\r']) {
        copied.push_str(&rest[..at]);
        copied.push_str(match rest.as_bytes()[at] {
            b'\t' => "\\t",
            b'\n' => "\\n",
            b'\r' => "\\r",
            _ => "\\\\",
        });
        rest = &rest[at + 1..];
    }
    copied.push_str(rest);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn cells_are_spelled_as_copy_reads_them() {
        let spelled = |value: Value| {
            let mut copied = String::new();
            cell(&mut copied, &value);
            copied
        };
        assert_eq!(spelled(json!(null)), "\\N");
        assert_eq!(spelled(json!("\\N")), "\\\\N");
        assert_eq!(spelled(json!("a\tb\nc\rd\\e ü")), "a\\tb\\nc\\rd\\\\e ü");
        assert_eq!(spelled(json!({"a": "x\ny"})), r#"{"a":"x\\ny"}"#);
        assert_eq!((spelled(json!(true)), spelled(json!(-12))), ("true".into(), "-12".into()));
    }
}

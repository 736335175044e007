//! Tables of projections: how they are made and written.

use serde_json::Value;
use sqlx::{Executor, PgConnection};

use crate::Projection;

/// Advisory lock of whoever makes tables, so that two engines that start at once do not trip over each other.
const MAKING: i64 = 6_022_918_413;

/// One table of a projection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Table {
    /// With its schema and its version: `projections.runs_v1`.
    pub name: &'static str,
    /// The columns of its primary key.
    pub key: &'static [&'static str],
    /// Every column.
    pub columns: &'static [&'static str],
    /// The statements that make it, with comments and indexes.
    pub ddl: &'static str,
}

/// Which version of each projection the reads go to.
const SERVING: &str = "
create table if not exists projections.serving (
    name    text        not null,
    version integer     not null,
    since   timestamptz not null default clock_timestamp(),
    constraint serving_pkey primary key (name),
    constraint serving_version_counts check (version >= 1)
);
comment on table projections.serving is 'The version of each projection that answers reads.';
comment on column projections.serving.name is 'Name of the projection.';
comment on column projections.serving.version is 'Its tables'' names end in this.';
comment on column projections.serving.since is 'By the clock of the database.'";

/// Makes the tables that are missing. The first version of a projection serves at once; one that comes later is filled
/// beside it.
pub async fn prepare(connection: &mut PgConnection, projections: &[&dyn Projection]) -> Result<(), sqlx::Error> {
    let mut transaction = sqlx::Connection::begin(connection).await?;
    sqlx::query("select pg_advisory_xact_lock($1)").bind(MAKING).execute(&mut *transaction).await?;
    if !is_there(&mut transaction, "projections.serving").await? {
        transaction.execute(SERVING).await?;
    }
    for projection in projections {
        for table in projection.tables() {
            if !is_there(&mut transaction, table.name).await? {
                transaction.execute(table.ddl).await?;
            }
        }
        sqlx::query("insert into projections.serving (name, version) values ($1, $2) on conflict (name) do nothing")
            .bind(projection.name())
            .bind(i32::try_from(projection.version()).unwrap_or(i32::MAX))
            .execute(&mut *transaction)
            .await?;
    }
    transaction.commit().await
}

async fn is_there(connection: &mut PgConnection, table: &str) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar("select to_regclass($1) is not null").bind(table).fetch_one(connection).await
}

impl Table {
    /// Writes rows, each an object with every column; a row whose key is there already takes its place.
    pub(crate) async fn put(&self, connection: &mut PgConnection, rows: &[Value]) -> Result<(), sqlx::Error> {
        if rows.is_empty() {
            return Ok(());
        }
        let text = serde_json::to_string(rows).map_err(|error| sqlx::Error::Encode(error.into()))?;
        sqlx::query(&self.upsert()).bind(text).execute(connection).await?;
        Ok(())
    }

    fn upsert(&self) -> String {
        let columns = self.columns.join(", ");
        let excluded: Vec<String> = self.columns.iter().map(|column| format!("excluded.{column}")).collect();
        format!(
            "insert into {name} ({columns}) select {columns} from json_populate_recordset(null::{name}, $1::text::json)
             on conflict ({key}) do update set ({columns}) = row({excluded})",
            name = self.name,
            key = self.key.join(", "),
            excluded = excluded.join(", "),
        )
    }
}

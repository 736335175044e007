//! Which tables go along.

use sqlx::PgConnection;

/// A table that goes along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Table {
    pub name: &'static str,
    /// Which of its rows, and in which order: the same on every server.
    rows: &'static str,
}

/// The tables that go along, in the order in which they can be taken in. Cursors of projections stay: their rows are made
/// anew from the log.
pub const CARRIED: [Table; 12] = [
    Table { name: "events", rows: "order by position" },
    Table { name: "commands", rows: "order by command_id" },
    Table { name: "staged", rows: "order by id" },
    Table { name: "listeners", rows: "order by id" },
    Table { name: "cursors", rows: "where not starts_with(consumer, 'projection/') order by consumer collate \"C\"" },
    Table { name: "firings", rows: "order by consumer collate \"C\", position" },
    Table { name: "drafts", rows: "order by definition_id collate \"C\"" },
    Table { name: "notes", rows: "order by id" },
    Table { name: "accounts", rows: "order by account_id collate \"C\"" },
    Table { name: "members", rows: "order by member_id" },
    Table { name: "account_tokens", rows: "order by digest" },
    Table { name: "idempotency_keys", rows: "order by account_id collate \"C\", key collate \"C\"" },
];

/// The tables that stay: what is true of one database and the engines on it alone.
pub const LEFT_BEHIND: [&str; 4] = ["_sqlx_migrations", "controlled_clock", "games", "leadership"];

impl Table {
    /// Its columns, in their order.
    pub(super) async fn columns(self, connection: &mut PgConnection) -> Result<Vec<String>, sqlx::Error> {
        let columns = sqlx::query_scalar(
            "select attname::text from pg_attribute
             where attrelid = ('public.' || $1)::regclass and attnum > 0 and not attisdropped order by attnum",
        );
        columns.bind(self.name).fetch_all(connection).await
    }

    pub(super) async fn is_empty(self, connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
        let empty = format!("select not exists (select from public.{})", self.name);
        sqlx::query_scalar(&empty).fetch_one(connection).await
    }

    /// The statement that gives its rows. The columns are the database's own.
    pub(super) fn copy_out(self, columns: &[String]) -> String {
        format!("copy (select {} from public.{} {}) to stdout", quoted(columns), self.name, self.rows)
    }

    pub(super) fn copy_in(self, columns: &[String]) -> String {
        format!("copy public.{} ({}) from stdin", self.name, quoted(columns))
    }
}

fn quoted(columns: &[String]) -> String {
    let quoted: Vec<String> = columns.iter().map(|column| format!("\"{}\"", column.replace('"', "\"\""))).collect();
    quoted.join(", ")
}

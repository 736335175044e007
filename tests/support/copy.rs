//! Copies of databases, made and put back with PostgreSQL's own programs, and compared table by table.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use leasehold::embedded::Binaries;
use sqlx::{Connection, Executor, PgConnection};

/// Dumps a database into a file in the custom format; what went wrong, if anything did.
pub fn pg_dump(url: &str, options: &[&str], file: &Path) -> Result<(), String> {
    run("pg_dump", |command| command.args(["--format=custom", "--file"]).arg(file).args(options).arg(url))
}

/// Puts such a file into a database, up to the first thing that goes wrong.
pub fn pg_restore(url: &str, options: &[&str], file: &Path) -> Result<(), String> {
    run("pg_restore", |command| command.args(["--exit-on-error", "--dbname", url]).args(options).arg(file))
}

fn run(program: &str, with: impl FnOnce(&mut Command) -> &mut Command) -> Result<(), String> {
    let mut command = Command::new(Binaries::find(None).unwrap().program(program));
    let output = with(&mut command).output().unwrap();
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

/// Every table of the two schemas but the migrations', with how many rows it has and a digest of all that is in them.
pub async fn contents(url: &str) -> BTreeMap<String, (i64, String)> {
    let mut connection = PgConnection::connect(url).await.unwrap();
    connection.execute("set timezone to 'UTC'").await.unwrap();
    let names = "select format('%I.%I', schemaname, tablename) from pg_tables
                 where schemaname in ('public', 'projections') and tablename <> '_sqlx_migrations'";
    let names: Vec<String> = sqlx::query_scalar(names).fetch_all(&mut connection).await.unwrap();
    let mut contents = BTreeMap::new();
    for name in names {
        let digest = format!("select count(*), coalesce(md5(string_agg(t::text, ' ' order by t::text)), '') from {name} t");
        contents.insert(name, sqlx::query_as(&digest).fetch_one(&mut connection).await.unwrap());
    }
    contents
}

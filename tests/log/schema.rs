//! `docs/schema.sql` is the schema on one page: the dump of a migrated database. `LEASEHOLD_BLESS=1` writes it anew.

use std::process::Command;

use crate::support::fresh_database;

#[tokio::test]
async fn the_page_in_the_docs_is_the_schema() {
    let database = fresh_database().await;
    let mut dump = Command::new("pg_dump");
    dump.args(["--schema-only", "--schema=public", "--no-owner", "--no-privileges", "--exclude-table=public._sqlx_migrations"]);
    let dump = dump.arg(&database.owner_url).output().unwrap();
    assert!(dump.status.success(), "{}", String::from_utf8_lossy(&dump.stderr));
    let found = essence(&String::from_utf8(dump.stdout).unwrap());
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema.sql");
    if std::env::var_os("LEASEHOLD_BLESS").is_some() {
        std::fs::write(&page, &found).unwrap();
    }
    let written = std::fs::read_to_string(&page).unwrap_or_default();
    assert!(written == found, "docs/schema.sql is not the schema that the migrations make: run this test with LEASEHOLD_BLESS=1");
}

/// The dump without what differs from one version of the dumping program to the next.
fn essence(dump: &str) -> String {
    let noise = ["--", "SET ", "SELECT pg_catalog.set_config", "\\restrict", "\\unrestrict", "CREATE SCHEMA public"];
    let kept = dump.lines().filter(|line| !line.is_empty() && !noise.iter().any(|noise| line.starts_with(noise)));
    let mut page = String::from(
        "-- The schema that the migrations make. A test compares the two and writes this page anew with LEASEHOLD_BLESS=1.\n",
    );
    for line in kept.filter(|line| !line.starts_with("COMMENT ON SCHEMA public")) {
        if line.starts_with("CREATE ") {
            page.push('\n');
        }
        page.push_str(line);
        page.push('\n');
    }
    page
}

//! Tables are what they say: named by version, made once, every column listed and commented.

use std::collections::BTreeSet;

use leasehold_projections::Place;

use crate::history::History;

#[tokio::test]
async fn every_table_ends_in_its_projections_version_and_has_the_columns_that_are_written() {
    let history = History::new().await;
    history.catch_up().await;
    for projection in leasehold_projections::all() {
        for table in projection.tables() {
            let name = table.name;
            assert!(name.ends_with(&format!("_v{}", projection.version())), "{name}");
            let columns: Vec<(String, Option<String>)> = sqlx::query_as(
                "select a.attname::text, col_description(a.attrelid, a.attnum)
                 from pg_attribute a where a.attrelid = to_regclass($1) and a.attnum > 0 and not a.attisdropped",
            )
            .bind(Place::Generation(1).name(table))
            .fetch_all(history.log.pool())
            .await
            .unwrap();
            let bare = columns.iter().filter(|(_, comment)| comment.is_none()).map(|(column, _)| column).collect::<Vec<_>>();
            assert!(bare.is_empty(), "{name} does not say what these are: {bare:?}");
            let there: BTreeSet<&str> = columns.iter().map(|(column, _)| column.as_str()).collect();
            assert_eq!(there, table.columns.iter().copied().collect(), "{name}");
        }
    }
}

#[tokio::test]
async fn names_are_unique_and_say_which_version_serves() {
    let history = History::new().await;
    history.catch_up().await;
    history.catch_up().await;
    let serving: Vec<(String, i32)> =
        sqlx::query_as("select name, version from projections.generations where state = 'serving' order by name")
            .fetch_all(history.log.pool())
            .await
            .unwrap();
    assert_eq!(
        serving,
        [
            ("definitions".to_owned(), i32::try_from(leasehold_projections::definitions::VERSION).unwrap()),
            ("ledger".to_owned(), 1),
            ("results".to_owned(), 1),
            ("runs".to_owned(), i32::try_from(leasehold_projections::runs::VERSION).unwrap()),
            ("series".to_owned(), 1)
        ]
    );
}

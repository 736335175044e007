//! A log that is moved to another database while a run is under way: the engine there goes on.

use leasehold_aggregates::account::Role;
use serde_json::json;

use crate::bench::{Bench, events, quiet};
use crate::runs::until;
use crate::support::{TestDatabase, fresh_database};

/// Every row that projections keep, once they contain all that is recorded; not since when each generation serves.
async fn projected(bench: &Bench) -> String {
    let pool = bench.engine.log.pool();
    let head = i64::try_from(bench.head().await).unwrap();
    let caught_up = "select count(*) from public.cursors where starts_with(consumer, 'projection/') and position >= $1";
    let all = i64::try_from(leasehold_projections::all().len()).unwrap();
    while sqlx::query_scalar::<_, i64>(caught_up).bind(head).fetch_one(pool).await.unwrap() < all {
        tokio::task::yield_now().await;
    }
    let tables: Vec<String> = sqlx::query_scalar(
        "select tablename::text from pg_tables where schemaname = 'projections' and tablename <> 'generations' order by 1",
    )
    .fetch_all(pool)
    .await
    .unwrap();
    let mut rows_of_all = String::new();
    for table in tables {
        let rows = format!("select coalesce(string_agg(t::text, e'\\n' order by t::text), '') from projections.{table} t");
        let rows: String = sqlx::query_scalar(&rows).fetch_one(pool).await.unwrap();
        rows_of_all = format!("{rows_of_all}{table}\n{rows}\n");
    }
    rows_of_all
}

async fn moved(bench: &Bench) -> TestDatabase {
    let mut file = Vec::new();
    bench.engine.log.archive(&mut file).await.unwrap();
    let database = fresh_database().await;
    database.log().await.import(&file[..]).await.unwrap();
    database
}

#[tokio::test]
async fn the_engine_goes_on_where_the_log_was_taken_to() {
    let bench = Bench::new().await;
    let id = bench.publish(&quiet("quiet")).await;
    let run = bench.admin("POST", &format!("/{id}/runs")).send().await.is(201);
    let run = run["id"].as_str().unwrap().to_owned();
    until(&bench, &run, |run| run["waitingSteps"] == 1).await;

    let there = bench.moved_to(moved(&bench).await).await;
    assert_eq!(projected(&there).await, projected(&bench).await);
    let confirm = there.call("POST", &events(&format!("/runs/{run}/steps/cue/confirm"))).by(there.person(Role::Moderator));
    confirm.json(&json!({"note": "from the other side"})).send().await.is(200);
    until(&there, &run, |run| run["status"] == "completed").await;
    assert_eq!(there.engine.log.verify(None, |_| {}).await.unwrap().head, there.engine.log.head().await.unwrap());
}

//! Subscriptions are looked up by type and scope: what belongs to others is not even read.

use leasehold::log::LISTENERS;
use serde_json::Value;

use crate::support::fresh_database;

/// Rows that a node of a plan has read, with those that it threw away; its children's too.
fn read(node: &Value) -> u64 {
    let number = |name: &str| node[name].as_f64().unwrap_or(0.0);
    let of_table = node["Relation Name"] == "listeners";
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count of rows")]
    let own = if of_table {
        ((number("Actual Rows") + number("Rows Removed by Filter") + number("Rows Removed by Index Recheck"))
            * number("Actual Loops")) as u64
    } else {
        0
    };
    own + node["Plans"].as_array().into_iter().flatten().map(read).sum::<u64>()
}

#[tokio::test]
async fn ten_of_ten_thousand_are_found_by_reading_twenty_rows_at_most() {
    let database = fresh_database().await;
    let log = database.log().await;
    let fill = "insert into listeners (id, aggregate_type, aggregate_id, event_type, scope, filter, after_position)
                select gen_random_uuid(), 'run', n::text, 'demo.type.' || n % 100, 'scope-' || n / 100 % 100, '{}', 0
                from generate_series(0, 99999) as n";
    sqlx::query(fill).execute(log.pool()).await.unwrap();
    sqlx::query("analyze listeners").execute(&mut database.owner().await).await.unwrap();
    assert_eq!(log.listeners("demo.type.7", Some("scope-42")).await.unwrap().len(), 10, "ten for each pair");
    let explain = format!("explain (analyze, format json) {LISTENERS}");
    let plan: Value = sqlx::query_scalar(&explain).bind("demo.type.7").bind("scope-42").fetch_one(log.pool()).await.unwrap();
    let rows = read(&plan[0]["Plan"]);
    assert!((10..=20).contains(&rows), "{rows} rows read: {plan:#}");
}

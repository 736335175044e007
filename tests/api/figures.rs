//! The deployment's figures on `/metrics`: as they are in the database, by whichever engine.

use leasehold::telling::Process;
use serde_json::json;

use crate::bench::{Bench, party, quiet};
use crate::exposition::Exposition;

/// Looks until the series has that value.
async fn until(bench: &Bench, name: &str, labels: &[(&str, &str)], value: f64) -> Exposition {
    let answer = bench.until("/metrics", |answer| Exposition::read(&answer.text).get(name, labels) == Some(value)).await;
    Exposition::read(&answer.text)
}

#[tokio::test]
async fn runs_targets_and_what_is_due_are_counted_where_they_stand() {
    Process::install();
    let bench = Bench::new().await;
    bench.enable("core.lease", json!({})).await;
    let id = bench.publish(&party("harvest")).await;
    bench.admin("POST", &format!("/{id}/runs")).json(&json!({})).send().await.is(201);
    until(&bench, "leasehold_ledger_unresolved", &[("status", "confirmed")], 1.0).await;
    let told = until(&bench, "leasehold_runs", &[("status", "running")], 1.0).await;
    assert_eq!(told.whole("leasehold_runs", &[("status", "paused")]), 0);
    assert_eq!(told.whole("leasehold_runs_unclean", &[("cleanup", "incomplete")]), 0);
    for consumer in ["scheduler", "runner", "gatekeeper", "triggers", "projection/runs/2/1"] {
        let told = until(&bench, "leasehold_consumer_lag_events", &[("consumer", consumer)], 0.0).await;
        let of = &[("consumer", consumer)];
        assert_eq!(told.value("leasehold_consumer_lag_seconds", of).to_string(), "0", "{consumer}");
        assert_eq!((told.whole("leasehold_consumer_led", of), told.whole("leasehold_consumer_led_here", of)), (1, 1));
        assert!(told.whole("leasehold_consumer_epoch", of) >= 1);
    }
    let feed = &[("consumer", "feed/demo/main/lamps")];
    let told = until(&bench, "leasehold_feed_position", feed, 0.0).await;
    assert_eq!((told.whole("leasehold_consumer_led", feed), told.whole("leasehold_consumer_led_here", feed)), (1, 1));
    assert_eq!(told.whole("leasehold_events_total", &[("type", "run_started")]), 1);
    let appended = &[("outcome", "appended")];
    assert_eq!(
        told.value("leasehold_append_seconds_count", appended).to_string(),
        told.value("leasehold_appends_total", appended).to_string()
    );
    assert!(told.whole("leasehold_append_batch_commands_count", &[]) >= 1);
    let wait = &[("module", "core")];
    assert!(told.whole("leasehold_dispatch_due_to_sent_seconds_count", wait) >= 1);
    let answered = &[("module", "demo"), ("outcome", "done")];
    assert_eq!(told.whole("leasehold_dispatch_sent_to_answered_seconds_count", answered), 1);
}

#[tokio::test]
async fn what_nobody_carries_out_grows_old_in_a_series_that_no_writer_can_name() {
    let bench = Bench::new().await;
    for (number, kind) in ["start\u{7f}", "{x=\"y\"}", "another"].into_iter().enumerate() {
        let stage = sqlx::query(
            "insert into public.staged (id, aggregate_type, aggregate_id, kind, due_at, payload)
             values (gen_random_uuid(), 'run', $1::text, $2, clock_timestamp() - interval '1 hour', '{}')",
        );
        stage.bind(number.to_string()).bind(kind).execute(bench.engine.log.pool()).await.unwrap();
    }
    let told = until(&bench, "leasehold_overdue_items", &[("kind", "other")], 3.0).await;
    assert_eq!(told.whole("leasehold_due_items", &[("kind", "other")]), 3);
    assert!(told.value("leasehold_due_oldest_age_seconds", &[("kind", "other")]) >= 3_600.0);
    assert_eq!(told.series("leasehold_due_items"), 8);
}

#[tokio::test]
async fn a_consumer_that_is_behind_is_told_with_how_long() {
    let bench = Bench::new().await;
    let head = bench.head().await;
    until(&bench, "leasehold_consumer_lag_events", &[("consumer", "runner")], 0.0).await;
    let holder = "update public.leadership set holder = gen_random_uuid(), expires_at = clock_timestamp() + interval '1 hour',
        term = interval '1 hour', epoch = epoch + 1 where consumer = 'runner'";
    sqlx::query(holder).execute(bench.engine.log.pool()).await.unwrap();
    sqlx::query("update public.cursors set position = 1, epoch = epoch + 1 where consumer = 'runner'")
        .execute(bench.engine.log.pool())
        .await
        .unwrap();
    let behind = f64::from(u32::try_from(head - 1).unwrap());
    let told = until(&bench, "leasehold_consumer_lag_events", &[("consumer", "runner")], behind).await;
    let of = &[("consumer", "runner")];
    assert!(told.value("leasehold_consumer_lag_seconds", of) > 0.0);
    assert_eq!((told.whole("leasehold_consumer_led", of), told.whole("leasehold_consumer_led_here", of)), (1, 0));
}

#[tokio::test]
async fn many_who_look_at_once_cost_the_database_one_look() {
    let bench = Bench::new().await;
    bench.publish(&quiet("quiet")).await;
    let looks = (0..200).map(|_| bench.call("GET", "/metrics").send());
    let answers = futures::future::join_all(looks).await;
    let first = &answers[0].text;
    let head = |text: &str| Exposition::read(text).whole("leasehold_log_head_position", &[]);
    assert!(answers.iter().all(|answer| answer.status == 200 && head(&answer.text) == head(first)));
}

//! Who leads, for how long, and what a leader that slept too long can still do: nothing.

use std::time::Duration;

use leasehold::log::{Append, AppendError, Cursor, CursorMove, Log};
use uuid::Uuid;

use crate::bench::light;
use crate::support::fresh_database;

const LONG: Duration = Duration::from_secs(600);

fn holder(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

fn step(epoch: u64, from: u64, to: u64) -> CursorMove {
    CursorMove { consumer: "runner".into(), epoch, from, to }
}

/// Lets the term of `runner` run out, as if the time had passed.
async fn expire(log: &Log) {
    let row = "update leadership set expires_at = clock_timestamp() - interval '1 second' where consumer = 'runner'";
    assert_eq!(sqlx::query(row).execute(log.pool()).await.unwrap().rows_affected(), 1);
}

#[tokio::test]
async fn one_leads_at_a_time_and_the_stored_expiry_says_how_long() {
    let database = fresh_database().await;
    let log = database.log().await;
    assert_eq!(log.acquire("runner", holder(1), LONG).await.unwrap(), Some(1));
    // Another process with a shorter term of its own does not judge by that.
    assert_eq!(log.acquire("runner", holder(2), Duration::from_millis(1)).await.unwrap(), None);
    assert_eq!(log.acquire("runner", holder(1), LONG).await.unwrap(), Some(1));
    assert!(log.renew("runner", holder(1), 1, LONG).await.unwrap());
    assert!(!log.renew("runner", holder(2), 1, LONG).await.unwrap());
    assert_eq!(log.acquire("scheduler", holder(2), LONG).await.unwrap(), Some(1));
}

#[tokio::test]
async fn of_many_who_want_a_free_consumer_one_gets_it() {
    let database = fresh_database().await;
    let log = database.log().await;
    let wanting = (1..=12).map(|number| {
        let log = log.clone();
        tokio::spawn(async move { log.acquire("runner", holder(number), LONG).await.unwrap() })
    });
    let won: Vec<u64> = futures::future::join_all(wanting).await.into_iter().filter_map(Result::unwrap).collect();
    assert_eq!(won, [1]);
}

#[tokio::test]
async fn a_takeover_raises_the_epoch_and_the_sleepers_move_is_refused() {
    let database = fresh_database().await;
    let log = database.log().await;
    for number in 1..=3 {
        log.append(light(number, "a", u64::try_from(number).unwrap() - 1)).await.unwrap();
    }
    let slept = log.acquire("runner", holder(1), LONG).await.unwrap().unwrap();
    log.move_cursor(&step(slept, 0, 1)).await.unwrap();
    expire(&log).await;
    assert!(!log.renew("runner", holder(1), slept, LONG).await.unwrap());
    let leads = log.acquire("runner", holder(2), LONG).await.unwrap().unwrap();
    assert_eq!(leads, slept + 1);

    // The cursor stands where the sleeper left it, and still the sleeper's move is not taken: alone or within an append.
    let refused = log.move_cursor(&step(slept, 1, 2)).await.unwrap_err();
    assert!(matches!(refused, AppendError::CursorMoved { epoch: 1, from: 1, .. }), "{refused}");
    let within = Append { cursor: Some(step(slept, 1, 2)), ..light(4, "b", 0) };
    assert!(matches!(log.append(within).await, Err(AppendError::CursorMoved { .. })));
    assert_eq!(log.cursor("runner").await.unwrap(), Some(Cursor { position: 1, epoch: leads }));
    assert_eq!(log.head().await.unwrap().unwrap().position, 2);

    log.append(Append { cursor: Some(step(leads, 1, 2)), ..light(5, "b", 0) }).await.unwrap();
    assert_eq!(log.cursor("runner").await.unwrap(), Some(Cursor { position: 2, epoch: leads }));
    assert!(!log.release("runner", holder(1), slept).await.unwrap());
    assert!(log.release("runner", holder(2), leads).await.unwrap());
    assert_eq!(log.acquire("runner", holder(3), LONG).await.unwrap(), Some(leads + 1));
}

#[tokio::test]
async fn a_cursor_moves_from_where_it_is_only() {
    let database = fresh_database().await;
    let log = database.log().await;
    assert_eq!(log.cursor("runner").await.unwrap(), None);
    assert!(log.move_cursor(&step(1, 0, 1)).await.is_err(), "nobody leads");
    let epoch = log.acquire("runner", holder(1), LONG).await.unwrap().unwrap();
    assert_eq!(log.cursor("runner").await.unwrap(), Some(Cursor { position: 0, epoch }));
    log.move_cursor(&step(epoch, 0, 5)).await.unwrap();
    assert!(log.move_cursor(&step(epoch, 0, 5)).await.is_err());
    assert!(log.move_cursor(&step(epoch + 1, 5, 6)).await.is_err());
    assert_eq!(log.cursor("runner").await.unwrap(), Some(Cursor { position: 5, epoch }));
}

#[tokio::test]
async fn an_expired_holder_that_comes_back_first_leads_in_a_new_epoch() {
    let database = fresh_database().await;
    let log = database.log().await;
    assert_eq!(log.acquire("runner", holder(1), LONG).await.unwrap(), Some(1));
    expire(&log).await;
    assert_eq!(log.acquire("runner", holder(1), LONG).await.unwrap(), Some(2));
}

#[tokio::test]
async fn a_clock_that_has_stepped_back_keeps_nobody_from_leading() {
    let database = fresh_database().await;
    let log = database.log().await;
    let before = log.acquire("runner", holder(1), LONG).await.unwrap().unwrap();
    // The clock goes back half an hour: to the database, the term now ends that much later.
    let row = "update leadership set expires_at = expires_at + interval '30 minutes' where consumer = 'runner'";
    assert_eq!(sqlx::query(row).execute(log.pool()).await.unwrap().rows_affected(), 1);
    let after = log.acquire("runner", holder(2), LONG).await.unwrap();
    assert_eq!(after, Some(before + 1), "another leads, in an epoch of its own");
    assert!(log.move_cursor(&step(before, 0, 1)).await.is_err(), "and the first one's move is refused");
}

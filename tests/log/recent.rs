//! What followers share of the newest events: exactly what reading the log brings, whoever wrote it.

use std::sync::Arc;

use leasehold::log::{Log, LogError, RecentEvent, Recorded};
use sqlx::Executor;

use crate::bench::{lamp, light, raw_insert};
use crate::support::fresh_database;

/// Everything past `after`, a few at a time.
async fn followed(log: &Log, mut after: u64) -> Vec<Recorded> {
    let mut events = Vec::new();
    loop {
        let some: Vec<Arc<RecentEvent>> = log.recent_after(after, 3).await.unwrap();
        let Some(last) = some.last() else { return events };
        after = last.text.position;
        events.extend(some.iter().map(|event| event.recorded().unwrap().as_ref().clone()));
    }
}

#[tokio::test]
async fn followers_see_what_a_reader_sees_whoever_has_written() {
    let database = fresh_database().await;
    let (one, other) = (database.log().await, database.log().await);
    let mut owner = database.owner().await;
    for turn in 0..4 {
        for number in 0..4 {
            one.append(light(turn * 10 + number, "a", u64::try_from(turn * 4 + number).unwrap())).await.unwrap();
        }
        for log in [&one, &other] {
            assert_eq!(followed(log, 0).await, log.read_after(Some(0), 100).await.unwrap());
        }
        other.append(light(turn * 10 + 5, "b", u64::try_from(turn).unwrap())).await.unwrap();
        owner.execute(raw_insert("c", u64::try_from(turn).unwrap() + 1).as_str()).await.unwrap();
        let head = one.head().await.unwrap().unwrap().position;
        for log in [&one, &other] {
            assert_eq!(followed(log, 0).await, log.read_after(Some(0), 100).await.unwrap());
            assert_eq!(followed(log, head - 1).await.len(), 1);
            assert_eq!(followed(log, head).await, []);
        }
    }
}

#[tokio::test]
async fn many_followers_at_once_miss_nothing_and_see_nothing_twice() {
    let database = fresh_database().await;
    let log = database.log().await;
    let count = 200;
    let follower = |log: Log| async move {
        let (mut after, mut seen) = (0, Vec::new());
        while after < count - 1 {
            for event in log.recent_after(after, 7).await.unwrap() {
                assert_eq!(event.text.position, after + 1);
                after += 1;
                seen.push(event.recorded().unwrap());
            }
            tokio::task::yield_now().await;
        }
        seen.len()
    };
    let followers: Vec<_> = (0..8).map(|_| tokio::spawn(follower(log.clone()))).collect();
    for number in 0..count {
        log.append(light(u128::from(number), "a", number)).await.unwrap();
    }
    for follower in followers {
        assert_eq!(follower.await.unwrap() as u64, count - 1);
    }
}

#[tokio::test]
async fn what_nobody_can_read_is_an_error_for_every_follower_and_hides_nothing() {
    let database = fresh_database().await;
    let log = database.log().await;
    log.append(light(1, "a", 0)).await.unwrap();
    let odd = raw_insert("b", 1).replace(r#"'{"type": "lamp_lit"}'"#, r#"'{"number": 1e999}'"#);
    database.owner().await.execute(odd.as_str()).await.unwrap();
    log.append(light(2, "a", 1)).await.unwrap();
    assert_eq!(log.load(&lamp("a")).await.unwrap().len(), 2);
    for _ in 0..2 {
        let events = log.recent_after(0, 10).await.unwrap();
        assert_eq!(events.len(), 2);
        assert!(matches!(events[0].recorded(), Err(LogError::Undecodable { position: 1, .. })));
        assert_eq!(events[1].recorded().unwrap().position, 2);
    }
}

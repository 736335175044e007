//! Several engines, and writers that are no engine, on one log at once.

use leasehold::log::{Append, AppendError, Log};
use sqlx::Executor;

use crate::bench::{lamp, light, psql, raw_insert};
use crate::postgres_es::{Ring, bells};
use crate::support::fresh_database;

/// Appends `count` events to `stream` with command ids from `first`, whoever else writes it; says how often it was refused.
async fn write(log: Log, stream: String, first: u128, count: u128) -> u32 {
    let (mut expected, mut refused) = (0, 0);
    for number in first..first + count {
        loop {
            match log.append(light(number, &stream, expected)).await {
                Ok(_) => break,
                Err(AppendError::Conflict { actual, .. }) => (expected, refused) = (actual, refused + 1),
                Err(other) => panic!("{other}"),
            }
        }
        expected += 1;
    }
    refused
}

#[tokio::test(flavor = "multi_thread")]
async fn two_engines_under_load_share_streams_and_leave_no_gap() {
    const EACH: u128 = 30;
    let database = fresh_database().await;
    let engines = [database.log().await, database.log().await];
    let mut writers = Vec::new();
    for writer in 0..16 {
        let (log, first) = (engines[usize::from(writer % 2 == 1)].clone(), 1 + writer * EACH);
        let stream = if writer < 6 { "shared".to_owned() } else { format!("own{writer}") };
        writers.push(tokio::spawn(write(log, stream, first, EACH)));
    }
    let refused: Vec<u32> = futures::future::join_all(writers).await.into_iter().map(Result::unwrap).collect();
    assert!(refused[6..].iter().all(|refused| *refused == 0), "{refused:?}");
    assert_eq!(engines[0].load(&lamp("shared")).await.unwrap().len(), usize::try_from(6 * EACH).unwrap());
    assert_eq!(engines[1].verify(None, |_| {}).await.unwrap().events, u64::try_from(16 * EACH).unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn postgres_es_and_psql_write_beside_two_engines() {
    const EACH: u128 = 30;
    let database = fresh_database().await;
    let engines = [database.log().await, database.log().await];
    let mut writers = Vec::new();
    for writer in 0..4 {
        let log = engines[usize::from(writer % 2 == 1)].clone();
        writers.push(tokio::spawn(write(log, "shared".into(), 1 + writer * EACH, EACH)));
    }
    let bells = bells(&database.app_url).await;
    let ringing = tokio::spawn(async move {
        for _ in 0..EACH {
            bells.execute("tower", Ring { times: 1, after: None }).await.unwrap();
        }
    });
    let url = database.app_url.clone();
    let script: String = (1..=30).map(|sequence| raw_insert("raw", sequence) + ";\n").collect();
    let raw = tokio::task::spawn_blocking(move || assert_eq!(psql(&url, &script), None));
    futures::future::join_all(writers).await.into_iter().for_each(|writer| {
        writer.unwrap();
    });
    ringing.await.unwrap();
    raw.await.unwrap();
    assert_eq!(engines[0].load(&lamp("shared")).await.unwrap().len(), 120);
    assert_eq!(engines[0].verify(None, |_| {}).await.unwrap().events, 180);
}

/// What an engine remembers is never held against somebody who has seen more.
#[tokio::test]
async fn an_engine_learns_what_others_wrote_before_it_refuses_anybody() {
    let database = fresh_database().await;
    let (one, other) = (database.log().await, database.log().await);
    one.append(light(1, "a", 0)).await.unwrap();
    other.append(light(2, "a", 1)).await.unwrap();
    database.owner().await.execute(raw_insert("a", 3).as_str()).await.unwrap();
    // The first engine has seen one event of three; its caller has read all of them.
    assert_eq!(one.append(light(3, "a", 3)).await.unwrap().first, 3);
    database.owner().await.execute(raw_insert("a", 5).as_str()).await.unwrap();
    let stale = one.append(light(4, "a", 4)).await.unwrap_err();
    assert!(matches!(stale, AppendError::Conflict { expected: 4, actual: 5, .. }), "{stale}");
    let rests = Append { requires: vec![(lamp("a"), 5)], ..light(5, "b", 0) };
    assert_eq!(one.append(rests).await.unwrap().first, 5);
    let never = one.append(light(6, "a", 9)).await.unwrap_err();
    assert!(matches!(never, AppendError::Conflict { expected: 9, actual: 5, .. }), "{never}");
    assert_eq!(one.verify(None, |_| {}).await.unwrap().events, 6);
}

/// A stream of which this engine has never heard, and of which the caller has heard wrongly.
#[tokio::test]
async fn a_stream_that_is_not_remembered_is_looked_at() {
    let database = fresh_database().await;
    let (one, other) = (database.log().await, database.log().await);
    for number in 1..=3 {
        other.append(light(number, "a", u64::try_from(number).unwrap() - 1)).await.unwrap();
    }
    one.append(light(4, "b", 0)).await.unwrap();
    for (number, expected) in [(5, 0), (6, 1), (7, 2), (8, 7)] {
        let stale = one.append(light(number, "a", expected)).await.unwrap_err();
        assert!(matches!(stale, AppendError::Conflict { actual: 3, .. }), "{expected}: {stale}");
        let again = database.log().await;
        again.append(light(100 + number, &format!("c{number}"), 0)).await.unwrap();
        let stale = again.append(light(200 + number, "a", expected)).await.unwrap_err();
        assert!(matches!(stale, AppendError::Conflict { actual: 3, .. }), "{expected}: {stale}");
    }
    assert_eq!(one.append(light(9, "a", 3)).await.unwrap().first, 8);
    assert_eq!(one.verify(None, |_| {}).await.unwrap().events, 9);
}

/// The database was put back to an earlier state under a running engine: nothing that it remembers holds.
#[tokio::test]
async fn an_engine_forgets_what_a_restored_database_never_had() {
    let database = fresh_database().await;
    let log = database.log().await;
    for number in 1..=5 {
        log.append(light(number, "a", u64::try_from(number).unwrap() - 1)).await.unwrap();
    }
    let mut owner = database.owner().await;
    for statement in [
        "alter table events disable trigger leasehold_4_refuse",
        "delete from events where position > 2",
        "delete from commands where last_position > 2",
        "alter table events enable always trigger leasehold_4_refuse",
    ] {
        owner.execute(statement).await.unwrap();
    }
    let stale = log.append(light(6, "a", 5)).await.unwrap_err();
    assert!(matches!(stale, AppendError::Conflict { expected: 5, actual: 3, .. }), "{stale}");
    assert_eq!(log.append(light(7, "a", 3)).await.unwrap().first, 3);
    assert_eq!(log.verify(None, |_| {}).await.unwrap().events, 4);
}

//! PostgreSQL stopped at once under load, and started again: every command is in or out exactly once.

use std::process::Command;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use leasehold::embedded::Embedded;
use leasehold::log::{AppendError, Log, LogOptions, prepare};
use sqlx::postgres::PgConnectOptions;

use crate::bench::{command, lamp, light};
use crate::embedded::{data_dir, postmaster};

const WRITERS: u128 = 12;
const STOPS: u64 = 3;
/// Commands that are done between two stops, at least.
const BETWEEN: u64 = 150;

/// Appends to a stream of its own until told to stop; sends each command again until it is known to be done.
async fn write(log: Log, writer: u128, done: Arc<AtomicU64>, until: u64) -> u64 {
    let mut expected = 0;
    while done.load(Ordering::SeqCst) < until {
        let number = 1 + writer * 100_000 + u128::from(expected);
        loop {
            match log.append(light(number, &format!("w{writer}"), expected)).await {
                Ok(_) | Err(AppendError::AlreadyDone(_)) => break,
                Err(AppendError::Unknown { .. } | AppendError::Busy(_) | AppendError::Database(_)) => {}
                Err(other) => panic!("{other}"),
            }
        }
        expected += 1;
        done.fetch_add(1, Ordering::SeqCst);
    }
    expected
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_stopped_at_once_under_load_loses_and_doubles_nothing() {
    let dir = data_dir();
    let mut database = Embedded::start(dir.path()).await.unwrap();
    prepare(&PgConnectOptions::from_str(database.owner_url()).unwrap()).await.unwrap();
    let log = Log::connect(PgConnectOptions::from_str(database.app_url()).unwrap(), LogOptions::default()).await.unwrap();
    let done = Arc::new(AtomicU64::new(0));
    let until = (STOPS + 1) * BETWEEN;
    let writers: Vec<_> = (0..WRITERS).map(|writer| tokio::spawn(write(log.clone(), writer, done.clone(), until))).collect();
    for stop in 1..=STOPS {
        while done.load(Ordering::SeqCst) < stop * BETWEEN {
            tokio::task::yield_now().await;
        }
        // An immediate shutdown: sessions are cut where they are, and what was committed is recovered from the log ahead.
        assert!(Command::new("kill").args(["-QUIT", &postmaster(&database)]).status().unwrap().success());
        database.watch().await;
        database.restart().await.unwrap();
    }
    let mut total = 0;
    for (writer, written) in (0..WRITERS).zip(futures::future::join_all(writers).await) {
        let written = written.unwrap();
        let stream = log.load(&lamp(&format!("w{writer}"))).await.unwrap();
        assert!(stream.iter().map(|event| event.sequence).eq(1..=written));
        for (event, sequence) in stream.iter().zip(0..) {
            let made = log.command(command(1 + writer * 100_000 + sequence)).await.unwrap().unwrap();
            assert_eq!((made.first, made.last), (event.position, event.position));
        }
        total += written;
    }
    assert_eq!(log.verify(None, |_| {}).await.unwrap().events, total);
    let commands: i64 = sqlx::query_scalar("select count(*) from commands").fetch_one(log.pool()).await.unwrap();
    assert_eq!(u64::try_from(commands).unwrap(), total);
    database.stop().await.unwrap();
}

//! An engine that dies in the middle of a batch: all of the batch is in, or none of it, and the next engine goes on.

use std::process::Command;
use std::str::FromStr;

use leasehold::log::{Log, LogOptions};
use sqlx::postgres::PgConnectOptions;

use crate::bench::{command, lamp, light};
use crate::support::fresh_database;

/// Set for a copy of this test binary that plays an engine: the database on which it appends until it dies.
const WRITER: &str = "LEASEHOLD_TEST_PLAYS_WRITER";
/// Set where another engine appends between its two batches.
const BESIDE: &str = "LEASEHOLD_TEST_BESIDE_ANOTHER";
const WRITERS: u128 = 8;

/// Appends one command before, and then eight at once; dies where it is told to, or ends.
#[tokio::test]
async fn plays_writer() {
    let Ok(url) = std::env::var(WRITER) else { return };
    let connect = || Log::connect(PgConnectOptions::from_str(&url).unwrap(), LogOptions::default());
    let log = connect().await.unwrap();
    let each = (1..=WRITERS).map(|number| log.append(light(number, &format!("w{number}"), 0)));
    futures::future::join_all(each).await.into_iter().for_each(|outcome| assert!(outcome.is_ok()));
    if std::env::var_os(BESIDE).is_some() {
        connect().await.unwrap().append(light(50, "beside", 0)).await.unwrap();
    }
    let each = (1..=WRITERS).map(|number| log.append(light(100 + number, &format!("w{number}"), 1)));
    futures::future::join_all(each).await.into_iter().for_each(|outcome| assert!(outcome.is_ok()));
}

#[tokio::test]
async fn a_batch_in_whose_midst_the_engine_died_is_in_as_a_whole_or_out_as_a_whole() {
    // The first batch of an engine is carried under the lock, the second as a single statement, unless another has written.
    for (point, beside, first, second) in [
        ("batch.before_commit", false, false, false),
        ("batch.before_statement", false, true, false),
        ("batch.after_commit", false, true, false),
        ("batch.after_statement", false, true, true),
        ("batch.before_flush", true, true, true),
    ] {
        let database = fresh_database().await;
        let mut writer = Command::new(std::env::current_exe().unwrap());
        writer.args(["--exact", "killed::plays_writer", "--nocapture"]).env(WRITER, &database.app_url);
        if beside {
            writer.env(BESIDE, "1");
        }
        let died = writer.env("LEASEHOLD_CRASH_AT", point).output().unwrap();
        let said = String::from_utf8_lossy(&died.stderr);
        assert!(!died.status.success() && said.contains(&format!("crash point {point} reached")), "{point}: {said}");
        let log = database.log().await;
        for (from, is_in) in [(0, first), (100, second)] {
            for number in 1..=WRITERS {
                let made = log.command(command(from + number)).await.unwrap();
                assert_eq!(made.is_some(), is_in, "{point}, command {}", from + number);
            }
        }
        for number in 1..=WRITERS {
            let stream = format!("w{number}");
            let events = log.load(&lamp(&stream)).await.unwrap().len() as u64;
            assert_eq!(events, u64::from(first) + u64::from(second), "{point}");
            log.append(light(200 + number, &stream, events)).await.unwrap();
        }
        let events = u64::try_from(WRITERS).unwrap() * (1 + u64::from(first) + u64::from(second)) + u64::from(beside);
        assert_eq!(log.verify(None, |_| {}).await.unwrap().events, events);
    }
}

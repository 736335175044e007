//! One total order, without gaps, whoever writes: and a reader that follows it misses nothing.

use std::collections::BTreeSet;

use leasehold::log::{Log, Recorded};
use sqlx::Executor;

use crate::bench::{lamp, light, psql, raw_insert};
use crate::postgres_es::{Ring, bells};
use crate::support::fresh_database;

/// Transactions of each writer; every third is rolled back.
const ROUNDS: u64 = 45;
const KEPT: u64 = ROUNDS - ROUNDS / 3;

/// One writer's script: two events a transaction.
fn script(writer: usize) -> String {
    let kept = |round: u64| !round.is_multiple_of(3);
    let transaction = |round: u64| {
        let before = 2 * (1..round).filter(|round| kept(*round)).count() as u64;
        let (first, second) = (raw_insert(&format!("w{writer}"), before + 1), raw_insert(&format!("w{writer}"), before + 2));
        let end = if kept(round) { "commit" } else { "rollback" };
        format!("begin;\n{first};\nsavepoint s;\n{second};\n{end};\n")
    };
    (1..=ROUNDS).map(transaction).collect()
}

/// Follows the log by positions until it has read `count` events.
async fn follow(log: &Log, count: u64) -> Vec<Recorded> {
    let mut read = Vec::new();
    let mut nudges = log.subscribe();
    while (read.len() as u64) < count {
        let page = log.read_after(read.last().map(|event: &Recorded| event.position), 7).await.unwrap();
        if page.is_empty() {
            let _ = nudges.changed().await;
        }
        read.extend(page);
    }
    read
}

#[tokio::test(flavor = "multi_thread")]
async fn eight_raw_writers_and_a_reader_that_sees_every_position_once_in_order() {
    let database = fresh_database().await;
    let log = database.log().await;
    let mut writers = tokio::task::JoinSet::new();
    for writer in 0..6 {
        let url = database.app_url.clone();
        writers.spawn_blocking(move || assert_eq!(psql(&url, &script(writer)), None));
    }
    for writer in 6..8 {
        let bells = bells(&database.app_url).await;
        writers.spawn(async move {
            for round in 0..ROUNDS {
                // What a third of them expects does not hold, so that they give up after having loaded.
                let after = (round % 3 == 2).then_some(u64::MAX);
                let outcome = bells.execute(&format!("w{writer}"), Ring { times: 1, after }).await;
                assert_eq!(outcome.is_ok(), after.is_none());
            }
        });
    }
    let count = 6 * 2 * KEPT + 2 * KEPT;
    let read = follow(&log, count).await;
    while let Some(done) = writers.join_next().await {
        done.unwrap();
    }
    assert_eq!(read.iter().map(|event| event.position).collect::<Vec<_>>(), (0..count).collect::<Vec<_>>());
    assert!(read.is_sorted_by_key(|event| event.recorded_at));
    let rows: BTreeSet<_> = read.iter().map(|event| (event.stream.to_string(), event.sequence)).collect();
    assert_eq!(rows.len() as u64, count);
    assert_eq!(log.read_after(Some(count - 1), 10).await.unwrap(), [], "nothing came after that");
    assert_eq!(log.verify(None, |_| {}).await.unwrap().events, count);
}

#[tokio::test]
async fn an_append_that_commits_late_is_not_passed_by() {
    let database = fresh_database().await;
    let log = database.log().await;
    for ending in ["commit", "rollback"] {
        let before = log.head().await.unwrap().map(|head| head.position);
        let mut slow = database.owner().await;
        slow.execute("begin").await.unwrap();
        slow.execute(raw_insert(ending, 1).as_str()).await.unwrap();
        // The next writer waits for the slow one; meanwhile a reader sees neither.
        let next = tokio::spawn({
            let (log, ending) = (log.clone(), ending.to_owned());
            async move { log.append(light(ending.len() as u128, &format!("{ending}-next"), 0)).await }
        });
        waits_for_the_lock(&log).await;
        assert_eq!(log.read_after(before, 10).await.unwrap(), []);
        slow.execute(ending).await.unwrap();
        let appended = next.await.unwrap().unwrap();
        let read = log.read_after(before, 10).await.unwrap();
        let first = before.map_or(0, |position| position + 1);
        assert_eq!(read.iter().map(|event| event.position).collect::<Vec<_>>(), (first..=appended.last).collect::<Vec<_>>());
        assert_eq!(read.len(), if ending == "commit" { 2 } else { 1 });
    }
    assert_eq!(log.load(&lamp("rollback")).await.unwrap(), []);
}

/// Returns once somebody waits for the log's lock.
async fn waits_for_the_lock(log: &Log) {
    let waiting = "select exists(select from pg_locks l where l.locktype = 'advisory' and not l.granted
                                 and l.database = (select oid from pg_database where datname = current_database()))";
    while !sqlx::query_scalar::<_, bool>(waiting).fetch_one(log.pool()).await.unwrap() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn every_shape_of_insert_is_stamped_and_stays_dense() {
    let database = fresh_database().await;
    let log = database.log().await;
    let columns = "(aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata)";
    let row = |id: &str, sequence: u64| format!("('lamp', '{id}', {sequence}, 'lamp_lit', '1', '{{}}', '{{}}')");
    let mut owner = database.owner().await;
    let statements = [
        format!("insert into events {columns} values {}, {}, {}", row("a", 1), row("a", 2), row("b", 1)),
        format!(
            "with one as (insert into events {columns} values {} returning 1), two as (insert into events {columns} values {} returning 1)
             select * from one, two",
            row("c", 1),
            row("c", 2)
        ),
        format!("insert into events {columns} values {}, {}, {} on conflict do nothing", row("a", 2), row("d", 1), row("a", 1)),
        format!("begin; savepoint s; insert into events {columns} values {}; rollback to s; insert into events {columns} values {}; commit", row("e", 1), row("f", 1)),
    ];
    for statement in &statements {
        owner.execute(statement.as_str()).await.unwrap();
    }
    let copied = "copy events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata) from stdin;
lamp\tg\t1\tlamp_lit\t1\t{}\t{}\nlamp\tg\t2\tlamp_lit\t1\t{\"text\": \"Grüße\"}\t{}\n\\.\n";
    assert_eq!(psql(&database.app_url, copied), None);
    assert_eq!(log.verify(None, |_| {}).await.unwrap().events, 9);
    assert_eq!(log.load(&lamp("e")).await.unwrap(), []);
    assert_eq!(log.load(&lamp("g")).await.unwrap()[1].payload["text"], "Grüße");
}

/// A dump of the data alone goes into a migrated database as it is: same positions, instants and hashes, and checked.
#[tokio::test]
async fn a_restored_log_is_the_same_log() {
    let (from, to) = (fresh_database().await, fresh_database().await);
    let log = from.log().await;
    for number in 0..20 {
        log.append(light(u128::from(number) + 1, &format!("s{}", number % 3), number / 3)).await.unwrap();
    }
    let dump = std::process::Command::new("pg_dump").args(["--data-only", "--table=public.events", &from.owner_url]).output();
    let dump = String::from_utf8(dump.unwrap().stdout).unwrap();
    assert_eq!(psql(&to.owner_url, &dump), None);
    let restored = to.log().await;
    assert_eq!(restored.head().await.unwrap(), log.head().await.unwrap());
    assert_eq!(restored.read_after(None, 100).await.unwrap(), log.read_after(None, 100).await.unwrap());
    let tampered = dump.replacen("\"number\":\"7\"", "\"number\":\"8\"", 1);
    assert_ne!(tampered, dump);
    let third = fresh_database().await;
    let refused = psql(&third.owner_url, &tampered).expect("a changed dump is refused");
    assert!(refused.contains("a hash or an instant is wrong"), "{refused}");
}

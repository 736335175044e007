//! The answer to a commit is lost on the way: whether the command was done is looked up, never guessed. And waiting ends.

use std::time::Duration;

use leasehold::log::{Append, AppendError, Log, LogOptions, RowWrite};
use sqlx::Executor;

use crate::bench::{command, lamp, light, raw_insert};
use crate::support::{Fault, TestDatabase, Wire, fresh_database};

async fn log_over(database: &TestDatabase) -> (Log, Wire) {
    let wire = Wire::to(&database.app()).await;
    let options = LogOptions { connection_wait: Duration::from_secs(2), ..LogOptions::default() };
    (Log::connect(wire.over(database.app()), options).await.unwrap(), wire)
}

/// An append that takes a note along, and so is a transaction of several statements.
fn with_a_note(number: u128, id: &str, expected: u64) -> Append {
    let at = "2027-03-28T12:00:00Z".parse().unwrap();
    let note = RowWrite::Note { id: command(number), salt: vec![7; 16], body: "brighter".into(), by: "somebody".into(), at };
    Append { rows: vec![note], ..light(number, id, expected) }
}

/// One event by a single statement, one by a transaction.
const WAYS: [fn(u128, &str, u64) -> Append; 2] = [light, with_a_note];

#[tokio::test]
async fn a_commit_whose_answer_was_lost_is_found_and_answered() {
    for way in WAYS {
        let database = fresh_database().await;
        let (log, wire) = log_over(&database).await;
        log.append(light(1, "a", 0)).await.unwrap();
        wire.fails(Fault::AnswerLost);
        let appended = log.append(way(2, "a", 1)).await.unwrap();
        assert!(wire.has_failed(), "the fault was met");
        assert_eq!((appended.first, appended.last), (1, 1));
        assert!(matches!(log.append(way(2, "a", 1)).await, Err(AppendError::AlreadyDone(then)) if then == appended));
        assert_eq!(log.load(&lamp("a")).await.unwrap().len(), 2);
    }
}

/// Two engines have the same to do. Whoever was slower must not take what the other has begun for its own, or both would carry it
/// out in the world.
#[tokio::test]
async fn what_another_has_done_meanwhile_is_not_taken_for_ones_own_when_the_connection_breaks() {
    let by = |mut append: Append, name: &str| {
        append.metadata.insert("recorded_by".into(), format!("engine:{name}"));
        append
    };
    for (way, fault) in WAYS.into_iter().flat_map(|way| [(way, Fault::CommitLost), (way, Fault::AnswerLost)]) {
        let database = fresh_database().await;
        let (slow, wire) = log_over(&database).await;
        let (fast, _) = log_over(&database).await;
        slow.append(by(light(1, "a", 0), "slow")).await.unwrap();
        let appended = fast.append(by(way(2, "a", 1), "fast")).await.unwrap();
        wire.fails(fault);
        let told = slow.append(by(way(2, "a", 1), "slow")).await;
        assert!(matches!(&told, Err(AppendError::AlreadyDone(then)) if *then == appended), "{told:?}");
        assert_eq!(fast.load(&lamp("a")).await.unwrap().len(), 2);
    }
}

#[tokio::test]
async fn a_commit_that_never_arrived_is_carried_out_after_all_and_once() {
    for way in WAYS {
        let database = fresh_database().await;
        let (log, wire) = log_over(&database).await;
        log.append(light(1, "a", 0)).await.unwrap();
        wire.fails(Fault::CommitLost);
        let appended = log.append(way(2, "a", 1)).await.unwrap();
        assert!(wire.has_failed(), "the fault was met");
        assert_eq!(log.command(command(2)).await.unwrap(), Some(appended));
        assert_eq!(log.load(&lamp("a")).await.unwrap().len(), 2);
    }
}

#[tokio::test]
async fn a_connection_that_breaks_twice_leaves_it_open_and_the_command_may_be_sent_again() {
    for fault in [Fault::CommitLost, Fault::AnswerLost] {
        let database = fresh_database().await;
        let (log, wire) = log_over(&database).await;
        log.append(light(1, "a", 0)).await.unwrap();
        wire.fails_now_and_then(0, &[Fault::CommitLost, fault]);
        let unknown = log.append(light(2, "a", 1)).await.unwrap_err();
        assert!(matches!(unknown, AppendError::Unknown { command_id, .. } if command_id == command(2)), "{unknown}");
        assert!(wire.has_failed(), "both were met");
        match log.append(light(2, "a", 1)).await {
            Ok(_) => assert_eq!(fault, Fault::CommitLost),
            Err(AppendError::AlreadyDone(_)) => assert_eq!(fault, Fault::AnswerLost),
            other => panic!("{other:?}"),
        }
        assert_eq!(log.load(&lamp("a")).await.unwrap().len(), 2);
    }
}

#[tokio::test]
async fn what_cannot_be_found_out_is_called_unknown_and_may_be_sent_again() {
    for way in WAYS {
        let database = fresh_database().await;
        let (log, wire) = log_over(&database).await;
        log.append(light(1, "b", 0)).await.unwrap();
        wire.fails(Fault::WireCut);
        let unknown = log.append(way(2, "a", 0)).await.unwrap_err();
        assert!(matches!(unknown, AppendError::Unknown { command_id, .. } if command_id == command(2)), "{unknown}");
        let busy = log.append(way(3, "a", 1)).await.unwrap_err();
        assert!(matches!(busy, AppendError::Busy(_)), "nothing was sent: {busy}");
        let again = database.log().await.append(way(2, "a", 0)).await;
        assert!(matches!(again, Err(AppendError::AlreadyDone(then)) if then.first == 1), "it had been done: {again:?}");
        wire.mend();
        assert_eq!(log.append(way(3, "a", 1)).await.unwrap().first, 2, "and the log goes on");
    }
}

/// Sixteen writers, half of them with rows beside their events, over a wire that fails every few commits in turn.
#[tokio::test(flavor = "multi_thread")]
async fn under_load_every_command_is_in_or_out_exactly_once_whatever_the_wire_does() {
    const WRITERS: u128 = 16;
    const EACH: u128 = 25;
    let database = fresh_database().await;
    let (log, wire) = log_over(&database).await;
    wire.fails_now_and_then(3, &[Fault::AnswerLost, Fault::CommitLost].repeat(6));
    let writers = (0..WRITERS).map(|writer| {
        let log = log.clone();
        tokio::spawn(async move {
            for round in 0..EACH {
                let expected = u64::try_from(round).unwrap();
                let command = || WAYS[usize::from(writer % 2 == 1)](1 + writer * EACH + round, &format!("w{writer}"), expected);
                loop {
                    match log.append(command()).await {
                        Ok(appended) | Err(AppendError::AlreadyDone(appended)) => {
                            assert_eq!(appended.first, appended.last);
                            break;
                        }
                        Err(AppendError::Unknown { .. } | AppendError::Busy(_) | AppendError::Database(_)) => {}
                        Err(other) => panic!("{other}"),
                    }
                }
            }
        })
    });
    futures::future::join_all(writers).await.into_iter().for_each(Result::unwrap);
    assert!(wire.has_failed(), "every fault was met");
    let (statements, blocks) = wire.met();
    assert!(statements + blocks == 12 && blocks > 0, "{statements} by single statements, {blocks} by blocks");
    let total = u64::try_from(WRITERS * EACH).unwrap();
    assert_eq!(log.verify(None, |_| {}).await.unwrap().events, total);
    for writer in 0..WRITERS {
        let stream = log.load(&lamp(&format!("w{writer}"))).await.unwrap();
        assert_eq!(stream.len(), usize::try_from(EACH).unwrap());
        for (event, round) in stream.iter().zip(0..) {
            let made = log.command(command(1 + writer * EACH + round)).await.unwrap().unwrap();
            assert_eq!((made.first, made.last), (event.position, event.position), "the answer is what is recorded");
        }
    }
    let commands: i64 = sqlx::query_scalar("select count(*) from commands").fetch_one(log.pool()).await.unwrap();
    assert_eq!(u64::try_from(commands).unwrap(), total);
}

#[tokio::test]
async fn waiting_for_the_lock_ends_and_says_busy() {
    for opened in [false, true] {
        let database = fresh_database().await;
        let log = database.log_with(LogOptions { lock_wait: Duration::from_millis(50), ..LogOptions::default() }).await;
        let first = u64::from(opened);
        if opened {
            log.append(light(9, "z", 0)).await.unwrap();
        }
        let mut slow = database.owner().await;
        slow.execute("begin").await.unwrap();
        slow.execute(raw_insert("b", 1).as_str()).await.unwrap();
        let busy = log.append(light(1, "a", 0)).await.unwrap_err();
        assert!(matches!(busy, AppendError::Busy(_)), "{busy}");
        assert!(busy.to_string().contains("busy"), "{busy}");
        slow.execute("rollback").await.unwrap();
        let appended = log.append(light(1, "a", 0)).await.unwrap();
        assert_eq!(appended.first, first, "the same command, and the connection is fine");
    }
}

#[tokio::test]
async fn a_transaction_left_open_elsewhere_ends_by_itself() {
    let database = fresh_database().await;
    let options = LogOptions { idle_in_transaction: Duration::from_millis(50), ..LogOptions::default() };
    let forgetful = database.log_with(options).await;
    let mut left_open = forgetful.pool().begin().await.unwrap();
    left_open.execute(raw_insert("b", 1).as_str()).await.unwrap();
    // It holds the log's lock until the database ends it; the append waits for just that.
    let log = database.log_with(LogOptions { lock_wait: Duration::from_secs(60), ..LogOptions::default() }).await;
    assert_eq!(log.append(light(1, "a", 0)).await.unwrap().first, 0);
    assert!(left_open.commit().await.is_err());
}

#[tokio::test]
async fn a_transaction_left_open_in_another_database_stalls_nothing() {
    let (database, other) = (fresh_database().await, fresh_database().await);
    let mut elsewhere = other.owner().await;
    elsewhere.execute("begin").await.unwrap();
    elsewhere.execute(raw_insert("b", 1).as_str()).await.unwrap();
    let log = database.log_with(LogOptions { lock_wait: Duration::from_millis(100), ..LogOptions::default() }).await;
    for number in 1..=20 {
        log.append(light(number, &number.to_string(), 0)).await.unwrap();
    }
    assert_eq!(log.read_after(None, 100).await.unwrap().len(), 20, "nor does a reader stop before it");
    elsewhere.execute("rollback").await.unwrap();
}

/// Sessions that the database has ended while nobody appended are made anew, and no caller hears of it.
#[tokio::test]
async fn a_session_that_was_ended_meanwhile_is_nobodys_trouble() {
    let database = fresh_database().await;
    let log = database.log().await;
    log.append(light(1, "a", 0)).await.unwrap();
    let end_all =
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
    database.owner().await.execute(end_all).await.unwrap();
    assert_eq!(log.append(light(2, "a", 1)).await.unwrap().first, 1);
}

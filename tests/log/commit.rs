//! The answer to a commit is lost on the way: whether the command was done is looked up, never guessed. And waiting ends.

use std::io::ErrorKind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use leasehold::log::{AppendError, Log, LogOptions};
use sqlx::Executor;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::bench::{command, lamp, light, raw_insert};
use crate::support::{TestDatabase, fresh_database};

/// What the wire does with the next `COMMIT` that passes. It does so once.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    /// The database commits, and its answer never arrives.
    AnswerLost,
    /// The commit never reaches the database, and the connection is gone.
    CommitLost,
    /// The database commits, its answer never arrives, and nothing else does from then on.
    WireCut,
}

/// A wire between the engine and the database that can be told to fail.
struct Wire {
    port: u16,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    armed: AtomicBool,
    cut: AtomicBool,
}

impl Wire {
    async fn to(host: String, port: u16, fault: Fault) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let state = Arc::new(State::default());
        let wire = Self { port: listener.local_addr().unwrap().port(), state: state.clone() };
        tokio::spawn(async move {
            while let Ok((engine, _)) = listener.accept().await {
                if state.cut.load(Ordering::SeqCst) {
                    continue;
                }
                let database = TcpStream::connect((host.as_str(), port)).await.unwrap();
                tokio::spawn(carry(engine, database, state.clone(), fault));
            }
        });
        wire
    }
}

async fn carry(mut engine: TcpStream, mut database: TcpStream, state: Arc<State>, fault: Fault) -> std::io::Result<()> {
    let (mut asked, mut answered) = (vec![0; 65536], vec![0; 65536]);
    loop {
        tokio::select! {
            read = engine.read(&mut asked) => {
                let read = read?;
                if read == 0 || state.cut.load(Ordering::SeqCst) {
                    return Ok(());
                }
                let commit = asked[..read].windows(7).any(|word| word == b"COMMIT\0");
                let fails = commit && state.armed.swap(false, Ordering::SeqCst);
                if fails && fault == Fault::CommitLost {
                    return Err(ErrorKind::ConnectionReset.into());
                }
                database.write_all(&asked[..read]).await?;
                if fails {
                    state.cut.store(fault == Fault::WireCut, Ordering::SeqCst);
                    assert_ne!(database.read(&mut answered).await?, 0, "the database has answered");
                    return Err(ErrorKind::ConnectionReset.into());
                }
            }
            read = database.read(&mut answered) => {
                let read = read?;
                if read == 0 {
                    return Ok(());
                }
                engine.write_all(&answered[..read]).await?;
            }
        }
    }
}

async fn log_over(database: &TestDatabase, fault: Fault) -> (Log, Wire) {
    let direct = database.app();
    let wire = Wire::to(direct.get_host().to_owned(), direct.get_port(), fault).await;
    let over = direct.host("127.0.0.1").port(wire.port).ssl_mode(sqlx::postgres::PgSslMode::Disable);
    let options = LogOptions { connection_wait: Duration::from_secs(2), ..LogOptions::default() };
    (Log::connect(over, options).await.unwrap(), wire)
}

#[tokio::test]
async fn a_commit_whose_answer_was_lost_is_found_and_answered() {
    let database = fresh_database().await;
    let (log, wire) = log_over(&database, Fault::AnswerLost).await;
    log.append(light(1, "a", 0)).await.unwrap();
    wire.state.armed.store(true, Ordering::SeqCst);
    let appended = log.append(light(2, "a", 1)).await.unwrap();
    assert!(!wire.state.armed.load(Ordering::SeqCst), "the fault was met");
    assert_eq!((appended.first, appended.last), (1, 1));
    assert!(matches!(log.append(light(2, "a", 1)).await, Err(AppendError::AlreadyDone(then)) if then == appended));
    assert_eq!(log.load(&lamp("a")).await.unwrap().len(), 2);
}

#[tokio::test]
async fn a_commit_that_never_arrived_is_known_not_to_have_happened() {
    let database = fresh_database().await;
    let (log, wire) = log_over(&database, Fault::CommitLost).await;
    log.append(light(1, "a", 0)).await.unwrap();
    wire.state.armed.store(true, Ordering::SeqCst);
    let lost = log.append(light(2, "a", 1)).await.unwrap_err();
    assert!(!wire.state.armed.load(Ordering::SeqCst), "the fault was met");
    assert!(matches!(lost, AppendError::Database(_)), "{lost}");
    assert_eq!(log.command(command(2)).await.unwrap(), None);
    assert_eq!(log.append(light(2, "a", 1)).await.unwrap().first, 1);
}

#[tokio::test]
async fn what_cannot_be_found_out_is_called_unknown_and_may_be_sent_again() {
    let database = fresh_database().await;
    let (log, wire) = log_over(&database, Fault::WireCut).await;
    wire.state.armed.store(true, Ordering::SeqCst);
    let unknown = log.append(light(1, "a", 0)).await.unwrap_err();
    assert!(matches!(unknown, AppendError::Unknown { command_id, .. } if command_id == command(1)), "{unknown}");
    let again = database.log().await.append(light(1, "a", 0)).await;
    assert!(matches!(again, Err(AppendError::AlreadyDone(then)) if then.first == 0), "it had been done: {again:?}");
}

#[tokio::test]
async fn waiting_for_the_lock_ends_and_says_busy() {
    let database = fresh_database().await;
    let log = database.log_with(LogOptions { lock_wait: Duration::from_millis(50), ..LogOptions::default() }).await;
    let mut slow = database.owner().await;
    slow.execute("begin").await.unwrap();
    slow.execute(raw_insert("b", 1).as_str()).await.unwrap();
    let busy = log.append(light(1, "a", 0)).await.unwrap_err();
    assert!(matches!(busy, AppendError::Busy(_)), "{busy}");
    assert!(busy.to_string().contains("busy"), "{busy}");
    slow.execute("rollback").await.unwrap();
    assert_eq!(log.append(light(1, "a", 0)).await.unwrap().first, 0, "the same command, and the connection is fine");
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

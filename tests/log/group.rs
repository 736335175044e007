//! Commands that commit together: each is refused by itself, and nobody pays for a neighbour.

use std::collections::BTreeMap;

use leasehold::log::{Append, AppendError, Appended, Log, NewEvent, RowWrite, Staged, StreamWrite};
use serde_json::json;
use sqlx::{Executor, PgConnection};
use tokio::task::JoinHandle;

use crate::bench::{command, lamp, light, lit, raw_insert};
use crate::support::{TestDatabase, fresh_database};

type Sent = JoinHandle<Result<Appended, AppendError>>;

/// A log whose lock somebody else holds, so that whatever is sent meanwhile waits for the same batch.
struct Gathering {
    log: Log,
    holder: PgConnection,
    /// The command that is on its way and waits for the lock.
    first: Sent,
}

impl Gathering {
    async fn of(database: &TestDatabase, log: &Log) -> Self {
        let mut holder = database.owner().await;
        holder.execute("begin").await.unwrap();
        holder.execute(raw_insert("held", 1).as_str()).await.unwrap();
        let log = log.clone();
        let first = tokio::spawn({
            let log = log.clone();
            async move { log.append(light(1_000, "first", 0)).await }
        });
        let waiting = "select exists(select from pg_locks l where l.locktype = 'advisory' and not l.granted
                                     and l.database = (select oid from pg_database where datname = current_database()))";
        while !sqlx::query_scalar::<_, bool>(waiting).fetch_one(log.pool()).await.unwrap() {
            tokio::task::yield_now().await;
        }
        Self { log, holder, first }
    }

    /// Sends the appends in this order, lets go of the lock, and says what became of each.
    async fn carry(mut self, appends: Vec<Append>, end: &str) -> Vec<Result<Appended, AppendError>> {
        let mut sent: Vec<Sent> = Vec::new();
        for append in appends {
            let log = self.log.clone();
            sent.push(tokio::spawn(async move { log.append(append).await }));
            // On a runtime of one thread the task has queued its command once it has had its turn.
            tokio::task::yield_now().await;
        }
        self.holder.execute(end).await.unwrap();
        self.first.await.unwrap().unwrap();
        futures::future::join_all(sent).await.into_iter().map(Result::unwrap).collect()
    }
}

fn item(number: u64) -> Staged {
    let (id, due_at) = (Staged::id_for(&lamp("a"), number, "put_out"), "2027-03-28T12:00:00Z".parse().unwrap());
    Staged { id, stream: lamp("a"), kind: "put_out".into(), due_at, payload: json!({}) }
}

fn note(number: u128) -> RowWrite {
    let at = "2027-03-28T12:00:00Z".parse().unwrap();
    RowWrite::Note { id: command(number), salt: vec![7; 16], body: "brighter".into(), by: "somebody".into(), at }
}

#[tokio::test]
async fn the_stale_are_refused_singly_and_told_where_the_stream_ends() {
    for end in ["rollback", "commit"] {
        let database = fresh_database().await;
        let log = database.log().await;
        log.append(light(1, "a", 0)).await.unwrap();
        let rests_on = |number, id: &str, sequence| Append { requires: vec![(lamp("a"), sequence)], ..light(number, id, 0) };
        let appends = vec![
            light(2, "a", 1),
            light(3, "a", 1),
            light(4, "b", 0),
            rests_on(5, "c", 1),
            rests_on(6, "d", 2),
            light(7, "a", 2),
            light(8, "b", 7),
            light(1, "a", 0),
        ];
        let outcomes = Gathering::of(&database, &log).await.carry(appends, end).await;
        assert!(outcomes[0].is_ok() && outcomes[2].is_ok() && outcomes[4].is_ok() && outcomes[5].is_ok(), "{outcomes:?}");
        let stale = |nth: usize, stream: &str, wanted: (u64, u64)| match &outcomes[nth] {
            Err(AppendError::Conflict { stream: of, expected, actual } | AppendError::Moved { stream: of, expected, actual }) => {
                assert_eq!((of, (*expected, *actual)), (&lamp(stream), wanted));
            }
            other => panic!("{other:?}"),
        };
        stale(1, "a", (1, 2));
        stale(3, "a", (1, 2));
        stale(6, "b", (7, 1));
        assert!(matches!(outcomes[7], Err(AppendError::AlreadyDone(Appended { first: 0, last: 0 }))), "{:?}", outcomes[7]);
        assert_eq!(log.load(&lamp("a")).await.unwrap().len(), 3);
        assert_eq!(log.load(&lamp("c")).await.unwrap(), []);
        assert_eq!(log.verify(None, |_| {}).await.unwrap().events, if end == "commit" { 7 } else { 6 });
    }
}

/// One neighbour writes a note that is there, one carries out an item that is gone, one stages one that is staged, one
/// expects a draft that nobody wrote.
#[tokio::test]
async fn what_the_database_refuses_is_told_to_its_own_caller_alone() {
    let database = fresh_database().await;
    let log = database.log().await;
    log.append(Append { rows: vec![note(1)], stage: vec![item(1), item(2)], ..light(1, "a", 0) }).await.unwrap();
    let draft = RowWrite::DropDraft { definition_id: "none".into(), expected_revision: 1 };
    let appends = vec![
        light(2, "b", 0),
        Append { rows: vec![note(1)], ..light(3, "c", 0) },
        Append { unstage: vec![item(3).id], ..light(4, "d", 0) },
        Append { unstage: vec![item(1).id], stage: vec![item(4)], ..light(5, "e", 0) },
        Append { stage: vec![item(2)], ..light(6, "f", 0) },
        Append { rows: vec![draft], ..light(7, "g", 0) },
        Append { unstage: vec![item(1).id], ..light(8, "h", 0) },
        light(9, "i", 0),
    ];
    let outcomes = Gathering::of(&database, &log).await.carry(appends, "rollback").await;
    assert!([0, 3, 7].into_iter().all(|nth: usize| outcomes[nth].is_ok()), "{outcomes:?}");
    assert!(matches!(&outcomes[1], Err(AppendError::RowConflict { row: "note", .. })), "{:?}", outcomes[1]);
    assert!(matches!(&outcomes[2], Err(AppendError::Unstaged(id)) if *id == item(3).id), "{:?}", outcomes[2]);
    assert!(matches!(&outcomes[4], Err(AppendError::RowConflict { row: "staged item", .. })), "{:?}", outcomes[4]);
    assert!(matches!(&outcomes[5], Err(AppendError::RowConflict { row: "draft", .. })), "{:?}", outcomes[5]);
    assert!(matches!(&outcomes[6], Err(AppendError::Unstaged(id)) if *id == item(1).id), "{:?}", outcomes[6]);
    assert_eq!(log.staged_for(&lamp("a")).await.unwrap().len(), 2);
    // First, b, e and i stand behind the opening event; of the refused there is nothing.
    assert_eq!(log.verify(None, |_| {}).await.unwrap().events, 5);
    assert_eq!(log.append(light(4, "d", 0)).await.unwrap().first, 5);
}

#[tokio::test]
async fn a_command_that_is_sent_twice_at_once_is_done_once_and_both_are_told_where() {
    let database = fresh_database().await;
    let log = database.log().await;
    log.append(light(1, "z", 0)).await.unwrap();
    let twice = vec![light(2, "a", 0), light(3, "b", 0), light(2, "a", 0), light(4, "a", 1), light(4, "a", 1)];
    let outcomes = Gathering::of(&database, &log).await.carry(twice, "rollback").await;
    let made: Vec<Appended> = [0, 1, 3].into_iter().map(|nth| *outcomes[nth].as_ref().unwrap()).collect();
    assert!(matches!(outcomes[2], Err(AppendError::AlreadyDone(then)) if then == made[0]), "{outcomes:?}");
    assert!(matches!(outcomes[4], Err(AppendError::AlreadyDone(then)) if then == made[2]), "{outcomes:?}");
    assert_eq!(log.load(&lamp("a")).await.unwrap().len(), 2);
}

#[tokio::test]
async fn a_command_whose_caller_has_gone_is_carried_out_as_a_whole_or_not_at_all() {
    let database = fresh_database().await;
    let log = database.log().await;
    log.append(light(1, "z", 0)).await.unwrap();
    let gathering = Gathering::of(&database, &log).await;
    let gone = tokio::spawn({
        let log = log.clone();
        let write = StreamWrite { stream: lamp("a"), expected: 0, events: vec![lit(json!({"n": 1})), lit(json!({"n": 2}))] };
        async move { log.append(Append { writes: vec![write], stage: vec![item(1)], ..Append::of(command(2)) }).await }
    });
    tokio::task::yield_now().await;
    gone.abort();
    assert!(gone.await.unwrap_err().is_cancelled());
    gathering.carry(vec![light(3, "b", 0)], "rollback").await[0].as_ref().unwrap();
    let made = log.command(command(2)).await.unwrap().expect("it was in the queue and was carried");
    assert_eq!(made.last, made.first + 1);
    assert_eq!(log.load(&lamp("a")).await.unwrap().len(), 2);
    assert_eq!(log.staged_for(&lamp("a")).await.unwrap(), [item(1)]);
}

/// Half of the writers share one stream, each other has one of its own; whoever is refused expects what it was told.
#[tokio::test(flavor = "multi_thread")]
async fn sixteen_writers_on_shared_and_own_streams_leave_no_gap_and_no_command_out() {
    const EACH: u128 = 40;
    let database = fresh_database().await;
    let log = database.log().await;
    let writers = (0..16).map(|writer: u128| {
        let log = log.clone();
        tokio::spawn(async move {
            let (stream, mut expected, mut refused) =
                (if writer < 8 { "shared".into() } else { format!("own{writer}") }, 0, 0_u32);
            for round in 0..EACH {
                let number = 1 + writer * EACH + round;
                while let Err(conflict) = log.append(light(number, &stream, expected)).await {
                    let AppendError::Conflict { actual, .. } = conflict else { panic!("{conflict}") };
                    assert!(actual > expected, "a refusal says what is new");
                    (expected, refused) = (actual, refused + 1);
                }
                expected += 1;
            }
            (writer, refused)
        })
    });
    let refused: BTreeMap<u128, u32> = futures::future::join_all(writers).await.into_iter().map(Result::unwrap).collect();
    assert!(refused.iter().all(|(writer, refused)| *writer < 8 || *refused == 0), "nobody else writes these: {refused:?}");
    let length = |count: u128| usize::try_from(count).unwrap();
    assert_eq!(log.load(&lamp("shared")).await.unwrap().len(), length(8 * EACH));
    for writer in 8..16 {
        let own = log.load(&lamp(&format!("own{writer}"))).await.unwrap();
        assert!(own.iter().map(|event| event.sequence).eq(1..=u64::try_from(EACH).unwrap()));
    }
    assert_eq!(log.verify(None, |_| {}).await.unwrap().events, u64::try_from(16 * EACH).unwrap());
}

/// More than one batch holds, in commands and in bytes.
#[tokio::test]
async fn what_does_not_fit_into_one_batch_goes_with_the_next() {
    let database = fresh_database().await;
    let log = database.log().await;
    log.append(light(1, "z", 0)).await.unwrap();
    let mut appends: Vec<Append> = (0..300).map(|number| light(10 + number, &format!("s{number}"), 0)).collect();
    let large = NewEvent { payload: json!({"text": "x".repeat(3 << 20)}), ..lit(json!({})) };
    for number in 0..3 {
        let write = StreamWrite { stream: lamp(&format!("large{number}")), expected: 0, events: vec![large.clone()] };
        appends.push(Append { writes: vec![write], ..Append::of(command(500 + number)) });
    }
    let outcomes = Gathering::of(&database, &log).await.carry(appends, "rollback").await;
    let firsts: Vec<u64> = outcomes.into_iter().map(|outcome| outcome.unwrap().first).collect();
    assert!(firsts.is_sorted(), "nobody was overtaken");
    assert_eq!(log.verify(None, |_| {}).await.unwrap().events, 305);
}

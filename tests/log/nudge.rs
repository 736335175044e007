//! Word of new events: within the process, between engines, and from writers that are no engine.

use crate::bench::{light, raw_insert};
use crate::support::fresh_database;
use sqlx::Executor;

#[tokio::test]
async fn an_append_is_heard_at_once_in_the_process_and_by_the_other_engine() {
    let database = fresh_database().await;
    let (one, other) = (database.log().await, database.log().await);
    let (mut here, mut there) = (one.subscribe(), other.subscribe());
    let appended = one.append(light(1, "a", 0)).await.unwrap();
    assert_eq!(*here.borrow_and_update(), Some(appended.last), "no task need run in between");
    there.wait_for(|reached| *reached == Some(appended.last)).await.unwrap();
    assert_eq!(other.read_after(None, 10).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_raw_writer_is_noticed_though_it_says_nothing() {
    let database = fresh_database().await;
    let log = database.log().await;
    let mut nudges = log.subscribe();
    database.owner().await.execute(raw_insert("a", 1).as_str()).await.unwrap();
    nudges.wait_for(|reached| *reached == Some(0)).await.unwrap();
}

#[tokio::test]
async fn nudges_go_on_after_every_session_was_ended() {
    let database = fresh_database().await;
    let log = database.log().await;
    let mut nudges = log.subscribe();
    log.append(light(1, "a", 0)).await.unwrap();
    nudges.wait_for(|reached| *reached == Some(0)).await.unwrap();
    let mut owner = database.owner().await;
    owner
        .execute("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()")
        .await
        .unwrap();
    owner.execute(raw_insert("b", 1).as_str()).await.unwrap();
    nudges.wait_for(|reached| *reached == Some(1)).await.unwrap();
}

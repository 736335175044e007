//! What commits beside the events: staged items, subscriptions, drafts, notes, accounts. All of it stands or falls with them.

use chrono::{DateTime, TimeDelta, Utc};
use leasehold::log::{Append, AppendError, Listener, Log, RowWrite, Staged};
use serde_json::json;
use uuid::Uuid;

use crate::bench::{command, lamp, light};
use crate::support::fresh_database;

fn noon() -> DateTime<Utc> {
    "2027-03-28T12:00:00.123456Z".parse().unwrap()
}

fn item(sequence: u64, minutes: i64) -> Staged {
    Staged {
        id: Staged::id_for(&lamp("a"), sequence, "put_out"),
        stream: lamp("a"),
        kind: "put_out".into(),
        due_at: noon() + TimeDelta::minutes(minutes),
        payload: json!({"sequence": sequence}),
    }
}

#[test]
fn the_same_cause_has_the_same_id_for_ever() {
    let id = Staged::id_for(&lamp("a"), 3, "put_out");
    assert_eq!(id.to_string(), "8ee66eba-adcc-597a-ad90-9daadf6d6cb0");
    let others = [
        Staged::id_for(&lamp("b"), 3, "put_out"),
        Staged::id_for(&lamp("a"), 4, "put_out"),
        Staged::id_for(&lamp("a"), 3, "relight"),
    ];
    assert!(!others.contains(&id));
}

#[tokio::test]
async fn staged_items_fall_due_in_order_and_leave_with_the_append_that_carries_them_out() {
    let database = fresh_database().await;
    let log = database.log().await;
    assert_eq!(log.next_due().await.unwrap(), None);
    log.append(Append { stage: vec![item(1, 5), item(2, 1), item(3, 9)], ..light(1, "a", 0) }).await.unwrap();
    assert_eq!(log.next_due().await.unwrap(), Some(item(2, 1).due_at));
    assert_eq!(log.due(noon(), 10).await.unwrap(), []);
    assert_eq!(log.due(item(1, 5).due_at, 10).await.unwrap(), [item(2, 1), item(1, 5)]);
    assert_eq!(log.due(item(3, 9).due_at, 1).await.unwrap(), [item(2, 1)]);
    assert_eq!(log.staged_for(&lamp("a")).await.unwrap().len(), 3);

    // Carried out, and the next one staged in the same append.
    log.append(Append { unstage: vec![item(2, 1).id], stage: vec![item(4, 2)], ..light(2, "a", 1) }).await.unwrap();
    assert_eq!(log.staged_for(&lamp("a")).await.unwrap(), [item(4, 2), item(1, 5), item(3, 9)]);
    assert!(log.drop_staged(item(3, 9).id).await.unwrap());
    assert!(!log.drop_staged(item(3, 9).id).await.unwrap());
}

#[tokio::test]
async fn an_unstage_that_deletes_nothing_refuses_the_whole() {
    let database = fresh_database().await;
    let log = database.log().await;
    log.append(Append { stage: vec![item(1, 5), item(2, 1)], ..light(1, "a", 0) }).await.unwrap();
    log.append(Append { unstage: vec![item(1, 5).id], ..light(2, "a", 1) }).await.unwrap();
    let late = Append { unstage: vec![item(2, 1).id, item(1, 5).id], ..light(3, "a", 2) };
    let refused = log.append(late).await.unwrap_err();
    assert!(matches!(refused, AppendError::Unstaged(id) if id == item(1, 5).id), "{refused}");
    assert_eq!(log.load(&lamp("a")).await.unwrap().len(), 2);
    assert_eq!(log.staged_for(&lamp("a")).await.unwrap(), [item(2, 1)]);
    let again = log.append(Append { stage: vec![item(2, 7)], ..light(4, "a", 2) }).await.unwrap_err();
    assert!(matches!(again, AppendError::RowConflict { row: "staged item", .. }), "{again}");
}

#[tokio::test]
async fn of_two_drains_one_carries_an_item_out() {
    let database = fresh_database().await;
    let (one, other) = (database.log().await, database.log().await);
    one.append(Append { stage: vec![item(1, 5)], ..light(1, "a", 0) }).await.unwrap();
    // Different streams, so that nothing but the item stands between the two.
    let carry = |number, id| Append { unstage: vec![item(1, 5).id], ..light(number, id, 0) };
    let (a, b) = tokio::join!(one.append(carry(2, "b")), other.append(carry(3, "c")));
    let refused: Vec<AppendError> = [a, b].into_iter().filter_map(Result::err).collect();
    assert!(matches!(refused[..], [AppendError::Unstaged(_)]), "{refused:?}");
}

#[tokio::test]
async fn listeners_are_found_by_type_and_scope_and_end_with_their_stream() {
    let database = fresh_database().await;
    let log = database.log().await;
    let listener = |number: u128, id: &str, scope: Option<&str>| Listener {
        id: Uuid::from_u128(number),
        stream: lamp(id),
        event_type: "demo.dusk".into(),
        scope: scope.map(str::to_owned),
        filter: json!({"var": "region", "cmp": "eq", "value": "Yew"}),
        after_position: 7,
    };
    let all = vec![listener(1, "a", None), listener(2, "a", Some("main")), listener(3, "b", Some("other"))];
    log.append(Append { listen: all.clone(), ..light(1, "a", 0) }).await.unwrap();
    assert_eq!(log.listeners("demo.dusk", Some("main")).await.unwrap(), all[..2]);
    assert_eq!(log.listeners("demo.dusk", None).await.unwrap(), all[..1]);
    assert_eq!(log.listeners("demo.dawn", Some("main")).await.unwrap(), []);
    // The same stream may stop and listen anew in one append.
    let anew = listener(4, "a", Some("main"));
    let append = Append { unlisten: vec![lamp("a")], listen: vec![anew.clone()], ..light(2, "a", 1) };
    log.append(append).await.unwrap();
    assert_eq!(log.listeners("demo.dusk", Some("main")).await.unwrap(), std::slice::from_ref(&anew));
    let refused = log.append(Append { listen: vec![anew], ..light(3, "a", 2) }).await.unwrap_err();
    assert!(matches!(refused, AppendError::RowConflict { row: "listener", .. }), "{refused}");
}

async fn write(log: &Log, number: u128, row: RowWrite) -> Result<(), AppendError> {
    log.append(Append { rows: vec![row], ..Append::of(command(number)) }).await.map(|_| ())
}

#[tokio::test]
async fn a_draft_is_saved_at_its_revision_and_no_other() {
    let database = fresh_database().await;
    let log = database.log().await;
    log.append(light(100, "a", 0)).await.unwrap();
    let save = |expected_revision, title: &str| RowWrite::Draft {
        definition_id: "d1".into(),
        expected_revision,
        body: json!({"title": title, "z": 1, "a": 0.10}),
        by: "account-1".into(),
        at: noon(),
    };
    write(&log, 1, save(0, "Harvest")).await.unwrap();
    write(&log, 2, save(1, "Harvest Party")).await.unwrap();
    for (number, stale) in [(3, 0), (4, 1), (5, 3)] {
        let refused = write(&log, number, save(stale, "lost")).await.unwrap_err();
        assert!(matches!(refused, AppendError::RowConflict { row: "draft", .. }), "{refused}");
    }
    let draft = log.draft("d1").await.unwrap().unwrap();
    assert_eq!((draft.revision, draft.changed_at, draft.changed_by.as_str()), (2, noon(), "account-1"));
    assert_eq!(draft.body["title"], "Harvest Party");
    let dropping = |expected_revision| RowWrite::DropDraft { definition_id: "d1".into(), expected_revision };
    assert!(write(&log, 6, dropping(1)).await.is_err());
    write(&log, 7, dropping(2)).await.unwrap();
    assert_eq!(log.draft("d1").await.unwrap(), None);
}

#[tokio::test]
async fn an_account_speaks_through_its_tokens_until_they_are_revoked() {
    let database = fresh_database().await;
    let log = database.log().await;
    log.append(light(100, "a", 0)).await.unwrap();
    let account = |role: &str, disabled| RowWrite::Account {
        account_id: "account-1".into(),
        name: "Ann".into(),
        role: role.into(),
        disabled,
    };
    let token = RowWrite::Token { digest: vec![7; 32], account_id: "account-1".into(), label: "laptop".into() };
    assert!(matches!(write(&log, 1, token.clone()).await, Err(AppendError::RowConflict { row: "token", .. })));
    let both = Append { rows: vec![account("admin", false), token.clone()], ..light(2, "a", 1) };
    log.append(both).await.unwrap();
    assert_eq!(log.account_of_token(&[7; 32]).await.unwrap().unwrap().role, "admin");
    assert_eq!(log.account_of_token(&[8; 32]).await.unwrap(), None);
    write(&log, 3, account("editor", true)).await.unwrap();
    let now = log.account_of_token(&[7; 32]).await.unwrap().unwrap();
    assert_eq!((now.role.as_str(), now.disabled), ("editor", true));
    assert_eq!(log.account("account-1").await.unwrap(), Some(now));
    let revoke = RowWrite::RevokeToken { digest: vec![7; 32] };
    write(&log, 4, revoke.clone()).await.unwrap();
    assert_eq!(log.account_of_token(&[7; 32]).await.unwrap(), None);
    assert!(write(&log, 5, revoke).await.is_err());
    assert!(write(&log, 6, account("emperor", false)).await.is_err());
}

#[tokio::test]
async fn a_note_is_written_once_with_the_event_that_names_it() {
    let database = fresh_database().await;
    let log = database.log().await;
    let id = Uuid::from_u128(9);
    let note = |body: &str| RowWrite::Note { id, salt: vec![1, 2], body: body.into(), by: "account-1".into(), at: noon() };
    log.append(Append { rows: vec![note("the lamp smoked")], ..light(1, "a", 0) }).await.unwrap();
    let refused = log.append(Append { rows: vec![note("other words")], ..light(2, "a", 1) }).await.unwrap_err();
    assert!(matches!(refused, AppendError::RowConflict { row: "note", .. }), "{refused}");
    let notes = log.notes(&[id, Uuid::from_u128(10)]).await.unwrap();
    assert_eq!(notes.len(), 1);
    assert_eq!(notes[0].body.as_deref(), Some("the lamp smoked"));
    assert_eq!(log.load(&lamp("a")).await.unwrap().len(), 1);
}

//! The whole log written down and taken in elsewhere: the same bytes, or nothing at all.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use chrono::DateTime;
use leasehold::log::{ArchiveError, CARRIED, CursorMove, LEFT_BEHIND, Listener, Log, RowWrite, Staged};
use serde_json::json;
use sqlx::Executor;
use uuid::Uuid;

use crate::bench::{lamp, light, raw_insert};
use crate::support::{TestDatabase, fresh_database};

/// A log with everything beside it that there can be, and values that are easily lost on a way through JSON.
async fn lived_in() -> (TestDatabase, Log) {
    let database = fresh_database().await;
    let log = database.log().await;
    log.open_genesis(Uuid::from_u128(5), BTreeMap::new()).await.unwrap();
    let at = DateTime::from_timestamp_micros(1_800_000_000_123_457).unwrap();
    let account = "11111111-2222-3333-4444-555555555555".to_owned();
    let mut first = light(1, "a", 0);
    first.writes[0].events[0].payload = json!({
        "members": ["76561198000000001", "76561198000000003"], "number": 9_007_199_254_740_993_u64,
        "scores": ["0.1", "12345.6789", "9007199254740993"], "near": 1.000_000_1, "tenth": 0.1,
        "words": "tab\tline\nback\\slash \\. é \u{1F56F} \"quoted\"",
    });
    first.rows = vec![
        RowWrite::Note { id: Uuid::from_u128(9), salt: vec![0, 1, 254], body: "a\tb\nc\\N".into(), by: account.clone(), at },
        RowWrite::Draft {
            definition_id: "d".into(),
            expected_revision: 0,
            body: json!({"value": "1.0000001"}),
            by: account.clone(),
            at,
        },
        RowWrite::Account { account_id: account.clone(), name: "Ada \\. Lovelace".into(), role: "admin".into(), disabled: false },
        RowWrite::Token { digest: vec![7; 32], account_id: account, label: "laptop".into() },
    ];
    first.stage =
        vec![Staged { id: Uuid::from_u128(3), stream: lamp("a"), kind: "dim".into(), due_at: at, payload: json!({"n": 0.1}) }];
    first.listen = vec![Listener {
        id: Uuid::from_u128(4),
        stream: lamp("a"),
        event_type: "lamp_lit".into(),
        scope: None,
        filter: json!({}),
        after_position: 1,
    }];
    log.append(first).await.unwrap();
    // A raw writer's text is kept as it was written: spaces, order, digits beyond any float.
    let raw =
        raw_insert("b", 1).replace("{\"type\": \"lamp_lit\"}", "{ \"z\" : 0.1000000000000000055511151231257827,\n  \"a\":1e2 }");
    database.owner().await.execute(raw.as_str()).await.unwrap();
    for consumer in ["runner", "projection/lamps"] {
        let epoch = log.acquire(consumer, Uuid::from_u128(1), Duration::from_secs(60)).await.unwrap().unwrap();
        log.move_cursor(&CursorMove { consumer: consumer.into(), epoch, from: 0, to: 2 }).await.unwrap();
    }
    (database, log)
}

async fn archived(log: &Log) -> Vec<u8> {
    let mut file = Vec::new();
    log.archive(&mut file).await.unwrap();
    file
}

async fn refused(file: &[u8]) -> ArchiveError {
    let database = fresh_database().await;
    let log = database.log().await;
    let refused = log.import(file).await.unwrap_err();
    for table in CARRIED {
        let rows: i64 = sqlx::query_scalar(&format!("select count(*) from {}", table.name)).fetch_one(log.pool()).await.unwrap();
        assert_eq!(rows, 0, "{} after {refused}", table.name);
    }
    refused
}

#[tokio::test]
async fn what_is_taken_in_is_what_was_written_down_byte_for_byte() {
    let (_database, log) = lived_in().await;
    let file = archived(&log).await;
    let elsewhere = fresh_database().await;
    let other = elsewhere.log().await;
    let taken = other.import(&file[..]).await.unwrap();
    assert_eq!((taken.log, taken.head), (Uuid::from_u128(5), 2));
    assert_eq!(String::from_utf8(archived(&other).await).unwrap(), String::from_utf8(file).unwrap());
    assert_eq!(other.head().await.unwrap(), log.head().await.unwrap());
    assert_eq!(other.read_after(None, 10).await.unwrap(), log.read_after(None, 10).await.unwrap());
    assert_eq!(other.verify(None, |_| {}).await.unwrap().events, 3);
    assert_eq!(other.cursor("runner").await.unwrap(), log.cursor("runner").await.unwrap());
    assert_eq!(other.cursor("projection/lamps").await.unwrap(), None, "its rows are made anew");
    // It goes on: the next command follows, and one that was done is known.
    assert!(other.append(light(1, "a", 0)).await.is_err());
    assert_eq!(other.append(light(2, "a", 1)).await.unwrap().first, 3);
}

#[tokio::test]
async fn a_database_that_holds_anything_takes_nothing() {
    let (_database, log) = lived_in().await;
    let file = archived(&log).await;
    assert!(matches!(log.import(&file[..]).await, Err(ArchiveError::NotEmpty { table: "events" })));
    let other = fresh_database().await;
    let named = "insert into accounts (account_id, name, role) values ('a', 'Ada', 'admin')";
    other.owner().await.execute(named).await.unwrap();
    assert!(matches!(other.log().await.import(&file[..]).await, Err(ArchiveError::NotEmpty { table: "accounts" })));
    let empty = fresh_database().await;
    assert!(matches!(empty.log().await.archive(&mut Vec::new()).await, Err(ArchiveError::NotOpen)));
}

#[tokio::test]
async fn a_file_that_was_changed_or_cut_off_leaves_nothing_behind() {
    let (_database, log) = lived_in().await;
    let file = String::from_utf8(archived(&log).await).unwrap();
    let changed = |from: &str, to: &str| {
        assert!(file.contains(from), "{from}");
        file.replacen(from, to, 1).into_bytes()
    };
    let cut = file.len() - 1;
    let without_event = file.split_inclusive('\n').filter(|line| !line.starts_with("lamp\ta\t1")).collect::<String>();
    let files = [
        changed("0.1000000000000000055511151231257827", "0.1000000000000000055511151231257828"),
        changed("12345.6789", "12345.6780"),
        changed("Ada", "Eve"),
        changed("\\\\x0707", "\\\\x0708"),
        changed("\"aggregate_id\",\"sequence\"", "\"sequence\",\"aggregate_id\""),
        changed("{\"table\":\"commands\"", "{\"table\":\"cursors\""),
        changed("leasehold-log-1", "leasehold-log-2"),
        without_event.into_bytes(),
        file.as_bytes()[..cut].to_vec(),
        file.as_bytes()[..file.len() / 2].to_vec(),
        [file.as_bytes(), b"more\n"].concat(),
        b"milk\n".to_vec(),
        Vec::new(),
    ];
    for file in files {
        refused(&file).await;
    }
    let schema = file.split("\"schema\":").nth(1).unwrap().split(',').next().unwrap();
    let other = refused(&changed(&format!("\"schema\":{schema}"), "\"schema\":7")).await;
    assert!(matches!(other, ArchiveError::OtherSchema { found: 7, .. }), "{other}");
}

/// A table that nobody thought of would be lost on the way.
#[tokio::test]
async fn every_table_goes_along_or_is_left_behind_on_purpose() {
    let database = fresh_database().await;
    let tables: Vec<String> = sqlx::query_scalar("select tablename::text from pg_tables where schemaname = 'public'")
        .fetch_all(database.log().await.pool())
        .await
        .unwrap();
    let known: BTreeSet<&str> = CARRIED.iter().map(|table| table.name).chain(LEFT_BEHIND).collect();
    assert_eq!(tables.iter().map(String::as_str).collect::<BTreeSet<_>>(), known);
}

//! `Append`: all of it or nothing, each command once.

use leasehold::log::{Append, AppendError, Appended, StreamWrite};
use serde_json::json;

use crate::bench::{command, lamp, light, lit};
use crate::support::fresh_database;

#[tokio::test]
async fn events_lie_one_behind_the_other_and_read_back_as_written() {
    let database = fresh_database().await;
    let log = database.log().await;
    let payload = json!({"type": "lamp_lit", "text": "Größe \"λ\" \\ \u{1F3EE}", "n": [1, -2, 0.5, null, true], "max": u64::MAX});
    let mut append = Append::of(command(1));
    append.writes = vec![
        StreamWrite { stream: lamp("a"), expected: 0, events: vec![lit(payload.clone()), lit(json!({}))] },
        StreamWrite { stream: lamp("b"), expected: 0, events: vec![lit(json!({}))] },
    ];
    append.metadata.insert("actor".into(), "runner".into());
    assert_eq!(log.append(append).await.unwrap(), Appended { first: 0, last: 2 });
    assert_eq!(log.append(light(2, "a", 2)).await.unwrap(), Appended { first: 3, last: 3 });

    let a = log.load(&lamp("a")).await.unwrap();
    assert_eq!(a.iter().map(|event| (event.position, event.sequence)).collect::<Vec<_>>(), [(0, 1), (1, 2), (3, 3)]);
    assert_eq!(a[0].payload, payload);
    assert_eq!(a[0].metadata["actor"], "runner");
    assert_eq!(a[0].metadata["command_id"], command(1).to_string());
    assert_eq!(log.load_until(&lamp("a"), 1).await.unwrap().len(), 2);
    let verified = log.verify(None, |_| {}).await.unwrap();
    assert_eq!(verified.events, 4);
    assert_eq!(verified.head, log.head().await.unwrap());
}

#[tokio::test]
async fn a_stream_that_moved_on_refuses_the_whole() {
    let database = fresh_database().await;
    let log = database.log().await;
    log.append(light(1, "a", 0)).await.unwrap();
    let mut append = light(2, "b", 0);
    append.writes.push(light(2, "a", 0).writes.remove(0));
    let refused = log.append(append).await.unwrap_err();
    assert!(matches!(&refused, AppendError::Conflict { stream, expected: 0, actual: 1 } if *stream == lamp("a")), "{refused}");
    assert_eq!(log.load(&lamp("b")).await.unwrap(), []);
    assert_eq!(log.command(command(2)).await.unwrap(), None);
}

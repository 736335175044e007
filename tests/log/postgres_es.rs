//! postgres-es, unmodified: it appends to the log and loads from it, and each reads what the other wrote.

use std::collections::HashMap;

use cqrs_es::event_sink::EventSink;
use cqrs_es::persist::PersistedEventRepository;
use cqrs_es::{Aggregate, DomainEvent};
use leasehold::log::{Append, NewEvent, StreamId, StreamWrite};
use postgres_es::{PostgresCqrs, PostgresEventRepository, postgres_cqrs};
use serde::{Deserialize, Serialize};
use sqlx::PgPool;

use crate::bench::command;
use crate::support::fresh_database;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum BellEvent {
    BellRung { times: u64 },
}

impl DomainEvent for BellEvent {
    fn event_type(&self) -> String {
        "bell_rung".into()
    }

    fn event_version(&self) -> String {
        "1".into()
    }
}

/// A bell, which counts how often it was rung.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Bell {
    rung: u64,
}

#[derive(Debug, thiserror::Error)]
#[error("the bell was rung {0} times and no more were expected")]
pub struct RungEnough(u64);

pub struct Ring {
    pub times: u64,
    /// How often the bell must have been rung before; none for any number.
    pub after: Option<u64>,
}

impl Aggregate for Bell {
    const TYPE: &'static str = "bell";
    type Command = Ring;
    type Event = BellEvent;
    type Error = RungEnough;
    type Services = ();

    async fn handle(&mut self, ring: Ring, (): &(), sink: &EventSink<Self>) -> Result<(), RungEnough> {
        if ring.after.is_some_and(|after| after != self.rung) {
            return Err(RungEnough(self.rung));
        }
        sink.write(BellEvent::BellRung { times: ring.times }, self).await;
        Ok(())
    }

    fn apply(&mut self, BellEvent::BellRung { times }: BellEvent) {
        self.rung += times;
    }
}

pub async fn bells(url: &str) -> PostgresCqrs<Bell> {
    postgres_cqrs(PgPool::connect(url).await.unwrap(), Vec::new(), ())
}

#[tokio::test]
async fn each_reads_and_goes_on_from_what_the_other_wrote() {
    let database = fresh_database().await;
    let log = database.log().await;
    let bells = bells(&database.app_url).await;
    let metadata = HashMap::from([("actor".to_owned(), "runner".to_owned())]);
    bells.execute_with_metadata("yew", Ring { times: 2, after: Some(0) }, metadata).await.unwrap();

    let stream = StreamId::new("bell", "yew");
    let theirs = log.load(&stream).await.unwrap();
    assert_eq!((theirs[0].position, theirs[0].sequence, theirs[0].event_type.as_str()), (0, 1, "bell_rung"));
    assert_eq!(theirs[0].payload, serde_json::json!({"type": "bell_rung", "times": 2}));
    assert_eq!(theirs[0].metadata["actor"], "runner");

    let payload = serde_json::to_value(BellEvent::BellRung { times: 5 }).unwrap();
    let ours = NewEvent { event_type: "bell_rung".into(), event_version: "1".into(), payload };
    let write = StreamWrite { stream: stream.clone(), expected: 1, events: vec![ours] };
    log.append(Append { writes: vec![write], ..Append::of(command(1)) }).await.unwrap();

    // It decides on both events, and appends the third.
    bells.execute("yew", Ring { times: 1, after: Some(7) }).await.unwrap();
    assert!(bells.execute("yew", Ring { times: 1, after: Some(7) }).await.is_err());
    let repository = PostgresEventRepository::new(PgPool::connect(&database.app_url).await.unwrap());
    let loaded = repository.get_events::<Bell>("yew").await.unwrap();
    assert_eq!(loaded.iter().map(|event| event.sequence).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(log.load(&stream).await.unwrap().len(), 3);
    assert_eq!(log.verify(None, |_| {}).await.unwrap().events, 3);
}

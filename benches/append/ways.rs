//! What takes turns: commands by one engine or more, plain commits, and a consumer that follows.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use leasehold::engine::folds::{Fold, Folds, Look};
use leasehold::log::{Append, Log};
use leasehold_aggregates::decide::Decide;
use serde_json::json;
use sqlx::PgPool;
use tokio::sync::mpsc;
use uuid::Uuid;

use crate::lamp::{EVENTS, Lamp, events, lit};

static COMMANDS: AtomicU64 = AtomicU64::new(1);

#[derive(Clone, Copy)]
pub enum Way<'a> {
    /// By as many engines as there are logs; each writer has one of them, and a stream of its own.
    Commands(&'a [Log]),
    Plain(&'a PgPool),
}

pub fn next_command() -> Uuid {
    // Spread as a random id is, so that its index is written as widely.
    Uuid::new_v5(&Uuid::NAMESPACE_OID, &COMMANDS.fetch_add(1, Ordering::Relaxed).to_be_bytes())
}

/// Done a second, by that many writers at once.
pub async fn rate(way: Way<'_>, writers: usize, turn: Duration) -> f64 {
    let start = Instant::now();
    let each: Vec<_> = (0..writers)
        .map(|writer| match way {
            Way::Commands(logs) => tokio::spawn(commands(logs[writer % logs.len()].clone(), start, turn)),
            Way::Plain(pool) => tokio::spawn(plain_commits(pool.clone(), start, turn)),
        })
        .collect();
    let mut done = 0.0;
    for writer in futures::future::join_all(each).await {
        done += f64::from(writer.unwrap());
    }
    done / start.elapsed().as_secs_f64()
}

async fn commands(log: Log, start: Instant, turn: Duration) -> u32 {
    let (folds, id) = (Folds::default(), next_command().to_string());
    let mut done = 0;
    while start.elapsed() < turn {
        command(&log, &folds, &id).await;
        done += 1;
    }
    done
}

/// Load, decide, append, and remember.
async fn command(log: &Log, folds: &Folds, id: &str) {
    let era = log.era();
    let (mut lamp, _) = folds.load::<Lamp>(log, id, Look::Remembered).await.unwrap();
    let events = lamp.state.decide(()).unwrap();
    let write = lamp.write(&events).unwrap();
    log.append(Append { writes: vec![write], ..Append::of(next_command()) }).await.unwrap();
    lamp.sequence += events.len() as u64;
    for event in events {
        lamp.state.apply(event);
    }
    folds.keep([Fold::of(&lamp, era)]);
}

async fn plain_commits(pool: PgPool, start: Instant, turn: Duration) -> u32 {
    let mut done = 0;
    while start.elapsed() < turn {
        insert(&pool).await;
        done += 1;
    }
    done
}

/// Milliseconds of one.
pub async fn plain_commit(pool: &PgPool) -> f64 {
    let start = Instant::now();
    insert(pool).await;
    milliseconds(start.elapsed())
}

async fn insert(pool: &PgPool) {
    let sequences: Vec<i64> = (1..=EVENTS).map(u64::cast_signed).collect();
    let payloads: Vec<String> = (1..=EVENTS).map(|number| serde_json::to_string(&lit(number)).unwrap()).collect();
    let id = next_command().to_string();
    sqlx::query(
        "insert into public.plain
         select 'lamp', $1, r.sequence, 'lamp_lit', '1', r.payload::json, $2::json
         from unnest($3::bigint[], $4::text[]) as r (sequence, payload)",
    )
    .bind(&id)
    .bind(json!({"command_id": id}).to_string())
    .bind(sequences)
    .bind(payloads)
    .execute(pool)
    .await
    .unwrap();
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

/// Follows a log as the engine's consumers do: it is nudged, and reads on from its cursor.
pub struct Consumer {
    seen: mpsc::UnboundedReceiver<(u64, Instant)>,
}

impl Consumer {
    pub async fn following(log: &Log) -> Self {
        let (tell, seen) = mpsc::unbounded_channel();
        let log = log.clone();
        let mut cursor = log.head().await.unwrap().map(|head| head.position);
        tokio::spawn(async move {
            let mut nudges = log.subscribe();
            loop {
                for event in log.read_after(cursor, 100).await.unwrap() {
                    cursor = Some(event.position);
                    if tell.send((event.position, Instant::now())).is_err() {
                        return;
                    }
                }
                if nudges.borrow_and_update().is_none_or(|reached| cursor.is_some_and(|cursor| cursor >= reached)) {
                    let _ = nudges.changed().await;
                }
            }
        });
        Self { seen }
    }

    /// Milliseconds from the answer to an append until its last event is seen.
    pub async fn after_an_append(&mut self, log: &Log) -> f64 {
        let id = next_command();
        let stream = leasehold::log::StreamId::new("lamp", id.to_string());
        let write = leasehold::log::StreamWrite { stream, expected: 0, events: events() };
        let appended = log.append(Append { writes: vec![write], ..Append::of(id) }).await.unwrap();
        let answered = Instant::now();
        loop {
            let (position, at) = self.seen.recv().await.unwrap();
            if position == appended.last {
                return milliseconds(at.saturating_duration_since(answered));
            }
        }
    }
}

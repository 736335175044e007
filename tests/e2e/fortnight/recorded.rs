//! The log as anybody reads it: rows and JSON, folded here by nothing of the engine's own.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use leasehold::log::Log;
use serde_json::Value;
use sqlx::Row as _;

/// What ends a run, or keeps it from beginning.
const ENDS: [&str; 5] = ["run_completed", "run_failed", "run_cancelled", "run_missed", "run_withdrawn"];

/// Runs that have begun and that something still moves on, or whose teardown was given up.
pub async fn open_runs(log: &Log) -> Vec<String> {
    let open = "select b.aggregate_id from public.events b where b.aggregate_type = 'run' and b.event_type = 'run_started'
        and (not exists (select from public.events e where e.aggregate_type = 'run' and e.aggregate_id = b.aggregate_id
                         and e.event_type in ('run_completed', 'run_failed', 'run_cancelled'))
             or exists (select from public.staged s where s.aggregate_type = 'run' and s.aggregate_id = b.aggregate_id))
        order by b.position";
    sqlx::query_scalar(open).fetch_all(log.pool()).await.unwrap()
}

/// One row of the log.
pub struct Fact {
    pub position: i64,
    pub stream: (String, String),
    pub name: String,
    pub payload: Value,
}

/// One claim of a step.
#[derive(Debug)]
pub struct Claim {
    pub step: String,
    pub attempt: u64,
    pub key: String,
    pub draws: u64,
    pub at: DateTime<Utc>,
}

/// All that the log says of one run.
#[derive(Debug, Default)]
pub struct Told {
    pub definition: String,
    pub slot: Option<String>,
    pub scheduled_for: Option<DateTime<Utc>>,
    pub concurrency_key: Option<String>,
    /// Position and instant.
    pub started: Option<(i64, DateTime<Utc>)>,
    pub starts: u32,
    pub cap: Option<u64>,
    /// Position, event and cause.
    pub ended: Option<(i64, String, Value)>,
    pub claims: Vec<Claim>,
    pub undo_keys: BTreeSet<String>,
    /// Steps that were settled in any way, and those whose end nobody could wait for.
    pub settled: BTreeSet<String>,
    /// Signals counted, by phase: what each range says, and the tally after it.
    pub counted: BTreeMap<String, Vec<(u64, u64)>>,
    /// How each gate opened, and how often.
    pub gates: BTreeMap<String, Vec<String>>,
    pub confirmed: BTreeSet<String>,
    /// Until when what follows a step has to wait.
    pub held: BTreeMap<String, DateTime<Utc>>,
}

/// The whole log.
pub async fn facts(log: &Log) -> Vec<Fact> {
    let rows =
        sqlx::query("select position, aggregate_type, aggregate_id, event_type, payload from public.events order by position");
    let rows = rows.fetch_all(log.pool()).await.unwrap();
    let fact = |row: &sqlx::postgres::PgRow| Fact {
        position: row.get("position"),
        stream: (row.get("aggregate_type"), row.get("aggregate_id")),
        name: row.get("event_type"),
        payload: row.get("payload"),
    };
    rows.iter().map(fact).collect()
}

/// Every run, by its id.
pub fn runs(facts: &[Fact]) -> BTreeMap<String, Told> {
    let mut runs: BTreeMap<String, Told> = BTreeMap::new();
    for fact in facts.iter().filter(|fact| fact.stream.0 == "run") {
        runs.entry(fact.stream.1.clone()).or_default().take(fact);
    }
    runs
}

impl Told {
    fn take(&mut self, fact: &Fact) {
        let payload = &fact.payload;
        let text = |name: &str| payload[name].as_str().unwrap_or_default().to_owned();
        match fact.name.as_str() {
            "run_scheduled" | "run_repinned" => self.pin(&payload["run"]),
            "run_started" => {
                self.starts += 1;
                self.started = Some((fact.position, instant(&payload["at"])));
                let meters = payload["budget"].as_array().into_iter().flatten();
                self.cap = meters.filter(|meter| meter["dimension"] == "uo.creatures").find_map(|meter| meter["cap"].as_u64());
            }
            "step_claimed" => self.claims.push(Claim {
                step: text("step"),
                attempt: payload["attempt"].as_u64().unwrap(),
                key: text("key"),
                draws: payload["draws"]["uo.creatures"].as_u64().unwrap_or(0),
                at: instant(&payload["at"]),
            }),
            "step_done" | "step_parked" | "step_failed" | "step_refused" | "step_abandoned" | "step_skipped" => {
                self.settled.insert(text("step"));
                if let Some(until) = payload["held_until"].as_str() {
                    self.held.insert(text("step"), until.parse().unwrap());
                }
            }
            "step_confirmed" => drop(self.confirmed.insert(text("step"))),
            "undo_begun" => drop(self.undo_keys.insert(text("key"))),
            "signals_counted" => {
                let range = (payload["matched"].as_u64().unwrap(), payload["tally"].as_u64().unwrap());
                self.counted.entry(text("phase")).or_default().push(range);
            }
            "gate_satisfied" => self.gates.entry(text("phase")).or_default().push(text("by")),
            end if ENDS.contains(&end) => self.ended = Some((fact.position, end.to_owned(), payload["cause"].clone())),
            _ => {}
        }
    }

    fn pin(&mut self, run: &Value) {
        let text = |name: &str| run[name].as_str().map(str::to_owned);
        self.definition = text("definition_id").unwrap();
        (self.slot, self.concurrency_key) = (text("slot"), text("concurrency_key"));
        self.scheduled_for = Some(instant(&run["scheduled_for"]));
    }

    /// Creatures drawn on its cap. A step pays once for life, whatever its attempts.
    pub fn drawn(&self) -> u64 {
        self.claims.iter().map(|claim| claim.draws).sum()
    }
}

fn instant(value: &Value) -> DateTime<Utc> {
    value.as_str().unwrap_or_else(|| panic!("{value} is no instant")).parse().unwrap()
}

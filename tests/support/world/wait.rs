//! Waiting for a condition, and telling everything where it does not come true.

use std::fmt::Write as _;
use std::time::Instant;

use serde_json::Value;

use super::GLANCE;
use super::World;
use super::process::HANGS;

/// Lines of each process's standard error that a failure shows.
const TAIL: usize = 40;

impl World {
    /// Waits until the condition holds.
    pub async fn wait_until(&self, what: &str, holds: impl AsyncFn() -> bool) {
        let begun = Instant::now();
        while !holds().await {
            let picture = if begun.elapsed() > HANGS { Some(self.picture().await) } else { None };
            assert!(picture.is_none(), "waited in vain until {what}\n{}", picture.unwrap_or_default());
            tokio::time::sleep(GLANCE).await;
        }
    }

    /// Waits until the run's detail, as the first engine tells it, is as wanted; gives it.
    pub async fn run_until(&self, run_id: &str, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let seen = std::cell::RefCell::new(Value::Null);
        self.wait_until(what, async || {
            let run = self.engine.api.glance(run_id).await;
            let as_wanted = !run.is_null() && wanted(&run);
            *seen.borrow_mut() = run;
            as_wanted
        })
        .await;
        seen.into_inner()
    }

    /// Waits until one step of the run has that status.
    pub async fn step_is(&self, run_id: &str, key: &str, status: &str) -> Value {
        let is = |run: &Value| super::step(run, key)["status"] == status;
        self.run_until(run_id, &format!("step {key} is {status}"), is).await
    }

    /// Waits until the run has ended in that way and its teardown has too.
    pub async fn ended(&self, run_id: &str, status: &str, cleanup: &str) -> Value {
        let is = |run: &Value| run["status"] == status && run["cleanupStatus"] == cleanup;
        self.run_until(run_id, &format!("the run is {status} with its cleanup {cleanup}"), is).await
    }

    /// Waits until a run of the definition is there; gives its id.
    pub async fn run_of(&self, definition: &str) -> String {
        let found = std::cell::RefCell::new(None);
        self.wait_until("the definition has a run", async || {
            *found.borrow_mut() = self.runs_of(definition).await.pop();
            found.borrow().is_some()
        })
        .await;
        found.into_inner().unwrap()
    }

    /// The ids of all runs of a definition, by the log.
    pub async fn runs_of(&self, definition: &str) -> Vec<String> {
        let ids = sqlx::query_scalar(
            "select aggregate_id from public.events where aggregate_type = 'run' and event_type = 'run_scheduled'
             and payload -> 'run' ->> 'definition_id' = $1 order by position",
        );
        ids.bind(definition).fetch_all(self.log().await.pool()).await.unwrap()
    }

    /// Waits until nothing that is due has been left undone.
    pub async fn nothing_is_due(&self) {
        self.wait_until("nothing is due", async || {
            let due = "select count(*) from public.staged, public.controlled_clock where due_at <= now";
            sqlx::query_scalar::<_, i64>(due).fetch_one(self.log().await.pool()).await.unwrap() == 0
        })
        .await;
    }

    /// Waits until the engines have asked this life of the game for all that runs hold there.
    pub async fn the_games_life_is_known(&self) {
        let boot = &self.shard.boot_id;
        self.wait_until("the game's life is known", async || {
            let known = sqlx::query_scalar::<_, bool>("select exists (select from public.games where boot_id = $1)");
            known.bind(boot).fetch_one(self.log().await.pool()).await.unwrap()
        })
        .await;
    }

    /// The payloads of one stream's events of that type, in order.
    pub async fn events(&self, id: &str, event_type: &str) -> Vec<Value> {
        let events =
            sqlx::query_scalar("select payload from public.events where aggregate_id = $1 and event_type = $2 order by sequence");
        events.bind(id).bind(event_type).fetch_all(self.log().await.pool()).await.unwrap()
    }

    /// Who made the events of that type in one stream happen, in order.
    pub async fn actors(&self, id: &str, event_type: &str) -> Vec<String> {
        let actors = sqlx::query_scalar(
            "select metadata ->> 'actor' from public.events where aggregate_id = $1 and event_type = $2 order by sequence",
        );
        actors.bind(id).bind(event_type).fetch_all(self.log().await.pool()).await.unwrap()
    }

    /// Everything that can be told of this world, for whoever has to find out what went wrong.
    pub async fn picture(&self) -> String {
        let mut picture = format!("it is {}\n", self.clock.now().await);
        for event in self.log().await.read_after(None, 10_000).await.unwrap_or_default() {
            let (stream, payload) = (event.stream.to_string(), event.payload.to_string());
            let shown: String = payload.chars().take(400).collect();
            _ = writeln!(picture, "{:>4} {stream} {} {shown}", event.position, event.event_type);
        }
        let staged = sqlx::query_scalar::<_, String>("select staged::text from public.staged order by due_at");
        for item in staged.fetch_all(self.log().await.pool()).await.unwrap_or_default() {
            _ = writeln!(picture, "staged {item}");
        }
        for row in self.shard.audit() {
            _ = writeln!(picture, "audit {row:?}");
        }
        for engine in std::iter::once(&self.engine).chain(&self.others) {
            _ = writeln!(picture, "an engine said:\n{}", tail(&engine.words()));
        }
        _ = writeln!(picture, "the link said:\n{}\nthe game said:\n{}", tail(&self.link.words()), tail(&self.shard.words()));
        picture
    }
}

fn tail(words: &str) -> String {
    let lines: Vec<&str> = words.lines().collect();
    lines[lines.len().saturating_sub(TAIL)..].join("\n")
}

//! From reports to signals: what somebody listens for is recorded, once, and the rest is passed over.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::run::Run;
use leasehold_aggregates::signal::{Recorded, Signal, SignalCommand, signal_id};
use leasehold_module::{FeedRead, Fired};
use serde_json::Map;

use super::Heard;
use crate::engine::folds::Look;
use crate::engine::streams::Loaded;
use crate::engine::{Act, Engine, Fault};
use crate::log::{AppendError, Cursor, CursorMove, StreamWrite};

/// How the consumers of feeds are called: `feed/MODULE/SCOPE/ID`.
pub(in crate::engine) const FEED: &str = "feed";

/// Longest fingerprint that is taken.
const LONGEST: usize = 128;

/// A module's way to one scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Way {
    pub module: String,
    pub scope: String,
}

impl Way {
    /// What the loop is called that follows it.
    pub fn name(&self) -> String {
        format!("{FEED}/{}/{}", self.module, self.scope)
    }

    pub fn consumer(&self, feed: &str) -> String {
        format!("{FEED}/{}/{}/{feed}", self.module, self.scope)
    }

    /// Where its signals come from, as their streams name it.
    fn source(&self) -> String {
        format!("{}:{}", self.module, self.scope)
    }
}

impl Engine {
    /// Records what somebody listens for, and moves on behind it in the same append.
    pub(super) async fn take_in(&self, way: &Way, consumer: &str, cursor: Cursor, read: &FeedRead) -> Result<(), Fault> {
        let step = CursorMove { consumer: consumer.to_owned(), epoch: cursor.epoch, from: cursor.position, to: read.through };
        let at = self.clock.now().await?;
        let mut signals = self.wanted(way, read, at).await?;
        loop {
            if signals.is_empty() {
                self.log.move_cursor(&step).await?;
                return Ok(());
            }
            let act = Act::following(&format!("module:{}", way.module), at, &format!("{consumer} {} {}", step.from, step.to));
            let mut append = act.append(&self.recorded_by());
            append.writes = signals.iter().map(|(_, write)| write.clone()).collect();
            append.cursor = Some(step.clone());
            match self.log.append(append).await {
                Ok(appended) => {
                    let positions = appended.first..;
                    let heard = positions.zip(signals).map(|(position, (signal, _))| Heard::of(position, signal));
                    self.fire_at_once(heard.collect());
                    return Ok(());
                }
                // It was reported before, in this feed or another.
                Err(AppendError::Conflict { stream, .. }) => signals.retain(|(_, write)| write.stream != stream),
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// The signals of a stretch that somebody listens for, each as a write of its own stream.
    async fn wanted(&self, way: &Way, read: &FeedRead, at: DateTime<Utc>) -> Result<Vec<(Recorded, StreamWrite)>, Fault> {
        let fired: BTreeSet<String> = read.fired.iter().map(|fired| fired.trigger.clone()).collect();
        if fired.is_empty() {
            return Ok(Vec::new());
        }
        let mut topics = self.log.topics(&fired, &way.scope).await?;
        topics.extend(self.triggers_of_files(&way.scope));
        let (mut signals, mut seen) = (Vec::new(), BTreeSet::new());
        for fired in read.fired.iter().filter(|fired| topics.contains(&fired.trigger)) {
            let Some(signal) = self.signal_of(way, fired, at).await? else { continue };
            let id = signal_id(&way.source(), &fired.fingerprint);
            if !seen.insert(id.clone()) {
                continue;
            }
            let stream: Loaded<Signal> = Loaded { id, ..Loaded::default() };
            let events = stream.state.decide(SignalCommand::Record { signal: signal.clone() }).map_err(Fault::refused)?;
            signals.push((signal, stream.write(&events)?));
        }
        Ok(signals)
    }

    async fn signal_of(&self, way: &Way, fired: &Fired, at: DateTime<Utc>) -> Result<Option<Recorded>, Fault> {
        let (trigger, length) = (&fired.trigger, fired.fingerprint.len());
        let registry = self.registry();
        let declared = registry.trigger(trigger).filter(|(_, module)| module.manifest().id == way.module);
        let Some((declared, _)) = declared.filter(|_| (1..=LONGEST).contains(&length)) else {
            tracing::error!(module = way.module, trigger, length, "a module has told of a firing that cannot be one");
            return Ok(None);
        };
        let (hops, rehearsal) = self.led_to_by(fired.run_id.as_deref()).await?;
        let mut vars = Map::new();
        for field in &declared.fields {
            let Some(value) = fired.vars.get(&field.name).filter(|value| !value.is_null()) else { continue };
            match field.check(value) {
                Ok(()) => drop(vars.insert(field.name.clone(), value.clone())),
                Err(why) => tracing::error!(trigger, why, "a variable of a signal is left out"),
            }
        }
        Ok(Some(Recorded {
            at,
            trigger: trigger.clone(),
            module: way.module.clone(),
            scope: way.scope.clone(),
            happened_at: fired.happened_at,
            hops,
            rehearsal,
            vars,
        }))
    }

    /// How many firings led to what a run has done, and whether that is a rehearsal; 0 and no where no run has done it.
    async fn led_to_by(&self, run_id: Option<&str>) -> Result<(u32, bool), Fault> {
        let Some(run_id) = run_id else { return Ok((0, false)) };
        // What a run is scheduled with does not change underneath a memory of it.
        let (run, _) = self.folds.load::<Run>(&self.log, run_id, Look::Remembered).await?;
        Ok(run.state.scheduled.map_or((0, false), |scheduled| (scheduled.hops, scheduled.rehearsal)))
    }
}

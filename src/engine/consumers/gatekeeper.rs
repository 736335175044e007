//! `gatekeeper`: counts signals at the gates that wait for them. A batch of the log is one range for each gate, so that a
//! crowd of signals makes a few events; the range and the run's own tally say what was counted before, so reading twice
//! counts nothing twice.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use futures::{StreamExt, TryStreamExt, stream};
use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::event::DecodeFault;
use leasehold_aggregates::run::{Run, RunCommand, Signals};

use super::Consumer;
use crate::engine::fault::told;
use crate::engine::folds::Look;
use crate::engine::runs::{Extras, Reading};
use crate::engine::signals::heard::{known_here, triggers_of};
use crate::engine::signals::{Heard, heard};
use crate::engine::streams::stream as stream_of;
use crate::engine::{Act, Engine, Fault};
use crate::log::Recorded;
use crate::telling::Heart;

/// Runs at whose gates signals are counted at once.
const AT_ONCE: usize = 8;
/// How often a count is tried again while its run moves on underneath.
const TRIES: u32 = 20;

pub struct Gatekeeper;

impl Consumer for Gatekeeper {
    const NAME: &'static str = "gatekeeper";

    fn known(kind: &str, event_type: &str, version: &str) -> Result<(), DecodeFault> {
        known_here(kind, event_type, version)
    }

    async fn handle(&self, engine: &Engine, event: &Arc<Recorded>) -> Result<(), Fault> {
        self.handle_all(engine, std::slice::from_ref(event), None).await
    }

    async fn handle_all(&self, engine: &Engine, events: &[Arc<Recorded>], heart: Option<&Heart>) -> Result<(), Fault> {
        let fired: BTreeSet<String> = events.iter().flat_map(|event| triggers_of(event)).collect();
        if fired.is_empty() {
            return Ok(());
        }
        let awaited = engine.log.awaited(&fired).await?;
        let signals = engine.hear(events, &awaited).await?;
        let counts = stream::iter(by_run(engine, signals).await?).map(|(run_id, signals)| async move {
            match engine.count_signals(&run_id, &signals).await {
                Err(fault) if !fault.passes() => {
                    tracing::error!(run = run_id, error = %told(&fault), "signals for a gate are not counted");
                }
                other => other?,
            }
            if let Some(heart) = heart {
                heart.beat();
            }
            Ok(())
        });
        counts.buffer_unordered(AT_ONCE).try_collect().await
    }
}

/// The runs that listen for these signals, each with those that it may count, in order.
async fn by_run(engine: &Engine, heard: Vec<Heard>) -> Result<BTreeMap<String, Vec<Heard>>, Fault> {
    let topics: BTreeSet<(String, String)> = heard.iter().map(|one| (one.trigger.clone(), one.scope.clone())).collect();
    let mut runs: BTreeMap<String, Vec<Heard>> = BTreeMap::new();
    for (trigger, scope) in topics {
        let listening = engine.log.listeners(&trigger, Some(&scope)).await?;
        for listener in listening.iter().filter(|listener| listener.stream.aggregate_type == Run::TYPE) {
            let theirs = |one: &&Heard| one.trigger == trigger && one.scope == scope && one.position > listener.after_position;
            let signals = runs.entry(listener.stream.aggregate_id.clone()).or_default();
            signals.extend(heard.iter().filter(theirs).cloned());
        }
    }
    for signals in runs.values_mut() {
        signals.sort_by(|one, other| (one.position, &one.trigger).cmp(&(other.position, &other.trigger)));
        signals.dedup_by(|one, other| one.position == other.position && one.trigger == other.trigger);
    }
    Ok(runs)
}

impl Engine {
    /// Counts what counts of these signals at the gate where the run stands.
    async fn count_signals(&self, run_id: &str, heard: &[heard::Heard]) -> Result<(), Fault> {
        let mut look = Look::Remembered;
        for _ in 0..TRIES {
            let (run, remembered) = self.folds.load::<Run>(&self.log, run_id, look).await?;
            let offered = match self.offered(run_id, &run.state, heard).await? {
                Some(offered) => offered,
                // What is remembered may be behind: that nothing counts has to be read.
                None if remembered => {
                    look = Look::Fresh;
                    continue;
                }
                None => return Ok(()),
            };
            let (Some(first), Some(last)) = (offered.signals.first(), offered.signals.last()) else { return Ok(()) };
            let at = self.clock.now().await?;
            let cause = format!("{} {run_id} {} {} {}", Gatekeeper::NAME, offered.entered, first.position, last.position);
            let act = Act { causation: Some(last.position), ..Act::following(Gatekeeper::NAME, at, &cause) };
            let command = |reading: &Reading| RunCommand::Count { at, signals: offered.clone(), facts: reading.facts.clone() };
            match self.commit_run(&act, run_id, &Extras::default(), command).await {
                Ok(_) => return Ok(()),
                Err(Fault::Refused(refusal)) if refusal.code() == "moved_on" => look = Look::Fresh,
                Err(Fault::Refused(refusal)) => {
                    tracing::error!(run = run_id, %refusal, "signals for a gate are not counted");
                    return Ok(());
                }
                Err(fault) => return Err(fault),
            }
        }
        Err(Fault::Busy)
    }

    /// What the run's gate has not looked at yet; none where it waits for nothing of these.
    async fn offered(&self, run_id: &str, run: &Run, heard: &[Heard]) -> Result<Option<Signals>, Fault> {
        let Some((state, gate)) = run.listening_gate() else { return Ok(None) };
        let signals: Vec<_> =
            heard.iter().filter(|one| one.trigger == gate.trigger && one.position > state.through).map(Heard::offered).collect();
        if signals.is_empty() {
            return Ok(None);
        }
        let Some(entered_position) = self.log.position_of(&stream_of::<Run>(run_id), state.entered).await? else {
            return Ok(None);
        };
        let signals: Vec<_> = signals.into_iter().filter(|signal| signal.position > entered_position).collect();
        let offered = Signals { entered: state.entered, entered_position, signals };
        Ok(Some(offered).filter(|offered| !offered.signals.is_empty()))
    }
}

//! Holding what runs hold against what their games have: at an engine's start, and whenever a game has started anew.
//!
//! A start is seen on the line as it is now, never in a feed, which tells of the past as well. One engine looks for all,
//! by a row of leadership; whatever it finds is a command to a run, and the same finding twice changes nothing. A game that
//! cannot tell yet is asked again, after pauses that grow.

mod asking;
mod round;

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, timeout};

use leasehold_module::Reach;

use super::fault::told;
use super::leaders::{Epochs, Leaders};
use super::{Engine, Fault};
use crate::telling::Heart;
use round::Round;

/// The leadership that it takes.
pub const NAME: &str = "reconciler";

/// Between two looks at the lines.
const GLANCE: Duration = Duration::from_secs(2);
/// How long a line is waited for.
const PATIENCE: Duration = Duration::from_secs(5);
/// The longest pause before a game that cannot tell is asked again.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// A game as one module reaches it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Game {
    module: String,
    scope: String,
}

/// What this engine knows of a game while it leads.
#[derive(Debug, Default)]
struct Known {
    /// The life in which it has told of everything.
    done: Option<String>,
    /// How often it could not tell, and when it is asked again.
    tries: u32,
    not_before: Option<Instant>,
}

impl Engine {
    /// Runs for the look at games, and looks while it leads.
    pub(in crate::engine) fn follow_games(&self, leaders: &Leaders) {
        leaders.run_for(NAME);
        self.tasks.spawn(keep(self.clone(), leaders.epochs()));
    }
}

async fn keep(engine: Engine, mut epochs: watch::Receiver<Epochs>) {
    let heart = engine.pulse.heart(NAME);
    let mut known: BTreeMap<Game, Known> = BTreeMap::new();
    loop {
        if epochs.borrow_and_update().contains_key(NAME) {
            look(&engine, &mut known, &heart).await;
        } else {
            known.clear();
        }
        heart.beat();
        tokio::select! {
            () = engine.stop.cancelled() => return,
            changed = epochs.changed() => if changed.is_err() { return },
            () = tokio::time::sleep(GLANCE.min(engine.patience().glance())) => {}
        }
    }
}

/// One look at every line.
async fn look(engine: &Engine, known: &mut BTreeMap<Game, Known>, heart: &Heart) {
    let registry = engine.registry();
    for module in registry.modules() {
        for scope in &engine.scopes {
            heart.beat();
            let Ok(Some(Reach::Connected { boot_id: Some(boot), .. })) = timeout(PATIENCE, module.reach(scope)).await else {
                continue;
            };
            let game = Game { module: module.manifest().id.clone(), scope: scope.clone() };
            let of_game = known.entry(game.clone()).or_default();
            if of_game.done.as_ref() == Some(&boot) || of_game.not_before.is_some_and(|until| until > Instant::now()) {
                continue;
            }
            if !matches!(engine.may_send(&game.module, scope).await, Ok(None)) {
                continue;
            }
            let round = Round { engine, module: module.as_ref(), game: &game, boot: &boot, heart };
            match round.walk().await {
                Ok(0) => *of_game = Known { done: Some(boot), ..Known::default() },
                Ok(unknown) => {
                    tracing::info!(module = game.module, scope, unknown, "a game cannot tell yet what it has; it is asked again");
                    of_game.wait();
                }
                Err(fault) => {
                    tracing::warn!(module = game.module, scope, error = %told(&fault), "a game is asked again what it has");
                    of_game.wait();
                }
            }
        }
    }
}

impl Known {
    fn wait(&mut self) {
        self.tries = self.tries.saturating_add(1);
        let pause = GLANCE.saturating_mul(2_u32.saturating_pow(self.tries.min(5))).min(LONGEST_PAUSE);
        self.not_before = Some(Instant::now() + pause);
    }
}

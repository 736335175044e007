//! The engine proper: what runs events.

pub mod accounts;
pub mod act;
pub mod again;
pub mod allowances;
pub mod calendar;
pub mod clock;
pub mod consumers;
pub mod core;
pub mod crash;
pub mod definitions;
pub mod drain;
pub mod evidence;
pub mod fault;
pub mod figures;
pub mod firings;
pub mod folds;
pub mod freezes;
pub mod heartbeat;
pub mod in_force;
pub mod keyed;
pub mod lanes;
pub mod leaders;
pub mod links;
pub mod loops;
pub mod materialise;
pub mod mint;
pub mod occurrences;
pub mod offers;
pub mod once;
pub mod pricing;
pub mod projector;
pub mod reconcile;
pub mod registry;
pub mod retention;
pub mod rewind;
mod run;
pub mod runs;
pub mod series;
pub mod settings;
pub mod signals;
pub mod stop;
pub mod stories;
pub mod streams;
pub mod switches;
mod zone_data;
pub mod zoneinfo;

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use crate::log::Log;
use crate::telling::Pulse;
use calendar::Almanac;
use clock::Clock;
use figures::Figures;
use firings::TriggerFiles;
use folds::Folds;
use lanes::Lanes;
use leasehold_aggregates::zones::Zones;
use links::Links;
use projector::Projectors;
use registry::Registry;
use rewind::Rewinds;
use runs::Closings;
use settings::Settings;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

pub use act::{Act, Sent};
pub use fault::Fault;

/// Everything that a command needs. Cheap to clone.
#[derive(Clone)]
pub struct Engine(Arc<Parts>);

/// What an engine is made of.
pub struct Parts {
    pub log: Log,
    /// What can be reached for now; replaced as a whole when a game declares something else.
    registry: RwLock<Arc<Registry>>,
    zones: Zones,
    pub settings: Settings,
    pub clock: Clock,
    /// The scopes that a run may be started in: `main`, and every one that has a link.
    pub scopes: BTreeSet<String>,
    /// This process, as leadership rows and metadata name it.
    pub holder: Uuid,
    /// Aggregates that were folded before.
    folds: Folds,
    /// Who decides and appends on which stream.
    lanes: Lanes,
    /// The projections that this engine keeps, once it runs.
    projectors: OnceLock<Projectors>,
    /// Published definitions, as calendars need them.
    pub(crate) almanac: Almanac,
    /// Which runs their games have closed.
    closings: Closings,
    /// Which games are reached.
    pub links: Links,
    /// Whether the loops are still at their work.
    pulse: Pulse,
    /// The last look at the deployment's figures.
    figures: Figures,
    /// Whether the ways to the games know of more than this log holds.
    pub rewinds: Rewinds,
    /// What trigger files may start.
    triggers: TriggerFiles,
    /// Dispatches and undos that are under way.
    pub tasks: TaskTracker,
    /// Cancelled when the process is asked to stop.
    pub stop: CancellationToken,
}

impl Engine {
    /// An engine of the scope `main` alone.
    pub fn new(log: Log, registry: Registry, settings: Settings, clock: Clock) -> Self {
        Self::reaching(log, registry, settings, clock, [])
    }

    /// An engine of `main` and these scopes.
    pub fn reaching(
        log: Log,
        registry: Registry,
        settings: Settings,
        clock: Clock,
        scopes: impl IntoIterator<Item = String>,
    ) -> Self {
        let scopes = scopes.into_iter().chain([runs::controls::MAIN.to_owned()]).collect();
        Self(Arc::new(Parts {
            log,
            zones: registry.zones().clone(),
            registry: RwLock::new(Arc::new(registry)),
            settings,
            clock,
            scopes,
            holder: mint::id(),
            folds: Folds::default(),
            lanes: Lanes::default(),
            projectors: OnceLock::new(),
            almanac: Almanac::default(),
            closings: Closings::default(),
            links: Links::default(),
            pulse: Pulse::default(),
            figures: Figures::default(),
            rewinds: Rewinds::default(),
            triggers: TriggerFiles::default(),
            tasks: TaskTracker::new(),
            stop: CancellationToken::new(),
        }))
    }

    /// What can be reached for at this moment: one decision looks into one of these.
    pub fn registry(&self) -> Arc<Registry> {
        Arc::clone(&self.registry.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// From now on this can be reached for. What is under way goes on with what it began with.
    pub fn replace_registry(&self, registry: Registry) {
        *self.registry.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(registry);
        self.judge_trigger_files();
    }

    /// The rules of the time zones, the same for as long as the engine runs.
    pub fn zones(&self) -> &Zones {
        &self.zones
    }

    /// Who records what this process appends.
    pub fn recorded_by(&self) -> String {
        format!("engine:{}", self.holder.as_simple())
    }
}

impl std::ops::Deref for Engine {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

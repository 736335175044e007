//! Signals that come before this engine knows their triggers: another engine has heard a game declare them, and this one not yet.
//! Its files would not be on them, and they would be passed over for good.

use std::collections::BTreeMap;
use std::sync::Arc;

use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::module::Module;
use leasehold_aggregates::signal::Signal;

use crate::engine::streams::{Loaded, load};
use crate::engine::{Engine, Fault};
use crate::log::Recorded;

impl Engine {
    /// Whether one of these is a signal that a file is on, of a trigger that is not in force here and is declared on record. Then
    /// what is on record is taken in, and the signal is looked at again: the consumer stays in front of it. What this engine refuses
    /// to put in force, or has no way to, it does not wait for.
    pub(super) async fn has_yet_to_hear_of(&self, events: &[Arc<Recorded>]) -> Result<bool, Fault> {
        let unknown = self.unknown_triggers_of_files();
        if unknown.is_empty() {
            return Ok(false);
        }
        let mut awaited: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
        for event in events.iter().filter(|event| event.stream.aggregate_type == Signal::TYPE) {
            let text = |name: &str| event.payload["signal"][name].as_str().unwrap_or_default();
            if unknown.contains(text("trigger")) {
                awaited.entry(text("module")).or_default().push((text("scope"), text("trigger")));
            }
        }
        for (module, signals) in awaited {
            let refused = self.registry().linked().refused.iter().any(|refused| refused.id == module);
            if !refused && self.is_declared(module, &signals).await? {
                self.take_in_what_is_on_record();
                tracing::info!(
                    module,
                    "a signal came before its trigger was in force here; what its game has declared is taken in"
                );
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the module declares one of these triggers in its scope, by what is on record, where this engine can reach it.
    async fn is_declared(&self, module: &str, signals: &[(&str, &str)]) -> Result<bool, Fault> {
        let module: Loaded<Module> = load(&self.log, module).await?;
        Ok(module.state.declared().any(|(scope, _, manifest)| {
            let triggers = manifest.get("triggers").and_then(|triggers| triggers.as_array()).into_iter().flatten();
            let ids: Vec<&str> = triggers.filter_map(|trigger| trigger["id"].as_str()).collect();
            self.scopes.contains(scope) && signals.iter().any(|(of, trigger)| *of == scope && ids.contains(trigger))
        }))
    }
}

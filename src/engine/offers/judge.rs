//! Which of the manifests that games have sent are sound, each taken by itself and beside the others.

use std::collections::BTreeMap;

use leasehold_module::{Manifest, ManifestFault, Offers};
use serde_json::{Map, Value};

use super::{Sent, Sound};
use crate::engine::core::CORE;
use crate::engine::registry::{RefusedModule, Registry};
use crate::engine::signals::own::EVENT;

/// The sound ones by module, and why the others are not taken.
pub(super) fn judge(
    heard: &BTreeMap<String, Sent>,
    registry: &Registry,
    offers: &dyn Offers,
) -> (Vec<Sound>, Vec<RefusedModule>) {
    let mut found: BTreeMap<String, Vec<Sound>> = BTreeMap::new();
    let mut refused = Vec::new();
    for (scope, sent) in heard {
        match sound(&sent.manifest, registry, offers) {
            Ok(manifest) => {
                let of_module = found.entry(manifest.id.clone()).or_default();
                match of_module.iter_mut().find(|known| known.sent.digest == sent.digest) {
                    Some(same) => same.scopes.push(scope.clone()),
                    None => of_module.push(Sound { manifest, sent: sent.clone(), scopes: vec![scope.clone()] }),
                }
            }
            Err(faults) => refused.push(RefusedModule { id: claimed_id(sent), scope: Some(scope.clone()), faults }),
        }
    }
    let in_force = found.into_values().filter_map(|mut of_module| {
        // The newest counts, of equals the one that the first scope sent.
        of_module.sort_by_key(|sound| std::cmp::Reverse(sound.manifest.version));
        let mut of_module = of_module.into_iter();
        let newest = of_module.next()?;
        refused.extend(of_module.flat_map(|older| older_than(&newest, older)));
        Some(newest)
    });
    (in_force.collect(), refused)
}

/// The manifest, if it may be taken: read, of an id of its own, and without a fault.
pub fn sound(sent: &Map<String, Value>, registry: &Registry, offers: &dyn Offers) -> Result<Manifest, Vec<ManifestFault>> {
    let manifest = Manifest::read(sent, offers.budget_ms())?;
    if [CORE, EVENT].contains(&manifest.id.as_str()) || registry.is_installed(&manifest.id) {
        let reason = "the engine has a module of this id already; a game's needs one of its own".to_owned();
        return Err(vec![ManifestFault { entry: manifest.id, reason }]);
    }
    let mut faults = manifest.faults();
    if faults.is_empty() {
        faults = manifest.hasty(offers.module(manifest.clone(), &[]).waits_ms());
    }
    if faults.is_empty() { Ok(manifest) } else { Err(faults) }
}

fn older_than(newest: &Sound, older: Sound) -> impl Iterator<Item = RefusedModule> {
    let (id, there) = (older.manifest.id, newest.scopes.join(", "));
    let (version, newest) = (older.manifest.version, newest.manifest.version);
    let reason = format!("version {version} is sent here, another manifest of version {newest} in {there}: one holds at a time");
    let faults = vec![ManifestFault { entry: id.clone(), reason }];
    older.scopes.into_iter().map(move |scope| RefusedModule { id: id.clone(), scope: Some(scope), faults: faults.clone() })
}

/// What a manifest that cannot be read calls itself.
fn claimed_id(sent: &Sent) -> String {
    let id = sent.manifest.get("id").and_then(Value::as_str).unwrap_or("unnamed");
    id.chars().filter(|c| !c.is_control()).take(32).collect()
}

//! The values that can be borrowed: three keys of the configuration, four dials of each spawner that has a name, and the seasons.

use leasehold_link::wire::limits::HOLD_MAX_MS;
use leasehold_module::{Lease, ParamType, Reaches};

use crate::atlas::Atlas;
use crate::lease::Lent;

/// What a season can be set to.
pub const STATUSES: [&str; 3] = ["Inactive", "Active", "Seasonal"];

/// One value: its id here, the game's key, and what it takes.
struct Value {
    id: String,
    label: String,
    key: String,
    takes: ParamType,
    range: Range,
    reaches: Reaches,
}

/// Both ends of what a number may be; none of what is no number.
type Range = Option<(u32, u32)>;

/// A dial: its word here and at the game, what it is to a reader, and its range.
const DIALS: [(&str, &str, &str, Range); 4] = [
    ("max_count", "MaxCount", "most creatures", Some((0, 50))),
    ("min_delay", "MinDelay", "shortest wait in seconds", Some((1, 86_400))),
    ("max_delay", "MaxDelay", "longest wait in seconds", Some((1, 86_400))),
    ("running", "Running", "running", None),
];

fn config() -> Vec<Value> {
    let value = |id: &str, label: &str, key: &str, range, reaches| Value {
        id: id.into(),
        label: label.into(),
        key: key.into(),
        takes: ParamType::Int,
        range: Some(range),
        reaches,
    };
    vec![
        value(
            "uo.config.skillcap",
            "Skill cap of new characters, in tenths",
            "PlayerCaps.SkillCap",
            (100, 1200),
            Reaches::NewJoins,
        ),
        value("uo.config.statcap", "Stat cap of new characters", "PlayerCaps.StatCap", (125, 300), Reaches::NewJoins),
        value("uo.config.damage", "Damage of every blow, in percent", "Combat.DamagePercent", (50, 300), Reaches::Everyone),
    ]
}

fn values(atlas: &Atlas) -> Vec<Value> {
    let mut values = config();
    for spawner in atlas.spawners() {
        values.extend(DIALS.map(|(word, dial, meaning, range)| Value {
            id: format!("uo.spawner.{}.{word}", spawner.value),
            label: format!("{}: {meaning}", spawner.label),
            key: format!("object:{}.{dial}", spawner.value),
            takes: if range.is_some() { ParamType::Int } else { ParamType::Bool },
            range,
            reaches: Reaches::Everyone,
        }));
    }
    values.extend(atlas.seasons().iter().map(|season| Value {
        id: format!("uo.season.{}", season.value.to_lowercase()),
        label: format!("{}: {}", season.label, STATUSES.join(", ")),
        key: format!("season:{}.Status", season.value),
        takes: ParamType::String,
        range: None,
        reaches: Reaches::Everyone,
    }));
    values
}

/// Every lease, as declared.
pub fn leases(atlas: &Atlas, budget_ms: u64) -> Vec<Lease> {
    let declared = |value: Value| Lease {
        id: value.id,
        label: value.label,
        value_type: value.takes,
        min: value.range.map(|(min, _)| min.to_string()),
        max: value.range.map(|(_, max)| max.to_string()),
        max_duration_ms: HOLD_MAX_MS,
        reaches: value.reaches,
        budget_ms,
    };
    values(atlas).into_iter().map(declared).collect()
}

/// The id of every lease, and what the game calls it.
pub fn all(atlas: &Atlas) -> Vec<(String, String)> {
    values(atlas).into_iter().map(|value| (value.id, value.key)).collect()
}

/// What a lease is to the game.
pub fn find(atlas: &Atlas, id: &str) -> Option<Lent> {
    let found = values(atlas).into_iter().find(|value| value.id == id)?;
    Some(Lent { key: found.key, value_type: found.takes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_plane_is_lent_and_named_to_the_game() {
        let atlas = Atlas::built_in();
        let key = |id: &str| find(&atlas, id).map(|lent| (lent.key, lent.value_type));
        assert_eq!(key("uo.config.skillcap"), Some(("PlayerCaps.SkillCap".into(), ParamType::Int)));
        assert_eq!(key("uo.spawner.yew-orchard-1.running"), Some(("object:yew-orchard-1.Running".into(), ParamType::Bool)));
        assert_eq!(key("uo.season.harvestfair"), Some(("season:HarvestFair.Status".into(), ParamType::String)));
        assert_eq!(key("uo.spawner.nowhere.running"), None);
        assert_eq!(leases(&atlas, 1).len(), 3 + 24 * 4 + 8);
    }
}

//! The values that can be borrowed: three keys of the configuration, four dials of each spawner that has a name, the same of any other
//! spawner, and the seasons.

use leasehold_link::wire::limits::HOLD_MAX_MS;
use leasehold_module::{Lease, LeaseObject, ParamType, Reaches, is_object, lease_parts};

use crate::atlas::Atlas;
use crate::lease::Lent;

/// Stands in a key for the spawner that a plan names.
pub const ANY: &str = "*";

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
    /// Its key is that of any spawner, which has to be named.
    of_any: bool,
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
        of_any: false,
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

/// The four of one spawner, or of any.
fn dials(id: &str, label: &str, spawner: &str, of_any: bool) -> [Value; 4] {
    DIALS.map(|(word, dial, meaning, range)| Value {
        id: format!("{id}.{word}"),
        label: format!("{label}: {meaning}"),
        key: key_of(spawner, dial),
        takes: if range.is_some() { ParamType::Int } else { ParamType::Bool },
        range,
        reaches: Reaches::Everyone,
        of_any,
    })
}

fn key_of(spawner: &str, dial: &str) -> String {
    format!("object:{spawner}.{dial}")
}

fn values(atlas: &Atlas) -> Vec<Value> {
    let mut values = config();
    for spawner in atlas.spawners() {
        values.extend(dials(&format!("uo.spawner.{}", spawner.value), &spawner.label, &spawner.value, false));
    }
    values.extend(dials("uo.spawner", "A spawner without a name", ANY, true));
    values.extend(atlas.seasons().iter().map(|season| Value {
        id: format!("uo.season.{}", season.value.to_lowercase()),
        label: format!("{}: {}", season.label, STATUSES.join(", ")),
        key: format!("season:{}.Status", season.value),
        takes: ParamType::String,
        range: None,
        reaches: Reaches::Everyone,
        of_any: false,
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
        object: value.of_any.then(spawner),
    };
    values(atlas).into_iter().map(declared).collect()
}

/// How a spawner is named that has no lease of its own.
fn spawner() -> LeaseObject {
    LeaseObject { label: "its serial, or its unique id where it has one,".into(), example: "0x40001A2B".into() }
}

/// The id of every lease, and what the game calls it; in place of a spawner that has to be named, [`ANY`].
pub fn all(atlas: &Atlas) -> Vec<(String, String)> {
    values(atlas).into_iter().map(|value| (value.id, value.key)).collect()
}

/// What a lease is to the game.
pub fn find(atlas: &Atlas, named: &str) -> Option<Lent> {
    let (id, object) = lease_parts(named);
    let found = values(atlas).into_iter().find(|value| value.id == id && value.of_any == object.is_some())?;
    let key = match object {
        None => found.key,
        Some(object) => found.key.replacen(ANY, Some(object).filter(|object| is_object(object))?, 1),
    };
    Some(Lent { key, value_type: found.takes })
}

/// The lease by which a value goes that is named as one of any spawner, where that spawner has leases of its own: one value has one
/// name.
pub fn own_name(atlas: &Atlas, named: &str) -> Option<String> {
    let spawner = atlas.spawners().iter().find(|spawner| lease_parts(named).1 == Some(spawner.value.as_str()))?;
    let word = lease_parts(named).0.rsplit('.').next()?;
    Some(format!("uo.spawner.{}.{word}", spawner.value))
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
        assert_eq!(key("uo.spawner.running@0x40001A2B"), Some(("object:0x40001A2B.Running".into(), ParamType::Bool)));
        for none in [
            "uo.spawner.running",
            "uo.spawner.running@",
            "uo.spawner.running@*",
            "uo.config.skillcap@x",
            "uo.spawner.running@a b",
        ] {
            assert_eq!(key(none), None, "{none}");
        }
        let own = |named: &str| own_name(&atlas, named);
        assert_eq!(own("uo.spawner.running@yew-orchard-1").as_deref(), Some("uo.spawner.yew-orchard-1.running"));
        assert_eq!((own("uo.spawner.running@0x40001A2B"), own("uo.spawner.yew-orchard-1.running")), (None, None));
        assert_eq!(leases(&atlas, 1).len(), 3 + 24 * 4 + 4 + 8);
    }
}

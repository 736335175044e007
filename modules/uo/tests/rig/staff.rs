//! Values as staff set them, past the module.

use leasehold_module::{Lease, ParamType};

/// The longest wait that a dial takes, in seconds.
const LONGEST_SEC: &str = "86400";

/// A value that the lease takes, that is not the current one, and that makes a difference.
pub fn other_value(lease: &Lease, current: &str) -> String {
    if lease.id.contains("_delay") {
        // A wait of one second more would hardly show.
        return if current == LONGEST_SEC { "3600" } else { LONGEST_SEC }.to_owned();
    }
    match lease.value_type {
        ParamType::Bool => (current != "true").to_string(),
        ParamType::Int => {
            let (min, max) = (number(lease.min.as_deref()), number(lease.max.as_deref()));
            let taken = number(Some(current));
            if taken < max { (taken + 1).to_string() } else { min.to_string() }
        }
        _ => if current == "Active" { "Inactive" } else { "Active" }.to_owned(),
    }
}

/// The command that sets it.
pub fn setting(lease: &str, value: &str) -> String {
    match lease.split('.').collect::<Vec<_>>()[..] {
        [_, "config", word] => format!("config set {} {value}", config_key(word)),
        [_, "spawner", named] => {
            let (dial, spawner) = named.split_once('@').unwrap_or_else(|| panic!("of which spawner is {lease}?"));
            format!("spawner set {spawner} {} {value}", dial_of(dial))
        }
        [_, "spawner", spawner, dial] => format!("spawner set {spawner} {} {value}", dial_of(dial)),
        [_, "season", season] => format!("season set {} {value}", season_of(season)),
        _ => panic!("the rig has to learn how staff sets {lease}"),
    }
}

/// The spawner with a name whose dial is lent.
pub fn spawner_of(lease: &str) -> Option<String> {
    let (spawner, _) = lease.strip_prefix("uo.spawner.")?.split_once('.')?;
    Some(spawner.to_owned())
}

/// The game's word for a season.
pub fn season_of(word: &str) -> &'static str {
    match word {
        "fellowshipfair" => "FellowshipFair",
        "ghostsofskara" => "GhostsOfSkara",
        "harvestfair" => "HarvestFair",
        "krampushunt" => "KrampusHunt",
        "lanternnights" => "LanternNights",
        "piratetides" => "PirateTides",
        "risingstorm" => "RisingStorm",
        "springbloom" => "SpringBloom",
        other => panic!("the rig has to learn which season {other} is"),
    }
}

fn number(text: Option<&str>) -> i64 {
    text.and_then(|text| text.parse().ok()).expect("a whole number")
}

fn config_key(word: &str) -> &'static str {
    match word {
        "skillcap" => "PlayerCaps.SkillCap",
        "statcap" => "PlayerCaps.StatCap",
        "damage" => "Combat.DamagePercent",
        other => panic!("the rig has to learn which key {other} is"),
    }
}

fn dial_of(word: &str) -> &'static str {
    match word {
        "max_count" => "MaxCount",
        "min_delay" => "MinDelay",
        "max_delay" => "MaxDelay",
        "running" => "Running",
        other => panic!("the rig has to learn which dial {other} is"),
    }
}

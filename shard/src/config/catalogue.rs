//! The keys there are. Most are read once, when the game starts: setting them later reads back and does nothing.

use super::ValueType;

/// When the game reads a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Once, into a field.
    AtStart,
    /// Each time it matters.
    Live,
}

/// One key.
#[derive(Debug)]
pub struct KeyDefinition {
    pub key: &'static str,
    pub value_type: ValueType,
    pub default: &'static str,
    pub reading: Reading,
}

const fn key(key: &'static str, value_type: ValueType, default: &'static str, reading: Reading) -> KeyDefinition {
    KeyDefinition { key, value_type, default, reading }
}

/// Every key that the game reads.
pub const READ: &[KeyDefinition] = &[
    key("Accounts.AccountsPerIp", ValueType::Int, "1", Reading::AtStart),
    key("Accounts.MaxCharacters", ValueType::Int, "5000", Reading::AtStart),
    key("Bridge.AdminWriteEnabled", ValueType::Bool, "false", Reading::AtStart),
    key("Bridge.EventsEnabled", ValueType::Bool, "false", Reading::AtStart),
    key("Bridge.EventsMaxGateSec", ValueType::Int, "14400", Reading::AtStart),
    key("Bridge.EventsMinSaveIntervalSec", ValueType::Int, "300", Reading::AtStart),
    key("Bridge.LeaseMaxDurationSec", ValueType::Int, "86400", Reading::AtStart),
    key("Bridge.ParticipationGraceSec", ValueType::Int, "86400", Reading::AtStart),
    key("Bridge.ParticipationKillWeight", ValueType::Int, "5", Reading::Live),
    key("Bridge.ParticipationMaxMembers", ValueType::Int, "2000", Reading::AtStart),
    key("Bridge.ParticipationMaxRadius", ValueType::Int, "300", Reading::AtStart),
    key("Bridge.ParticipationMaxRuns", ValueType::Int, "8", Reading::AtStart),
    key("Bridge.ParticipationMinuteWeight", ValueType::Int, "1", Reading::Live),
    key("Bridge.ParticipationSnapshotChunk", ValueType::Int, "100", Reading::Live),
    key("Bridge.ParticipationSweepSec", ValueType::Int, "1", Reading::Live),
    key("Bridge.PresenceSweepSec", ValueType::Int, "1", Reading::Live),
    key("Combat.DamagePercent", ValueType::Int, "100", Reading::Live),
    key("General.ServerName", ValueType::Text, "reference shard", Reading::AtStart),
    key("General.StartMap", ValueType::Text, "Felucca", Reading::Live),
    key("PlayerCaps.SkillCap", ValueType::Int, "1000", Reading::Live),
    key("PlayerCaps.StatCap", ValueType::Int, "225", Reading::Live),
    key("Spawn.Natives", ValueType::Int, "1000", Reading::AtStart),
    key("Spawn.Spawners", ValueType::Int, "250", Reading::AtStart),
    key("Spawn.WanderRange", ValueType::Int, "24", Reading::AtStart),
    key("Spawn.EventBosses", ValueType::Int, "4", Reading::AtStart),
    key("Spawn.EventCreatures", ValueType::Int, "30", Reading::AtStart),
    key("Spawn.EventDecorations", ValueType::Int, "100", Reading::AtStart),
    key("Spawn.EventGates", ValueType::Int, "4", Reading::AtStart),
    key("Spawn.EventNpcs", ValueType::Int, "5", Reading::AtStart),
];

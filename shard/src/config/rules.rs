//! What the game read from its configuration when it started, and goes by until it stops.

use super::{Config, Reading};

/// The fields that hold start-time keys.
#[derive(Clone, Debug)]
pub struct Rules {
    pub accounts_per_ip: usize,
    pub max_characters: usize,
    pub admin_write_enabled: bool,
    pub events_enabled: bool,
    pub lease_max_ms: u64,
    pub server_name: String,
    pub natives: usize,
    pub spawners: usize,
    pub wander_range: u16,
    pub event_creatures: usize,
    pub event_bosses: usize,
    pub event_npcs: usize,
    pub event_gates: usize,
    pub event_decorations: usize,
    pub participation: ParticipationRules,
    /// Longest time that a gate stands open.
    pub gate_max_ms: u64,
    /// Least time between two saves that are asked for over the link.
    pub save_interval_ms: u64,
}

/// The bounds of counting who takes part.
#[derive(Clone, Copy, Debug)]
pub struct ParticipationRules {
    /// Runs counted at once.
    pub runs: usize,
    /// Members of one run.
    pub members: usize,
    /// Widest area, in tiles.
    pub radius: u32,
    /// How long a tally can be read after its counting has ended.
    pub grace_ms: u64,
}

impl Rules {
    /// Reads the start-time keys.
    pub fn read(config: &Config) -> Self {
        let count = |key: &str| usize::try_from(config.integer(key)).unwrap_or_default();
        let seconds = |key: &str| u64::try_from(config.integer(key)).unwrap_or_default().saturating_mul(1000);
        Self {
            accounts_per_ip: count("Accounts.AccountsPerIp"),
            max_characters: count("Accounts.MaxCharacters"),
            admin_write_enabled: config.switch("Bridge.AdminWriteEnabled"),
            events_enabled: config.switch("Bridge.EventsEnabled"),
            lease_max_ms: seconds("Bridge.LeaseMaxDurationSec"),
            server_name: config.get("General.ServerName").unwrap_or_default().to_owned(),
            natives: count("Spawn.Natives").min(10_000),
            spawners: count("Spawn.Spawners").min(10_000),
            wander_range: u16::try_from(config.integer("Spawn.WanderRange")).unwrap_or_default(),
            event_creatures: count("Spawn.EventCreatures"),
            event_bosses: count("Spawn.EventBosses"),
            event_npcs: count("Spawn.EventNpcs"),
            event_gates: count("Spawn.EventGates"),
            event_decorations: count("Spawn.EventDecorations"),
            participation: ParticipationRules {
                runs: count("Bridge.ParticipationMaxRuns"),
                members: count("Bridge.ParticipationMaxMembers"),
                radius: u32::try_from(count("Bridge.ParticipationMaxRadius")).unwrap_or(u32::MAX),
                grace_ms: seconds("Bridge.ParticipationGraceSec"),
            },
            gate_max_ms: seconds("Bridge.EventsMaxGateSec"),
            save_interval_ms: seconds("Bridge.EventsMinSaveIntervalSec"),
        }
    }

    /// What the game goes by for a key: the field for one read at start, the configuration itself for a live one.
    pub fn in_use(&self, config: &Config, key: &str) -> Option<String> {
        if config.definition(key)?.reading == Reading::Live {
            return config.goes_by(key).map(str::to_owned);
        }
        Some(match key {
            "Accounts.AccountsPerIp" => self.accounts_per_ip.to_string(),
            "Accounts.MaxCharacters" => self.max_characters.to_string(),
            "Bridge.AdminWriteEnabled" => self.admin_write_enabled.to_string(),
            "Bridge.EventsEnabled" => self.events_enabled.to_string(),
            "Bridge.LeaseMaxDurationSec" => (self.lease_max_ms / 1000).to_string(),
            "General.ServerName" => self.server_name.clone(),
            "Spawn.Natives" => self.natives.to_string(),
            "Spawn.Spawners" => self.spawners.to_string(),
            "Bridge.ParticipationMaxRuns" => self.participation.runs.to_string(),
            "Bridge.ParticipationMaxMembers" => self.participation.members.to_string(),
            "Bridge.ParticipationMaxRadius" => self.participation.radius.to_string(),
            "Bridge.ParticipationGraceSec" => (self.participation.grace_ms / 1000).to_string(),
            "Spawn.WanderRange" => self.wander_range.to_string(),
            "Spawn.EventCreatures" => self.event_creatures.to_string(),
            "Spawn.EventBosses" => self.event_bosses.to_string(),
            "Spawn.EventNpcs" => self.event_npcs.to_string(),
            "Spawn.EventGates" => self.event_gates.to_string(),
            "Spawn.EventDecorations" => self.event_decorations.to_string(),
            "Bridge.EventsMaxGateSec" => (self.gate_max_ms / 1000).to_string(),
            "Bridge.EventsMinSaveIntervalSec" => (self.save_interval_ms / 1000).to_string(),
            _ => return None,
        })
    }
}

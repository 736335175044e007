//! The game's configuration: text by key, in memory. A file may set it at start; nothing ever writes it back, so a restart restores.

mod catalogue;
mod rules;
mod value;

pub use catalogue::{KeyDefinition, READ, Reading};
pub use rules::{ParticipationRules, Rules};
pub use value::{Decimal, ValueType, exact, whole};

use std::collections::BTreeMap;

/// Every key and what it is now.
#[derive(Clone, Debug)]
pub struct Config {
    entries: BTreeMap<&'static str, Entry>,
}

#[derive(Clone, Debug)]
struct Entry {
    definition: &'static KeyDefinition,
    loaded: String,
    current: String,
    /// Nothing reads it any more, as if a release had made it a key of the start: a fault that the console may cause.
    inert: bool,
}

/// Why a key was not set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigFault {
    #[error("there is no configuration key {0}")]
    UnknownKey(String),
    #[error("{key} takes a value of type {wanted}, not `{value}`")]
    BadValue { key: &'static str, wanted: &'static str, value: String },
    #[error("line {line} of the configuration file must read KEY=VALUE")]
    BadLine { line: usize },
}

impl Default for Config {
    fn default() -> Self {
        let entry = |definition: &'static KeyDefinition| {
            let value = definition.default.to_owned();
            (definition.key, Entry { definition, loaded: value.clone(), current: value, inert: false })
        };
        Self { entries: READ.iter().map(entry).collect() }
    }
}

impl Config {
    /// The defaults with the lines of a file over them: `KEY=VALUE`, `#` starts a comment.
    pub fn load(text: &str) -> Result<Self, ConfigFault> {
        let mut config = Self::default();
        for (index, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let (key, value) = line.split_once('=').ok_or(ConfigFault::BadLine { line: index + 1 })?;
            config.set(key.trim(), value.trim())?;
        }
        for entry in config.entries.values_mut() {
            entry.loaded.clone_from(&entry.current);
        }
        Ok(config)
    }

    /// Every key and what it is now, by key.
    pub fn values(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.entries.iter().map(|(key, entry)| (*key, entry.current.as_str()))
    }

    /// What the key is now.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.entries.get(key).map(|entry| entry.current.as_str())
    }

    /// What the key was when the game started.
    pub fn loaded(&self, key: &str) -> Option<&str> {
        self.entries.get(key).map(|entry| entry.loaded.as_str())
    }

    /// When the game reads the key.
    pub fn definition(&self, key: &str) -> Option<&'static KeyDefinition> {
        self.entries.get(key).map(|entry| entry.definition)
    }

    /// Writes a key in memory. The value must be of the key's type; any value of the type will do.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), ConfigFault> {
        let entry = self.entries.get_mut(key).ok_or_else(|| ConfigFault::UnknownKey(key.chars().take(80).collect()))?;
        let KeyDefinition { key, value_type, .. } = entry.definition;
        if !value_type.admits(value) {
            let value = value.chars().take(80).collect();
            return Err(ConfigFault::BadValue { key, wanted: value_type.name(), value });
        }
        value.clone_into(&mut entry.current);
        Ok(())
    }

    /// What the game goes by where it reads a key live: another than [`Self::get`] tells of one that is inert.
    pub fn goes_by(&self, key: &str) -> Option<&str> {
        self.entries.get(key).map(|entry| if entry.inert { entry.loaded.as_str() } else { entry.current.as_str() })
    }

    /// Puts every key back to what it was when the game started.
    pub fn reset(&mut self) {
        for entry in self.entries.values_mut() {
            entry.current.clone_from(&entry.loaded);
        }
    }

    /// Makes a key inert, or live again; false where there is none.
    pub fn set_inert(&mut self, key: &str, inert: bool) -> bool {
        self.entries.get_mut(key).map(|entry| entry.inert = inert).is_some()
    }

    /// An integer key read live. A key of another type reads as 0.
    pub fn integer(&self, key: &str) -> i64 {
        self.goes_by(key).and_then(|value| value.parse().ok()).unwrap_or_default()
    }

    /// A count read live; 0 of what is none.
    pub fn count(&self, key: &str) -> usize {
        usize::try_from(self.integer(key)).unwrap_or_default()
    }

    /// A switch. A key of another type reads as off.
    pub fn switch(&self, key: &str) -> bool {
        self.get(key) == Some("true")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_sets_what_the_game_starts_with() {
        let config = Config::load("# comment\nPlayerCaps.SkillCap = 900 # low\n\n").unwrap();
        assert_eq!((config.get("PlayerCaps.SkillCap"), config.loaded("PlayerCaps.SkillCap")), (Some("900"), Some("900")));
        assert_eq!(config.integer("PlayerCaps.SkillCap"), 900);
    }

    #[test]
    fn a_wrong_file_is_refused_with_its_place() {
        assert_eq!(Config::load("a=1\n").unwrap_err(), ConfigFault::UnknownKey("a".into()));
        assert_eq!(Config::load("\nSkillCap").unwrap_err(), ConfigFault::BadLine { line: 2 });
        assert!(Config::load("PlayerCaps.SkillCap=many").is_err());
    }

    #[test]
    fn a_key_that_is_read_at_start_reads_back_and_does_nothing() {
        let mut config = Config::default();
        let rules = Rules::read(&config);
        config.set("Accounts.AccountsPerIp", "9").unwrap();
        assert_eq!(config.get("Accounts.AccountsPerIp"), Some("9"));
        assert_eq!(rules.accounts_per_ip, 1, "which is why it is not in the catalogue of leases");
    }
}

//! Places and creatures that an author may name, answered without asking the game.

use leasehold_module::{Failure, Options, OptionsAnswer};
use serde::Deserialize;

pub const LANDMARKS: &str = "uo.options.landmarks";
pub const CREATURES: &str = "uo.options.creatures";

/// The data file, read when the module is made.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Atlas {
    landmarks: Vec<Landmark>,
    creatures: Vec<Creature>,
}

/// A named point; `map` is the facet it lies on, `x` and `y` count tiles.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Landmark {
    pub value: String,
    pub label: String,
    pub map: String,
    pub x: i32,
    pub y: i32,
}

/// A name of the game's allowlist.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Creature {
    pub value: String,
    pub label: String,
}

impl Atlas {
    /// The atlas that comes with this crate.
    pub fn built_in() -> Self {
        serde_json::from_str(include_str!("../atlas.json")).expect("the atlas is part of the crate and read by its tests")
    }

    pub fn landmark(&self, value: &str) -> Result<&Landmark, Failure> {
        self.landmarks
            .iter()
            .find(|landmark| landmark.value == value)
            .ok_or_else(|| Failure::refused("unknown_landmark", format!("the atlas has no landmark {value:?}; see {LANDMARKS}")))
    }

    pub fn creature(&self, value: &str) -> Result<&Creature, Failure> {
        self.creatures
            .iter()
            .find(|creature| creature.value == value)
            .ok_or_else(|| Failure::refused("unknown_creature", format!("the atlas has no creature {value:?}; see {CREATURES}")))
    }

    pub fn choices(&self, request: &Options) -> OptionsAnswer {
        let all: Vec<(String, String)> = match request.source.as_str() {
            LANDMARKS => self.landmarks.iter().map(|x| (x.value.clone(), format!("{} ({})", x.label, x.map))).collect(),
            CREATURES => self.creatures.iter().map(|x| (x.value.clone(), x.label.clone())).collect(),
            other => {
                return OptionsAnswer::Failed(Failure::refused("no_such_source", format!("there is no option source {other}")));
            }
        };
        OptionsAnswer::Choices(all.into_iter().filter(|(value, label)| request.keeps(value, label)).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn search(source: &str, q: Option<&str>) -> Vec<(String, String)> {
        let request = Options { source: source.into(), scope: None, q: q.map(str::to_owned) };
        match Atlas::built_in().choices(&request) {
            OptionsAnswer::Choices(choices) => choices,
            OptionsAnswer::Failed(failure) => panic!("{failure}"),
        }
    }

    #[test]
    fn every_value_is_named_once() {
        for source in [LANDMARKS, CREATURES] {
            let choices = search(source, None);
            let values: BTreeSet<_> = choices.iter().map(|(value, _)| value).collect();
            assert!(!choices.is_empty());
            assert_eq!(values.len(), choices.len(), "{source}");
        }
    }

    #[test]
    fn the_orchard_of_yew_lies_on_felucca() {
        let atlas = Atlas::built_in();
        let orchard = atlas.landmark("yew-orchard").unwrap();
        assert_eq!(orchard.map, "Felucca");
        assert_eq!(atlas.landmark("yew-orchid").unwrap_err().code, "unknown_landmark");
        assert_eq!(atlas.creature("orcs").unwrap_err().code, "unknown_creature");
    }

    #[test]
    fn a_search_reads_values_and_labels_in_any_case() {
        let values = |found: Vec<(String, String)>| found.into_iter().map(|(value, _)| value).collect::<Vec<_>>();
        assert!(values(search(LANDMARKS, Some("YEW orch"))).contains(&"yew-orchard".to_owned()));
        assert!(values(search(CREATURES, Some("skel"))).contains(&"skeleton".to_owned()));
        assert!(search(CREATURES, Some("no such thing")).is_empty());
        let unknown = Options { source: "uo.options.items".into(), scope: None, q: None };
        assert!(matches!(Atlas::built_in().choices(&unknown), OptionsAnswer::Failed(_)));
    }
}

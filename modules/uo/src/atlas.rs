//! Places, creatures and items that an author may name, answered without asking the game.

use leasehold_module::{Choice, Failure, Options, OptionsAnswer};
use serde::Deserialize;

pub const LANDMARKS: &str = "uo.options.landmarks";
pub const CREATURES: &str = "uo.options.creatures";
pub const DECORATIONS: &str = "uo.options.decorations";
pub const GIFTS: &str = "uo.options.gifts";

/// The data file, read when the module is made.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Atlas {
    landmarks: Vec<Landmark>,
    creatures: Vec<Named>,
    decorations: Vec<Named>,
    gifts: Vec<Named>,
    /// Spawners that have a name of their own.
    spawners: Vec<Named>,
    /// Seasons that go by their status; one of the game's goes by an era of its own and is left out.
    seasons: Vec<Named>,
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

/// A name of one of the game's allowlists.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Named {
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

    pub fn creature(&self, value: &str) -> Result<&Named, Failure> {
        find(&self.creatures, value).ok_or_else(|| unknown("unknown_creature", "creature", value, CREATURES))
    }

    pub fn decoration(&self, value: &str) -> Result<&Named, Failure> {
        find(&self.decorations, value).ok_or_else(|| unknown("unknown_item", "decoration", value, DECORATIONS))
    }

    pub fn spawners(&self) -> &[Named] {
        &self.spawners
    }

    pub fn seasons(&self) -> &[Named] {
        &self.seasons
    }

    pub fn gift(&self, value: &str) -> Result<&Named, Failure> {
        find(&self.gifts, value).ok_or_else(|| unknown("unknown_item", "gift", value, GIFTS))
    }

    pub fn choices(&self, request: &Options) -> OptionsAnswer {
        let of = |names: &[Named]| names.iter().map(|x| Choice::new(&x.value, &x.label)).collect();
        let all: Vec<Choice> = match request.source.as_str() {
            LANDMARKS => self.landmarks.iter().map(landmark_choice).collect(),
            CREATURES => of(&self.creatures),
            DECORATIONS => of(&self.decorations),
            GIFTS => of(&self.gifts),
            other => {
                return OptionsAnswer::Failed(Failure::refused("no_such_source", format!("there is no option source {other}")));
            }
        };
        OptionsAnswer::Choices(all.into_iter().filter(|choice| request.keeps(choice)).collect())
    }
}

fn landmark_choice(landmark: &Landmark) -> Choice {
    let choice = Choice::new(&landmark.value, format!("{} ({})", landmark.label, landmark.map));
    Choice { group: Some(landmark.map.clone()), ..choice }
}

fn find<'a>(names: &'a [Named], value: &str) -> Option<&'a Named> {
    names.iter().find(|named| named.value == value)
}

fn unknown(code: &str, what: &str, value: &str, source: &str) -> Failure {
    Failure::refused(code, format!("the atlas has no {what} {value:?}; see {source}"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn search(source: &str, q: Option<&str>) -> Vec<Choice> {
        let request = Options { source: source.into(), scope: None, q: q.map(str::to_owned) };
        match Atlas::built_in().choices(&request) {
            OptionsAnswer::Choices(choices) => choices,
            OptionsAnswer::Failed(failure) => panic!("{failure}"),
        }
    }

    #[test]
    fn every_value_is_named_once() {
        for source in [LANDMARKS, CREATURES, DECORATIONS, GIFTS] {
            let choices = search(source, None);
            let values: BTreeSet<_> = choices.iter().map(|choice| &choice.value).collect();
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
        let values = |found: Vec<Choice>| found.into_iter().map(|choice| choice.value).collect::<Vec<_>>();
        assert!(values(search(LANDMARKS, Some("YEW orch"))).contains(&"yew-orchard".to_owned()));
        assert!(values(search(CREATURES, Some("skel"))).contains(&"skeleton".to_owned()));
        assert!(search(CREATURES, Some("no such thing")).is_empty());
        let unknown = Options { source: "uo.options.items".into(), scope: None, q: None };
        assert!(matches!(Atlas::built_in().choices(&unknown), OptionsAnswer::Failed(_)));
    }
}

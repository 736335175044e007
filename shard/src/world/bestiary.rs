//! The allowlist of creatures.

/// What may be made, by its name.
const BESTIARY: &[&str] = &[
    "deer",
    "dire_wolf",
    "ettin",
    "gargoyle",
    "ghoul",
    "giant_rat",
    "giant_spider",
    "harpy",
    "headless",
    "hind",
    "lich",
    "lizardman",
    "mongbat",
    "ogre",
    "orc",
    "orc_captain",
    "rabbit",
    "ratman",
    "skeleton",
    "slime",
    "troll",
    "wisp",
    "wraith",
    "zombie",
];

/// What lives in the world by itself.
pub(super) const NATIVES: &[&str] = &["deer", "giant_rat", "headless", "hind", "mongbat", "rabbit", "skeleton", "slime"];

/// How much most creatures take before they fall.
pub(super) const fn usual_hits() -> u32 {
    60
}

/// How much one of that kind takes before it falls.
pub(super) fn hits_of(breed: &str) -> u32 {
    match breed {
        "rabbit" => 4,
        "giant_rat" | "mongbat" | "slime" => 30,
        "ettin" | "gargoyle" | "ogre" | "orc_captain" | "troll" => 120,
        "lich" | "wisp" => 200,
        _ => usual_hits(),
    }
}

/// The creature of that name as a static text, or `None` where it is not on the allowlist.
pub fn known_creature(name: &str) -> Option<&'static str> {
    BESTIARY.iter().copied().find(|known| *known == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn natives_are_on_the_allowlist() {
        assert!(NATIVES.iter().all(|name| known_creature(name).is_some()));
        assert!(BESTIARY.is_sorted());
        assert_eq!(known_creature("Orc"), None);
    }
}

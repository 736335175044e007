//! Which names are zones' names, and what was probably meant by one that is not.

use super::Zones;

/// The parts of the world whose zones are taken by their full name, e.g. `Europe/Berlin`.
const AREAS: [&str; 10] =
    ["Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"];
/// Names of the one zone that lies in no part of the world.
pub const UTC: [&str; 2] = ["UTC", "Etc/UTC"];
/// Longest name that is looked at; the longest there is has 32 characters.
const LONGEST: usize = 64;
/// Most names that are suggested.
const SUGGESTIONS: usize = 3;
/// How alike two names must be for the one to be suggested for the other; 1 is the same.
const ALIKE: f64 = 0.8;

/// Why a name is no zone, with what was probably meant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ZoneFault {
    #[error("{name:?} is not taken as a time zone: write the full name of one, such as Europe/Berlin, or UTC{}", meant(.near))]
    NotAName { name: String, near: Vec<String> },
    #[error("zone data {release} has no time zone {name:?}{}", meant(.near))]
    Unknown { name: String, release: String, near: Vec<String> },
}

fn meant(near: &[String]) -> String {
    if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(" or ")) }
}

impl ZoneFault {
    pub(super) fn of(name: &str, zones: &Zones) -> Self {
        let near = near(name, zones);
        let shown = name.chars().take(LONGEST).collect();
        if is_zone_name(name) {
            Self::Unknown { name: shown, release: zones.release().to_owned(), near }
        } else {
            Self::NotAName { name: shown, near }
        }
    }
}

/// Whether a name is spelled as zones' names are: `UTC`, `Etc/UTC`, or a part of the world and a place in it.
pub fn is_zone_name(name: &str) -> bool {
    UTC.contains(&name) || name.contains('/') && is_zone_area(name)
}

/// Whether a name is that of a part of the world, or lies in one, e.g. `America` and `America/Argentina`.
pub fn is_zone_area(name: &str) -> bool {
    let part = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-+".contains(&b));
    let mut parts = name.split('/');
    name.len() <= LONGEST && parts.next().is_some_and(|area| AREAS.contains(&area)) && parts.all(part)
}

/// The names nearest to one that was not found: the same but for letter case, the same place in whatever part of the
/// world, else those that are spelled alike.
fn near(name: &str, zones: &Zones) -> Vec<String> {
    if name.len() > LONGEST || !name.bytes().any(|b| b.is_ascii_alphabetic()) {
        return Vec::new();
    }
    let wanted = folded(name);
    let known = zones.names();
    if let Some(same) = known.iter().find(|known| folded(known) == wanted) {
        return vec![(*same).to_owned()];
    }
    let place = known.iter().filter(|known| folded(known).rsplit('/').next() == wanted.rsplit('/').next());
    let place: Vec<String> = place.take(SUGGESTIONS).map(|known| (*known).to_owned()).collect();
    if !place.is_empty() {
        return place;
    }
    let mut alike: Vec<(f64, &str)> = known.iter().map(|known| (alikeness(&wanted, &folded(known)), *known)).collect();
    alike.retain(|(alike, _)| *alike >= ALIKE);
    alike.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    alike.into_iter().take(SUGGESTIONS).map(|(_, known)| known.to_owned()).collect()
}

fn alikeness(wanted: &str, known: &str) -> f64 {
    let place = known.rsplit('/').next().unwrap_or(known);
    let part = if wanted.contains('/') { 0.0 } else { strsim::normalized_damerau_levenshtein(wanted, place) };
    strsim::normalized_damerau_levenshtein(wanted, known).max(part)
}

/// Letter case and the sign between two words do not matter.
fn folded(name: &str) -> String {
    name.to_ascii_lowercase().replace([' ', '-'], "_")
}

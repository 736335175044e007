//! Regions: named ones, ones inside others, and ones without a name, as an altar's around its spawn.

use super::{Map, Place};

/// A rectangle of a facet, from its north-western corner to its south-eastern one, both inside.
#[derive(Debug, PartialEq, Eq)]
struct Region {
    name: Option<&'static str>,
    map: Map,
    from: (i32, i32),
    to: (i32, i32),
}

const fn region(name: Option<&'static str>, map: Map, from: (i32, i32), to: (i32, i32)) -> Region {
    Region { name, map, from, to }
}

/// Every region. One inside another stands behind it.
const REGIONS: &[Region] = &[
    region(Some("Britain"), Map::Felucca, (1300, 1400), (1700, 1900)),
    region(Some("Britain Graveyard"), Map::Felucca, (1333, 1441), (1420, 1522)),
    region(None, Map::Felucca, (1360, 1470), (1400, 1510)),
    region(Some("Minoc"), Map::Felucca, (2400, 350), (2640, 640)),
    region(Some("Trinsic"), Map::Felucca, (1780, 2630), (2120, 2900)),
    region(Some("Yew"), Map::Felucca, (250, 740), (760, 1280)),
    region(Some("Yew Orchard"), Map::Felucca, (500, 950), (580, 1030)),
    region(None, Map::Felucca, (530, 980), (550, 1000)),
    region(None, Map::Felucca, (5130, 600), (5170, 640)),
    region(Some("Moonglow"), Map::Trammel, (4280, 940), (4520, 1520)),
    region(Some("Skara Brae"), Map::Trammel, (530, 2060), (900, 2320)),
    region(Some("Vesper"), Map::Trammel, (2740, 580), (3040, 1040)),
];

impl Region {
    fn holds(&self, at: Place) -> bool {
        let within = |from: i32, value: i32, to: i32| (from..=to).contains(&value);
        self.map == at.map && within(self.from.0, at.x, self.to.0) && within(self.from.1, at.y, self.to.1)
    }
}

/// The nearest region with a name that the point lies in: an unnamed one inside it is looked through. `None` in open country.
pub fn named_region(at: Place) -> Option<&'static str> {
    REGIONS.iter().rev().filter(|region| region.holds(at)).find_map(|region| region.name)
}

/// How many regions the point lies in, with and without names.
pub fn regions_around(at: Place) -> usize {
    REGIONS.iter().filter(|region| region.holds(at)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::LANDMARKS;

    fn at(map: Map, x: i32, y: i32) -> Place {
        Place { map, x, y }
    }

    #[test]
    fn the_innermost_name_counts_and_what_has_none_is_looked_through() {
        assert_eq!(named_region(at(Map::Felucca, 540, 992)), Some("Yew Orchard"));
        assert_eq!(regions_around(at(Map::Felucca, 540, 992)), 3, "an unnamed one is inside");
        assert_eq!(named_region(at(Map::Felucca, 1380, 1490)), Some("Britain Graveyard"));
        assert_eq!(named_region(at(Map::Felucca, 1434, 1699)), Some("Britain"));
        assert_eq!(named_region(at(Map::Felucca, 300, 800)), Some("Yew"));
    }

    #[test]
    fn open_country_has_none_nor_has_an_unnamed_region_in_it_nor_the_same_point_of_another_facet() {
        assert_eq!(named_region(at(Map::Felucca, 5150, 620)), None);
        assert_eq!(regions_around(at(Map::Felucca, 5150, 620)), 1);
        assert_eq!(named_region(at(Map::Trammel, 540, 992)), None);
    }

    #[test]
    fn edges_are_inside_and_one_tile_further_is_not() {
        assert_eq!(named_region(at(Map::Felucca, 250, 740)), Some("Yew"));
        assert_eq!(named_region(at(Map::Felucca, 760, 1280)), Some("Yew"));
        assert_eq!(named_region(at(Map::Felucca, 249, 740)), None);
        assert_eq!(named_region(at(Map::Felucca, 761, 1280)), None);
    }

    #[test]
    fn every_landmark_lies_in_a_region_with_a_name() {
        for landmark in LANDMARKS {
            assert!(named_region(at(landmark.map, landmark.x, landmark.y)).is_some(), "{landmark:?}");
        }
    }

    #[test]
    fn a_region_lies_on_its_map_and_behind_every_one_that_holds_it() {
        for (index, inner) in REGIONS.iter().enumerate() {
            assert!(Map::contains(inner.from.0, inner.from.1) && Map::contains(inner.to.0, inner.to.1));
            let corners = [at(inner.map, inner.from.0, inner.from.1), at(inner.map, inner.to.0, inner.to.1)];
            let around = REGIONS.iter().enumerate().filter(|(_, outer)| corners.iter().all(|corner| outer.holds(*corner)));
            assert!(around.map(|(at, _)| at).all(|outer| outer <= index), "{inner:?}");
        }
    }
}

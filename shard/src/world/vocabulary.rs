//! What may be placed as decoration, and what may be given to a character. Nothing else is.

/// One decorative object and the graphics that it comes in.
#[derive(Debug, PartialEq, Eq)]
pub struct Decoration {
    pub item: &'static str,
    pub graphics: &'static [u32],
    /// It can hold things: never placed, because its removal would take what a player left inside.
    pub container: bool,
}

const fn plain(item: &'static str, graphics: &'static [u32]) -> Decoration {
    Decoration { item, graphics, container: false }
}

const fn container(item: &'static str, graphics: &'static [u32]) -> Decoration {
    Decoration { item, graphics, container: true }
}

/// The game's own decoration, sorted by name.
const DECORATIONS: &[Decoration] = &[
    plain("banner", &[0x042A, 0x042B, 0x042C]),
    container("barrel", &[0x0E77, 0x0FAE]),
    plain("bench", &[0x0B2C, 0x0B2D]),
    plain("brazier", &[0x0E31, 0x19AA]),
    plain("campfire", &[0x0DE3]),
    plain("candelabra", &[0x0A27, 0x0A29]),
    container("chest", &[0x0E41, 0x09AB]),
    container("crate", &[0x0E3D, 0x0E3F]),
    plain("flower_wreath", &[0x0CB1]),
    plain("hay_bale", &[0x0F35, 0x0F36]),
    plain("lamp_post", &[0x0B20, 0x0B22, 0x0B24]),
    plain("pumpkin", &[0x0C6A, 0x0C6B]),
    plain("rope_barrier", &[0x14F8]),
    plain("rug", &[0x0AA9, 0x0AC0]),
    plain("sign", &[0x0BA3, 0x0BD1]),
    plain("table", &[0x0B34, 0x0B35]),
    plain("training_dummy", &[0x1070, 0x1074]),
];

/// What may be granted, sorted by name. No equipment and nothing that is spent like money.
const GIFTS: &[&str] = &["commemorative_plaque", "event_cloak", "event_token", "firework_wand", "harvest_basket", "victory_sash"];

/// The decoration of that name.
pub fn decoration(item: &str) -> Option<&'static Decoration> {
    DECORATIONS.iter().find(|known| known.item == item)
}

/// The gift of that name as a static text.
pub fn gift(item: &str) -> Option<&'static str> {
    GIFTS.iter().copied().find(|known| *known == item)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_sorted_and_has_a_look() {
        assert!(DECORATIONS.is_sorted_by_key(|known| known.item) && GIFTS.is_sorted());
        assert!(DECORATIONS.iter().all(|known| !known.graphics.is_empty()));
        assert!(decoration("chest").is_some_and(|chest| chest.container));
        assert_eq!((decoration("Banner"), gift("gold")), (None, None));
    }
}

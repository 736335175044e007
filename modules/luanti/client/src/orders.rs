//! What a player can be told to do.

use crate::object::Point;

#[derive(Debug)]
pub enum Order {
    Say(String),
    GoTo(Point),
    /// So many blows at an active object, one after another; the player stays by it meanwhile.
    Hit {
        object: u16,
        blows: u32,
    },
    Wield(u16),
    /// Fills in the form of the node there: names and values.
    FillIn {
        node: (i16, i16, i16),
        fields: Vec<(String, String)>,
    },
    Respawn,
    Leave,
}

//! What handlers work on: the world and what governs it. No socket, no file, no clock but the instant they are given.

use crate::{
    config::{Config, Rules},
    fences::Fences,
    lease::LeasePlane,
    world::World,
};

/// The game's state.
#[derive(Debug)]
pub struct Game {
    pub world: World,
    pub config: Config,
    pub rules: Rules,
    pub leases: LeasePlane,
    pub fences: Fences,
    /// Broadcasts since boot.
    pub broadcasts: u64,
    /// A handler asked for the world to be saved before its answer is given.
    pub save_asked: bool,
    /// Now, by the game's clock, in milliseconds since 1970.
    pub now_ms: i64,
}

//! What may be borrowed: keys that the game reads live, each proved by another reader than the setting itself.

use leasehold_link::wire::Reach;

/// One value that may be borrowed; whole numbers, so far.
#[derive(Debug)]
pub struct Lease {
    pub key: &'static str,
    pub min: i64,
    pub max: i64,
    pub reaches: Reach,
}

/// Every value that may be borrowed.
pub const CATALOGUE: &[Lease] = &[Lease { key: "PlayerCaps.SkillCap", min: 100, max: 1200, reaches: Reach::NewJoins }];

impl Lease {
    /// The lease of that key.
    pub fn find(key: &str) -> Option<&'static Self> {
        CATALOGUE.iter().find(|lease| lease.key == key)
    }
}

//! Chance that is the same every time.

/// A fixed sequence of numbers without a pattern (`SplitMix64`).
pub struct Chance(pub u64);

impl Chance {
    /// 0 to `most`, that itself not.
    pub fn below(&mut self, most: i64) -> i64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        i64::try_from((mixed ^ (mixed >> 31)) >> 1).unwrap() % most
    }

    /// One of these.
    pub fn of<'a, T>(&mut self, these: &'a [T]) -> &'a T {
        &these[usize::try_from(self.below(i64::try_from(these.len()).unwrap())).unwrap()]
    }

    /// One time in `many`.
    pub fn one_in(&mut self, many: i64) -> bool {
        self.below(many) == 0
    }
}

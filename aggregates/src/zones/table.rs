//! One zone as a table: from which second on which offset is in force.

/// First second that tables know changes of: 1960-01-01. What was in force there holds for all time before.
pub const FIRST_SECOND: i64 = -315_619_200;
/// Last second that tables know changes of: 2100-02-01. What is in force there holds for all time after.
pub const LAST_SECOND: i64 = 4_105_123_200;

/// Seconds in 26 hours: no offset from UTC is that large.
const REACH: i64 = 26 * 3_600;

/// From this second of UTC on, this many seconds are added to it on the wall.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    pub from: i64,
    pub offset: i64,
}

/// Never empty; ascending, and no two neighbours with one offset.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Table(Vec<Step>);

impl Table {
    pub fn utc() -> Self {
        Self::of(0, [])
    }

    /// Offset `first` before all `changes`, which ascend; those that change nothing are left out.
    pub fn of(first: i64, changes: impl IntoIterator<Item = Step>) -> Self {
        let mut steps = vec![Step { from: i64::MIN, offset: first }];
        for change in changes {
            if steps.last().is_some_and(|last| last.offset != change.offset && last.from < change.from) {
                steps.push(change);
            }
        }
        Self(steps)
    }

    pub fn steps(&self) -> &[Step] {
        &self.0
    }

    pub fn offset(&self, second: i64) -> i64 {
        self.0[self.index(second)].offset
    }

    /// The first second at which the wall shows `local` or a later time; all in seconds.
    pub fn first_at_or_past(&self, local: i64) -> i64 {
        // Nothing that far back can show it already.
        let mut index = self.index(local - REACH);
        loop {
            let step = self.0[index];
            let reached = step.from.max(local - step.offset);
            match self.0.get(index + 1) {
                Some(next) if next.from <= reached => index += 1,
                _ => return reached,
            }
        }
    }

    /// Whether the wall shows `local` at any second after `first`.
    pub fn shows_again(&self, local: i64, first: i64) -> bool {
        let here = self.index(first) + 1;
        let ends = self.0.iter().skip(here + 1).map(|next| next.from).chain([i64::MAX]);
        let later = self.0[here..].iter().zip(ends);
        later
            .take_while(|(step, _)| step.from <= local + REACH)
            .any(|(step, end)| (step.from..end).contains(&(local - step.offset)))
    }

    /// Index of the step in force.
    fn index(&self, second: i64) -> usize {
        self.0.partition_point(|step| step.from <= second).saturating_sub(1)
    }
}

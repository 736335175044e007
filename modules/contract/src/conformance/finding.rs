//! What is owed, and what was found.

use std::fmt;

/// What a module owes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Obligation {
    /// Its manifest has no fault.
    DeclaresSoundly,
    /// Each budget is longer than the module's own wait.
    OutlastsItself,
    /// A dry run takes what the action would take, and changes nothing.
    VerifiesWithoutChange,
    /// What it does not declare, and what does not fit what it declares, is a failure: dry or not.
    RefusesTheUndeclared,
    /// A key acts once: its repeat changes nothing and tells the same, marked as replayed.
    PerformsOnce,
    /// An undo takes away what was made, and says so of each.
    TakesBack,
    /// An undo of what was undone is a success that changes nothing, under the same key and under another.
    TakesBackTwice,
    /// An undo of what never was is a success that changes nothing.
    TakesBackNothing,
    /// An undo that knows no more than the key takes away what the key has made.
    TakesBackByKey,
    /// No failure reads as success, and what may have happened is called unknown.
    FailsLoudly,
    /// After whatever failed, the same key acts at most once, and an undo leaves nothing.
    RecoversWhole,
    /// Once a run is closed nothing of it takes effect, undos excepted.
    StaysClosed,
    /// Borrowing answers with the value that was there, and sets the one that was asked for.
    LendsWithBaseline,
    /// A borrowed value does something that another reader sees.
    LendsWithEffect,
    /// A repeat of a borrowing is answered with the first baseline.
    LendsOnce,
    /// What is out of bounds, or held too long, or held by another run is refused.
    LendsWithinBounds,
    /// Giving back puts the baseline back; again it is a success that writes nothing.
    GivesBack,
    /// A value that somebody moved is left as it is, and told.
    LeavesDrift,
    /// It says that a value is held while it is; and no only where nothing of it is in force any more, also after a restart.
    KnowsWhatIsHeld,
    /// What is there is never told to be gone, and looking changes nothing.
    LooksHonestly,
    /// An option source answers with choices or a failure, and searches where it says so.
    OffersChoices,
}

impl Obligation {
    /// Every one, in the order in which they are tried.
    pub const ALL: [Self; 21] = [
        Self::DeclaresSoundly,
        Self::OutlastsItself,
        Self::VerifiesWithoutChange,
        Self::RefusesTheUndeclared,
        Self::PerformsOnce,
        Self::TakesBack,
        Self::TakesBackTwice,
        Self::TakesBackNothing,
        Self::TakesBackByKey,
        Self::FailsLoudly,
        Self::RecoversWhole,
        Self::StaysClosed,
        Self::LendsWithBaseline,
        Self::LendsWithEffect,
        Self::LendsOnce,
        Self::LendsWithinBounds,
        Self::GivesBack,
        Self::LeavesDrift,
        Self::KnowsWhatIsHeld,
        Self::LooksHonestly,
        Self::OffersChoices,
    ];
}

/// One thing that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub obligation: Obligation,
    /// The declaration that was tried.
    pub entry: String,
    pub told: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}: {}", self.obligation, self.entry, self.told)
    }
}

//! Who may be told: seven audiences, ordered by which holds which.

use serde::{Deserialize, Serialize};

/// An audience, or the most that something may reach.
///
/// `everyone` holds `authenticated`; that holds `subscribers`, `participants`, `owner` and `staff`, none of which holds another;
/// `staff` holds `admin`. Two that hold no third together have no meeting: what would have to reach both reaches nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    /// Whoever looks, with an account or without one.
    Everyone,
    /// Whoever has an account.
    Authenticated,
    /// Those who have asked to be told.
    Subscribers,
    /// Those who take part.
    Participants,
    /// The one whom it is about.
    Owner,
    /// Whoever works here.
    Staff,
    /// Those of the staff who may do everything.
    Admin,
}

impl Audience {
    pub const ALL: [Self; 7] =
        [Self::Everyone, Self::Authenticated, Self::Subscribers, Self::Participants, Self::Owner, Self::Staff, Self::Admin];

    /// Whether everybody of `other` is one of these.
    pub fn holds(self, other: Self) -> bool {
        match self {
            _ if self == other => true,
            Self::Everyone => true,
            Self::Authenticated => other != Self::Everyone,
            Self::Staff => other == Self::Admin,
            Self::Subscribers | Self::Participants | Self::Owner | Self::Admin => false,
        }
    }

    /// The widest audience that both hold; none where they hold none together, which refuses.
    pub fn meet(self, other: Self) -> Option<Self> {
        if self.holds(other) {
            Some(other)
        } else if other.holds(self) {
            Some(self)
        } else {
            None
        }
    }

    /// As it is spelled everywhere.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Everyone => "everyone",
            Self::Authenticated => "authenticated",
            Self::Subscribers => "subscribers",
            Self::Participants => "participants",
            Self::Owner => "owner",
            Self::Staff => "staff",
            Self::Admin => "admin",
        }
    }
}

impl std::fmt::Display for Audience {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_one_and_every_meeting_is_the_widest_that_both_hold() {
        for a in Audience::ALL {
            assert_eq!(a.meet(a), Some(a));
            for b in Audience::ALL {
                assert_eq!(a.meet(b), b.meet(a), "{a} and {b}");
                assert!(a == b || !(a.holds(b) && b.holds(a)), "{a} and {b}");
                let common: Vec<Audience> = Audience::ALL.into_iter().filter(|c| a.holds(*c) && b.holds(*c)).collect();
                match a.meet(b) {
                    None => assert!(common.is_empty(), "{a} and {b}"),
                    Some(met) => assert!(common.contains(&met) && common.iter().all(|c| met.holds(*c)), "{a} and {b}"),
                }
                for c in Audience::ALL {
                    assert!(!(a.holds(b) && b.holds(c)) || a.holds(c), "{a}, {b}, {c}");
                }
            }
        }
    }

    #[test]
    fn a_rehearsal_narrows_and_what_cannot_be_narrowed_is_refused() {
        let told = Audience::ALL.map(|audience| audience.meet(Audience::Staff));
        let staff = Some(Audience::Staff);
        assert_eq!(told, [staff, staff, None, None, None, staff, Some(Audience::Admin)]);
    }
}

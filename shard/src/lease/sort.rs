//! Values as text, judged and compared as what they say.

use crate::{
    config::{Decimal, whole},
    world::Status,
};
use leasehold_link::wire::{ErrorName, Refusal};

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A whole number in that range, both ends in it.
    Int {
        min: i64,
        max: i64,
    },
    Bool,
    /// A word of [`Status`].
    Status,
}

impl Sort {
    /// The word on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Int { .. } => "int",
            Self::Bool => "bool",
            Self::Status => "choice",
        }
    }

    /// The words there are to choose from, of a choice.
    pub fn choices(self) -> Vec<String> {
        let words = Status::ALL.map(|status| status.name().to_owned());
        if self == Self::Status { words.into() } else { Vec::new() }
    }

    /// The one text of a value, however it is written; `None` where it is no value of the sort. Ranges are not looked at.
    pub fn canonical(self, text: &str) -> Option<String> {
        match self {
            Self::Int { .. } => whole(text).map(|number| number.to_string()),
            Self::Bool => ["true", "false"].into_iter().find(|word| word.eq_ignore_ascii_case(text)).map(str::to_owned),
            Self::Status => {
                let found = Status::ALL.into_iter().find(|status| status.name().eq_ignore_ascii_case(text));
                found.map(|status| status.name().to_owned())
            }
        }
    }

    /// Whether two texts are one value.
    pub fn same(self, left: &str, right: &str) -> bool {
        self.canonical(left).is_some_and(|value| Some(value) == self.canonical(right))
    }

    /// The one text of a value that may be applied.
    pub fn judge(self, key: &str, text: &str) -> Result<String, Refusal> {
        let value = self.canonical(text).ok_or_else(|| self.no_value(key, text))?;
        if let (Self::Int { min, max }, Some(number)) = (self, whole(text))
            && !(Decimal::from(min)..=Decimal::from(max)).contains(&number)
        {
            let reason = format!("{key} takes {min} to {max}, not {number}");
            let refusal = Refusal::new(ErrorName::OutOfRange, reason);
            return Err(refusal.with("min", min.to_string()).with("max", max.to_string()));
        }
        Ok(value)
    }

    /// The refusal of a text that is no value of it.
    pub fn no_value(self, key: &str, text: &str) -> Refusal {
        let shown: String = text.chars().take(80).collect();
        let wanted = match self {
            Self::Int { .. } => "a whole number".to_owned(),
            Self::Bool => "true or false".to_owned(),
            Self::Status => format!("one of {}", self.choices().join(", ")),
        };
        Refusal::new(ErrorName::BadValue, format!("{key} takes {wanted}, not `{shown}`"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_compared_and_not_their_spelling() {
        let int = Sort::Int { min: 0, max: 10 };
        assert!(int.same("5", "5.0") && !int.same("5", "6") && !int.same("x", "x"));
        assert!(Sort::Bool.same("True", "true") && !Sort::Bool.same("1", "true"));
        assert!(Sort::Status.same("active", "Active") && !Sort::Status.same("Active", "Seasonal"));
        assert_eq!(int.judge("k", "10.0").unwrap(), "10");
        assert_eq!(int.judge("k", "11").unwrap_err().error, ErrorName::OutOfRange);
        assert_eq!(Sort::Bool.judge("k", "yes").unwrap_err().error, ErrorName::BadValue);
    }
}

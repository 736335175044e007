//! The twelve comparisons: what each is called, and which types it takes.

use leasehold_module::ParamType;
use serde::{Deserialize, Serialize};

/// A closed set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, strum::EnumIter, strum::IntoStaticStr, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Comparison {
    Eq,
    Ne,
    Gt,
    Gte,
    Lt,
    Lte,
    In,
    NotIn,
    Contains,
    StartsWith,
    Present,
    Absent,
}

/// What a comparison wants beside its variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Operand {
    Value,
    List,
    Nothing,
}

impl Comparison {
    /// The word between variable and value: the same in forms, in gates and in diagnosis.
    pub fn label(self) -> &'static str {
        match self {
            Self::Eq => "is",
            Self::Ne => "is not",
            Self::Gt => "is more than",
            Self::Gte => "is at least",
            Self::Lt => "is less than",
            Self::Lte => "is at most",
            Self::In => "is one of",
            Self::NotIn => "is none of",
            Self::Contains => "contains",
            Self::StartsWith => "starts with",
            Self::Present => "is present",
            Self::Absent => "is absent",
        }
    }

    pub fn operand(self) -> Operand {
        match self {
            Self::Present | Self::Absent => Operand::Nothing,
            Self::In | Self::NotIn => Operand::List,
            _ => Operand::Value,
        }
    }

    /// Whether a variable of this type may be compared so: order is for what has one, parts are for text.
    pub fn takes(self, value_type: ParamType) -> bool {
        match self {
            Self::Gt | Self::Gte | Self::Lt | Self::Lte => !matches!(value_type, ParamType::String | ParamType::Bool),
            Self::Contains | Self::StartsWith => value_type == ParamType::String,
            _ => true,
        }
    }
}

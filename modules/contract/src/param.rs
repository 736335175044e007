//! Typed parameters of an action.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::value::{canonical, compare, kind_of};

/// The closed set of types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ParamType {
    String,
    /// A whole number that a 64-bit signed integer holds.
    Int,
    /// A decimal number of at most 28 digits.
    Float,
    Bool,
    /// RFC 3339 text.
    Instant,
    /// Text such as `30m`: one whole number and one of `s m h d`.
    Duration,
}

impl ParamType {
    pub const ALL: [Self; 6] = [Self::String, Self::Int, Self::Float, Self::Bool, Self::Instant, Self::Duration];

    pub fn with_article(self) -> &'static str {
        match self {
            Self::String => "text",
            Self::Int => "a whole number",
            Self::Float => "a number",
            Self::Bool => "true or false",
            Self::Instant => "an instant such as 2027-03-28T18:00:00Z",
            Self::Duration => "a duration such as 30m",
        }
    }
}

/// One parameter. The example is required of every parameter: it is the form's placeholder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Param {
    pub name: String,
    #[serde(rename = "type")]
    pub value_type: ParamType,
    pub required: bool,
    pub example: Value,
    /// An option source that lists choices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Inclusive bounds of a number, as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<String>,
    /// Most characters of a text; 4,000 where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u32>,
    /// A text that stands for a value whose type is known elsewhere: a bare number or boolean will do as well.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub any_scalar: bool,
}

/// One fault of one parameter: a stable code and a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParamFault {
    pub param: String,
    pub code: &'static str,
    pub detail: String,
}

impl Param {
    /// Checks type, range and length.
    pub fn check(&self, value: &Value) -> Result<(), ParamFault> {
        let fault = |code, detail| ParamFault { param: self.name.clone(), code, detail };
        let fits = match self.value_type {
            ParamType::Int => value.is_i64() || value.is_u64(),
            ParamType::Float => value.is_number() || value.is_string(),
            ParamType::Bool => value.is_boolean(),
            ParamType::String if self.any_scalar => value.is_string() || value.is_number() || value.is_boolean(),
            ParamType::String | ParamType::Instant | ParamType::Duration => value.is_string(),
        };
        if !fits {
            let detail = format!("{} must be {}, not {}", self.name, self.value_type.with_article(), kind_of(value));
            return Err(fault("wrong_type", detail));
        }
        let text = match (self.value_type, value) {
            (ParamType::String, Value::String(text)) => text.clone(),
            (ParamType::String, scalar) => scalar.to_string(),
            _ => canonical(self.value_type, value).map_err(|e| fault("wrong_value", format!("{} {}", self.name, e.0)))?,
        };
        if self.value_type == ParamType::String {
            let most = self.max_length.unwrap_or(4_000) as usize;
            let length = text.chars().count();
            if length == 0 || length > most {
                return Err(fault("wrong_length", format!("{} must have 1 to {most} characters, not {length}", self.name)));
            }
        }
        self.check_range(&text).map_err(|detail| fault("out_of_range", detail))
    }

    fn check_range(&self, text: &str) -> Result<(), String> {
        let below = self.min.as_deref().is_some_and(|min| compare(self.value_type, text, min) == Some(Ordering::Less));
        let above = self.max.as_deref().is_some_and(|max| compare(self.value_type, text, max) == Some(Ordering::Greater));
        if below || above {
            let bound = |b: &Option<String>| b.clone().unwrap_or_else(|| "any".into());
            return Err(format!("{} must be {} to {}, not {text}", self.name, bound(&self.min), bound(&self.max)));
        }
        Ok(())
    }
}

/// Every fault of `values` against the declarations: missing, unknown, mistyped, out of range.
pub fn check_params(params: &[Param], values: &Map<String, Value>) -> Vec<ParamFault> {
    let mut faults = Vec::new();
    for param in params {
        match values.get(&param.name) {
            None if param.required => faults.push(ParamFault {
                param: param.name.clone(),
                code: "required",
                detail: format!("{} is required", param.name),
            }),
            None => {}
            Some(value) => faults.extend(param.check(value).err()),
        }
    }
    for name in values.keys().filter(|name| !params.iter().any(|p| &p.name == *name)) {
        let detail = format!("this action has no parameter {name}");
        faults.push(ParamFault { param: name.clone(), code: "unknown_field", detail });
    }
    faults
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn count() -> Param {
        Param {
            name: "count".into(),
            value_type: ParamType::Int,
            required: true,
            example: json!(12),
            source: None,
            min: Some("1".into()),
            max: Some("30".into()),
            max_length: None,
            any_scalar: false,
        }
    }

    #[test]
    fn type_and_range_are_told_apart() {
        assert_eq!(count().check(&json!(30)), Ok(()));
        assert_eq!(count().check(&json!(31)).unwrap_err().code, "out_of_range");
        assert_eq!(count().check(&json!("12")).unwrap_err().code, "wrong_type");
        assert_eq!(count().check(&json!(1.5)).unwrap_err().code, "wrong_type");
        assert_eq!(count().check(&json!(null)).unwrap_err().code, "wrong_type");
    }

    #[test]
    fn a_value_of_unknown_type_may_be_written_bare() {
        let bare = Param { value_type: ParamType::String, any_scalar: true, min: None, max: None, ..count() };
        for fine in [json!("1200"), json!(1200), json!(1.5), json!(true)] {
            assert_eq!(bare.check(&fine), Ok(()), "{fine}");
        }
        for wrong in [json!(null), json!([1]), json!({"of": 1})] {
            assert_eq!(bare.check(&wrong).unwrap_err().code, "wrong_type", "{wrong}");
        }
        let text_only = Param { any_scalar: false, ..bare };
        assert_eq!(text_only.check(&json!(1200)).unwrap_err().code, "wrong_type");
    }

    #[test]
    fn missing_and_unknown_are_both_told() {
        let faults = check_params(&[count()], json!({"cuont": 3}).as_object().unwrap());
        let codes: Vec<_> = faults.iter().map(|f| (f.param.as_str(), f.code)).collect();
        assert_eq!(codes, [("count", "required"), ("cuont", "unknown_field")]);
    }
}

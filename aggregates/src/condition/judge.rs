//! Judging a condition on the variables of one signal.
//!
//! A variable that a signal does not carry satisfies `absent` and nothing else: what is not there is not compared.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use leasehold_module::{ParamType, canonical, compare as order};
use serde_json::{Map, Value};

use super::words::spelled;
use super::{And, Compare, Comparison, Condition, Not, Or};

/// The types of the variables that a condition names, as their trigger declared them.
pub type Types = BTreeMap<String, ParamType>;

impl Condition {
    /// Nothing where it holds of these variables; else why it does not, in words.
    pub fn judge(&self, vars: &Map<String, Value>, types: &Types) -> Result<(), String> {
        match self {
            Self::And(And { and }) => and.iter().try_for_each(|one| one.judge(vars, types)),
            Self::Or(Or { or }) => {
                let mut said = Vec::new();
                for one in or {
                    match one.judge(vars, types) {
                        Ok(()) => return Ok(()),
                        Err(why) if said.contains(&why) => {}
                        Err(why) => said.push(why),
                    }
                }
                Err(said.join(" and "))
            }
            Self::Not(Not { not }) => match not.judge(vars, types) {
                Ok(()) => Err(not.words()),
                Err(_) => Ok(()),
            },
            Self::Compare(compare) => compare.judge(vars, types),
        }
    }
}

impl Compare {
    fn judge(&self, vars: &Map<String, Value>, types: &Types) -> Result<(), String> {
        let found = vars.get(&self.var).filter(|value| !value.is_null());
        let holds = match (found, self.cmp) {
            (None, cmp) => cmp == Comparison::Absent,
            (Some(_), Comparison::Present) => true,
            (Some(_), Comparison::Absent) => false,
            (Some(found), _) => self.compares(found, types.get(&self.var).copied().unwrap_or(ParamType::String)),
        };
        if holds {
            return Ok(());
        }
        Err(found.map_or_else(|| format!("{} is absent", self.var), |found| format!("{} is {}", self.var, spelled(found))))
    }

    fn compares(&self, found: &Value, value_type: ParamType) -> bool {
        let value = self.value.as_ref().unwrap_or(&Value::Null);
        let against = |other: &Value| -> Option<Ordering> {
            order(value_type, &canonical(value_type, found).ok()?, &canonical(value_type, other).ok()?)
        };
        let among = || value.as_array().is_some_and(|list| list.iter().any(|one| against(one) == Some(Ordering::Equal)));
        let texts = || Some((found.as_str()?, value.as_str()?));
        match self.cmp {
            Comparison::Eq => against(value) == Some(Ordering::Equal),
            Comparison::Ne => against(value).is_some_and(Ordering::is_ne),
            Comparison::Gt => against(value).is_some_and(Ordering::is_gt),
            Comparison::Gte => against(value).is_some_and(Ordering::is_ge),
            Comparison::Lt => against(value).is_some_and(Ordering::is_lt),
            Comparison::Lte => against(value).is_some_and(Ordering::is_le),
            Comparison::In => among(),
            Comparison::NotIn => !among(),
            Comparison::Contains => texts().is_some_and(|(found, part)| found.contains(part)),
            Comparison::StartsWith => texts().is_some_and(|(found, start)| found.starts_with(start)),
            Comparison::Present | Comparison::Absent => false,
        }
    }
}

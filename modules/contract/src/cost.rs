//! What one invocation consumes, as data: instant to price and open to inspection.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// `dimension += product of factors`, if `when` holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct CostTerm {
    pub dimension: String,
    pub factors: Vec<Factor>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<When>,
}

/// One factor of a cost: a number, or the value of an `int` parameter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Factor {
    Constant(u64),
    Param(String),
}

/// The term counts only where the parameter has this value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct When {
    pub param: String,
    pub equals: Value,
}

/// Why a step cannot be priced. A cost that cannot be worked out is refused, never free.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PriceFault {
    #[error("the cost in {dimension} depends on {param}, which has no whole number of 0 or more")]
    NotANumber { dimension: String, param: String },
    #[error("the cost in {dimension} is larger than a 64-bit number holds")]
    TooLarge { dimension: String },
}

/// Works out what one invocation with `params` consumes, by dimension; dimensions that come to 0 are left out.
///
/// A term whose parameter is absent counts as 0 only where its `when` excludes it; otherwise it is unpriceable.
pub fn price(cost: &[CostTerm], params: &Map<String, Value>) -> Result<BTreeMap<String, u64>, PriceFault> {
    let mut total = BTreeMap::new();
    for term in cost {
        if let Some(when) = &term.when
            && params.get(&when.param) != Some(&when.equals)
        {
            continue;
        }
        let mut amount: u64 = 1;
        for factor in &term.factors {
            let value = match factor {
                Factor::Constant(value) => *value,
                Factor::Param(name) => params
                    .get(name)
                    .and_then(Value::as_u64)
                    .ok_or_else(|| PriceFault::NotANumber { dimension: term.dimension.clone(), param: name.clone() })?,
            };
            amount = amount.checked_mul(value).ok_or_else(|| too_large(term))?;
        }
        let sum: &mut u64 = total.entry(term.dimension.clone()).or_insert(0);
        *sum = sum.checked_add(amount).ok_or_else(|| too_large(term))?;
    }
    total.retain(|_, amount| *amount > 0);
    Ok(total)
}

fn too_large(term: &CostTerm) -> PriceFault {
    PriceFault::TooLarge { dimension: term.dimension.clone() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn term(dimension: &str, factors: Vec<Factor>) -> CostTerm {
        CostTerm { dimension: dimension.into(), factors, when: None }
    }

    fn params(value: &Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap()
    }

    #[test]
    fn products_of_constants_and_parameters() {
        let cost = [term("demo.lamps", vec![Factor::Param("count".into()), Factor::Constant(2)])];
        let priced = price(&cost, &params(&json!({"count": 12}))).unwrap();
        assert_eq!(priced["demo.lamps"], 24);
    }

    #[test]
    fn two_terms_of_one_dimension_add_up() {
        let cost = [term("demo.lamps", vec![Factor::Constant(3)]), term("demo.lamps", vec![Factor::Param("count".into())])];
        assert_eq!(price(&cost, &params(&json!({"count": 4}))).unwrap()["demo.lamps"], 7);
    }

    #[test]
    fn a_condition_that_does_not_hold_costs_nothing() {
        let mut bright = term("demo.bright", vec![Factor::Constant(1)]);
        bright.when = Some(When { param: "bright".into(), equals: json!(true) });
        assert!(price(&[bright.clone()], &params(&json!({"bright": false}))).unwrap().is_empty());
        assert_eq!(price(&[bright], &params(&json!({"bright": true}))).unwrap()["demo.bright"], 1);
    }

    #[test]
    fn unpriceable_is_a_fault_and_never_free() {
        let cost = [term("demo.lamps", vec![Factor::Param("count".into())])];
        for wrong in [json!({}), json!({"count": "12"}), json!({"count": -1}), json!({"count": 1.5})] {
            assert!(price(&cost, &params(&wrong)).is_err(), "{wrong}");
        }
        let huge = [term("demo.lamps", vec![Factor::Param("count".into()), Factor::Constant(u64::MAX)])];
        assert!(matches!(price(&huge, &params(&json!({"count": 2}))), Err(PriceFault::TooLarge { .. })));
    }
}

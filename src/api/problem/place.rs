//! Problems of places in the log that a query has named.

use std::error::Error;

use leasehold_aggregates::body::Fault as BodyFault;
use leasehold_aggregates::decide::Refusal;

use super::Problem;
use super::choose::of_refusal;
use crate::engine::Fault;
use crate::engine::stories::NotThere;

impl Problem {
    /// A fault met while a place in the log was looked up; a refusal is told of the parameter that named the place.
    pub fn of_place(fault: Fault, parameter: &str) -> Self {
        let Fault::Refused(refusal) = &fault else { return fault.into() };
        let source: &(dyn Error + 'static) = &**refusal;
        let Some(not_there) = source.downcast_ref::<NotThere>() else { return fault.into() };
        let mut problem = of_refusal(not_there);
        problem.0.errors = vec![BodyFault::new(format!("?{parameter}"), not_there.code(), not_there.to_string())];
        match not_there {
            NotThere::BeyondHead { head, .. } | NotThere::InFuture { head, .. } => problem.with("head", *head),
            NotThere::NotYet { first, .. } => problem.with("first", first.position),
            NotThere::Backwards { .. } => problem,
        }
    }
}

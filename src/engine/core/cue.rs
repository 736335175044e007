//! `core.cue`: ask a person to do something in the world, and park until somebody confirms that it is done.

use leasehold_module::{Perform, Performed, Success, Then};

pub const ID: &str = "core.cue";

/// The instruction is in the plan and in the step's summary, so the answer repeats nothing.
pub fn perform(_request: &Perform) -> Performed {
    Performed::Done(Success { then: Then::AwaitHuman, ..Success::default() })
}

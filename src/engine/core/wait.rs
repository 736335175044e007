//! `core.wait`: finish at once and hold what follows. A pause that slept would hold its claim for as long as it lasts.

use leasehold_aggregates::run::WAIT_ACTION;
use leasehold_module::{Failure, Perform, Performed, Success, Then, parse_duration};

use super::text;

pub const ID: &str = WAIT_ACTION;

pub fn perform(request: &Perform) -> Performed {
    match parse_duration(text(request, "for")) {
        Some(seconds) => Performed::Done(Success { then: Then::HoldFor(seconds), ..Success::default() }),
        None => Performed::Failed(Failure::refused("wrong_params", "for must be a duration such as 30m")),
    }
}

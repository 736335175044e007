//! `core.announce`: say something on one leg. Nothing leaves the engine: the words are kept with the step's settlement.

use leasehold_module::{Choice, Failure, Perform, Performed, Success};

use super::text;

pub const ID: &str = "core.announce";
pub const LEGS: &str = "core.options.legs";

/// The ways an announcement can go: value and label.
pub fn legs() -> Vec<Choice> {
    vec![Choice::new("log", "The run's own log")]
}

/// Refuses a leg that does not exist, at a dry run as well; otherwise answers with the words to keep.
pub fn perform(request: &Perform) -> Performed {
    let leg = text(request, "leg");
    let known = legs();
    if !known.iter().any(|choice| choice.value == leg) {
        let choices: Vec<_> = known.into_iter().map(|choice| choice.value).collect();
        let reason = format!("there is no leg {leg:?} to announce on; there is: {}", choices.join(", "));
        return Performed::Failed(Failure::refused("unknown_leg", reason));
    }
    let words = (!request.verify).then(|| text(request, "text").to_owned());
    Performed::Done(Success { words, ..Success::default() })
}

//! What the engine and its modules share: the ground floor.
//!
//! A module *declares* ([`Manifest`]) and *acts* ([`Module`]); the engine decides whether, when, how often and within
//! what cap. Nothing in this crate names a thing in any game.

mod audience;
mod bounds;
#[cfg(feature = "conformance")]
pub mod conformance;
mod cost;
pub mod demo;
mod envelope;
mod faults;
mod feed;
mod lease;
mod manifest;
mod mark;
mod module;
mod offers;
mod options;
mod param;
mod reading;
mod reconcile;
mod summary;
mod trace;
mod value;

pub use audience::Audience;
pub use bounds::Outside;
pub use cost::{CostTerm, Factor, PriceFault, When, price};
pub use envelope::{
    Failure, Participant, Perform, Performed, Resource, Revert, RevertTarget, Reverted, Success, Then, Undone, UndoneOutcome,
};
pub use feed::{FeedAnswer, FeedAsk, FeedPlace, FeedRead, Fired};
pub use lease::{InForce, LeaseApplied, LeaseApply, LeaseQuery, LeaseRead, LeaseRestore, LeaseRestored, is_object, lease_parts};
pub use manifest::{
    Action, Budget, Lease, LeaseObject, Manifest, ManifestFault, OptionSource, Promise, Reaches, Reversible, Risk, Trigger,
    TriggerField,
};
pub use mark::{LastSeen, Mark};
pub use module::{Answering, CloseRun, Closed, Link, Module, Reach};
pub use offers::{Offered, Offers};
pub use options::{Choice, Options, OptionsAnswer};
pub use param::{Param, ParamFault, ParamType, check_params};
pub use reconcile::{Reconcile, Reconciled, Seen, Standing};
pub use summary::render as render_summary;
pub use trace::{Traced, traceparent};
pub use value::{Amount, ValueFault, canonical, compare, parse_duration, same_value, score, spell_duration};

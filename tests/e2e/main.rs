//! Events from end to end, over the real programs and a real PostgreSQL, with every fault that a night may bring. The
//! game's audit trail is the oracle: what the world says happened, not what the engine says.

#![allow(clippy::unwrap_used, reason = "a test that finds what it did not expect ends there")]

#[path = "../support/bad_wire.rs"]
mod bad_wire;
#[path = "../../modules/linked/tests/lanterns/mod.rs"]
mod lanterns;
#[path = "../support/mod.rs"]
mod support;
#[path = "../support/world/mod.rs"]
mod world;

mod append_killed;
mod away;
mod caps;
mod cleanup;
mod controls_killed;
mod deadline;
mod dialled;
mod dials;
mod drift;
mod endings;
mod ends;
mod engine_killed;
mod engines;
mod firing_killed;
mod fortnight;
mod game_crashed;
mod hundred;
mod keyed;
mod late_answers;
mod late_sends;
mod life;
mod linked;
mod lost_answers;
mod luanti;
mod notes;
mod outages;
mod overtaken;
mod people;
mod reached;
mod reconciled;
mod recurring;
mod recurring_reports;
mod recurring_year;
mod refused;
mod restored;
mod results;
mod rewound;
mod schedule;
mod sessions;
mod signals;
mod slots;
mod starts;
mod stopped;
mod storm;
mod traces;
mod twenty;
mod unheard;
mod versions;
mod whole;
mod wires;

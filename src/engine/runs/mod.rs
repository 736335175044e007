//! Runs, from due to clean: what is read for a decision, how it is committed, and what is then done in the world.
//!
//! A decision is pure and lives with the aggregate. Here it is fed ([`reading`]), written with all that it means beside
//! its stream ([`commit`]), and carried out ([`dispatch`], [`undo`]). [`due`] takes up what was staged.

mod carry;
mod closings;
mod commit;
pub mod controls;
mod dispatch;
mod dry_run;
mod due;
mod listening;
mod participants;
pub mod people;
pub mod planning;
mod publish;
mod reading;
mod undo;
mod words;
mod writes;

use leasehold_aggregates::run::RunEvent;

pub(in crate::engine) use closings::Closings;
pub(in crate::engine) use commit::Tried;
pub use commit::{Committed, Extras, SLOT_RELEASED};
pub use controls::StartRequest;
pub use dry_run::{DryRun, Finding, Spending};
pub use reading::Reading;
pub(in crate::engine) use reading::{action_facts, budget_of, held_by_others, lease_facts, standing_of, targets};

use tracing::field::Empty;
use tracing::{Instrument, Span};

use super::Engine;

fn dispatch_span(committed: &Committed, step: &str) -> Span {
    let attempt = committed.run.step(step).map(|state| state.attempts);
    let action = committed.run.planned(step).map(|planned| planned.action.as_str());
    tracing::debug_span!("dispatch", otel.kind = "client", run = committed.run_id, step, action, attempt, outcome = Empty)
}

impl Engine {
    /// Takes up what a commit has begun: every claim is dispatched, every undo sent. In the background; whoever asked
    /// for the commit does not wait.
    pub(crate) fn carry_out(&self, committed: &Committed) {
        for (offset, event) in committed.events.iter().enumerate() {
            let sequence = committed.first_sequence + offset as u64;
            match event {
                RunEvent::StepClaimed { step, .. } => {
                    let dispatch = dispatch::dispatch(self.clone(), committed.clone(), step.clone(), sequence);
                    self.tasks.spawn(dispatch.instrument(dispatch_span(committed, step)));
                }
                RunEvent::UndoBegun { step, .. } => {
                    let span = tracing::debug_span!("undo", otel.kind = "client", run = committed.run_id, step, outcome = Empty);
                    self.tasks.spawn(undo::undo(self.clone(), committed.clone(), sequence).instrument(span));
                }
                _ => {}
            }
        }
    }
}

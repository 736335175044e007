//! Which signals a run listens for: all that its gates need, from the append that starts it to the one that ends it. A signal
//! that comes between a phase's entry and anything else finds the subscription there.

use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::run::{Run, RunEvent};
use serde_json::json;

use crate::engine::mint;
use crate::log::{Append, Listener, StreamId};

/// Adds the subscriptions of a run that starts, and ends those of one that ends.
pub(super) fn at_gates(append: &mut Append, stream: &StreamId, before: &Run, events: &[RunEvent]) {
    let mut after = before.clone();
    for event in events {
        after.apply(event.clone());
    }
    if after.signal_gates().next().is_none() {
        return;
    }
    let over = after.status.terminal();
    if over && before.started_at.is_some() {
        append.unlisten.push(stream.clone());
    }
    let Some(scheduled) = after.scheduled.as_ref().filter(|_| !over && before.started_at.is_none()) else { return };
    if after.started_at.is_none() {
        return;
    }
    append.listen.extend(after.signal_gates().map(|(phase, gate)| Listener {
        id: mint::command_of(&format!("{stream} waits in {}", phase.key)),
        stream: stream.clone(),
        event_type: gate.trigger.clone(),
        scope: Some(scheduled.scope.clone()),
        filter: json!({ "phase": phase.key, "where": gate.condition }),
        after_position: 0,
    }));
}

//! What lay around a run at a position: the switches of its actions, the targets that it may take, and what
//! held for the deployment.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use leasehold_aggregates::allowance::{Allowance, DayMeter, allowance_id};
use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::definition::Definition;
use leasehold_aggregates::deployment::{DEPLOYMENT, Deployment};
use leasehold_aggregates::ledger::Entry;
use leasehold_aggregates::run::{Facts, Run, RunRefusal, RunStatus, Standing};
use leasehold_aggregates::switchboard::Switchboard;
use leasehold_aggregates::target::Target;
use leasehold_projections::run_view::{self, DimensionWords, Notes, RunView, Surroundings};
use leasehold_projections::{Placed, SeenEvent};

use super::{Stories, placed};
use crate::engine::Fault;
use crate::engine::allowances::counted;
use crate::engine::projector::seen;
use crate::engine::runs::{action_facts, budget_of, held_by_others, lease_facts, standing_of, targets};
use crate::engine::streams::{Loaded, StreamFault, stream};

/// Everything read for one view, and the newest of it.
struct Around {
    position: u64,
    newest: Placed,
    switches: BTreeMap<String, Switchboard>,
    entries: BTreeMap<Target, Entry>,
    deployment: Deployment,
    day: BTreeMap<String, DayMeter>,
}

impl Around {
    /// Nothing read yet of what lay around something at that position.
    fn at(position: u64) -> Self {
        Self {
            position,
            newest: Placed { position: 0, at: DateTime::<Utc>::MIN_UTC },
            switches: BTreeMap::new(),
            entries: BTreeMap::new(),
            deployment: Deployment::default(),
            day: BTreeMap::new(),
        }
    }
}

impl Stories<'_> {
    /// One run as the log tells of it now. Its position is that of the newest event that it rests on, and the same view
    /// is told again of that position whenever somebody asks.
    pub async fn view(&self, run_id: &str) -> Result<RunView, Fault> {
        let whole = self.whole(run_id).await?;
        let run: Run = fold(&whole.events)?;
        let notes = self.notes(&run_view::notes_of(&run)).await?;
        self.view_of(run_id, &run, newest(&whole.events), whole.head, &notes).await
    }

    /// The view of a run whose newest event is `newest`, as everything lay at `position`.
    pub(super) async fn view_of(
        &self,
        run_id: &str,
        run: &Run,
        newest: Placed,
        position: u64,
        notes: &Notes,
    ) -> Result<RunView, Fault> {
        let mut around = Around { newest, ..Around::at(position) };
        // Nothing is decided about a run that has ended but its teardown, which asks nobody.
        if !run.status.terminal() {
            self.look_around(run, &mut around).await?;
        }
        let standing = self.standing(run, &mut around).await?;
        let facts = Facts {
            actions: action_facts(&self.registry, &around.switches),
            leases: run.plan().map(|plan| lease_facts(&self.registry, plan)).unwrap_or_default(),
            triggers: self.registry.triggers(),
            held: held_by_others(&around.entries, run_id),
            limits: self.limits,
            stopped: around.deployment.stops_runs(),
            day: around.day,
        };
        let budgets = self.dimension_words(run);
        let budget_now = run.plan().map(|plan| budget_of(plan, &around.switches)).unwrap_or_default();
        let (at, facts, budget_now) = (around.newest.at, &facts, budget_now.as_slice());
        let surroundings = Surroundings { at, facts, standing, budget_now, budgets: &budgets, notes };
        let view = RunView::of(run_id, run, around.newest.position, surroundings);
        view.ok_or_else(|| Fault::refused(RunRefusal::Missing))
    }

    /// Whether it may begin by its schedule, as long as it has not.
    async fn standing(&self, run: &Run, around: &mut Around) -> Result<Standing, Fault> {
        let by_schedule = |run: &&Run| run.status == RunStatus::Scheduled;
        let scheduled = Some(run).filter(by_schedule).and_then(|run| run.scheduled.as_ref());
        let Some(scheduled) = scheduled.filter(|scheduled| scheduled.slot.is_some()) else { return Ok(Standing::Current) };
        let definition: Definition = self.as_of(&scheduled.definition_id, around).await?;
        Ok(standing_of(&definition, Some(&around.deployment), scheduled, scheduled.scheduled_for))
    }

    async fn look_around(&self, run: &Run, around: &mut Around) -> Result<(), Fault> {
        let Some(scheduled) = &run.scheduled else { return Ok(()) };
        let actions: BTreeSet<&str> = scheduled.plan.steps().map(|(_, step)| step.action.as_str()).collect();
        for action in actions {
            let switch = self.as_of(action, around).await?;
            around.switches.insert(action.to_owned(), switch);
        }
        for target in targets(&scheduled.plan, scheduled) {
            let entry = self.as_of(&target.stream_id(), around).await?;
            around.entries.insert(target, entry);
        }
        around.deployment = self.as_of(DEPLOYMENT, around).await?;
        let caps = around.deployment.day_caps().clone();
        for (dimension, cap) in caps.into_iter().filter(|(dimension, _)| run.budget.iter().any(|m| m.dimension == *dimension)) {
            let at = around.newest.at;
            let allowance = self.loaded_as_of::<Allowance>(&allowance_id(&dimension, at), around).await?;
            let counted = counted(self.log, &around.deployment, &allowance, &dimension, at).await?;
            let drawn = counted.map_or(allowance.state.drawn(), |counted| counted.drawn);
            around.day.insert(dimension, DayMeter { day: at.date_naive(), cap, drawn });
        }
        Ok(())
    }

    async fn as_of<A: Decide>(&self, id: &str, around: &mut Around) -> Result<A, Fault> {
        Ok(self.loaded_as_of(id, around).await?.state)
    }

    async fn loaded_as_of<A: Decide>(&self, id: &str, around: &mut Around) -> Result<Loaded<A>, Fault> {
        let recorded = self.log.load_until(&stream::<A>(id), around.position).await?;
        let events: Vec<SeenEvent> = recorded.into_iter().map(seen).collect();
        around.newest = later_of(around.newest, newest(&events));
        let sequence = events.last().map_or(0, |event| event.sequence);
        Ok(Loaded { id: id.to_owned(), state: fold(&events)?, sequence })
    }

    fn dimension_words(&self, run: &Run) -> BTreeMap<String, DimensionWords> {
        let words = run.budget.iter().filter_map(|meter| {
            let budget = self.registry.budget(&meter.dimension)?;
            Some((meter.dimension.clone(), DimensionWords { label: budget.label.clone(), unit: budget.unit.clone() }))
        });
        words.collect()
    }
}

fn fold<A: Decide>(events: &[SeenEvent]) -> Result<A, StreamFault> {
    let mut state = A::default();
    for seen in events {
        let event = seen.decode().map_err(|source| StreamFault::Undecodable { position: seen.position, source })?;
        state.apply(event);
    }
    Ok(state)
}

/// The newest position and the latest instant: commands that overtook each other are recorded in their other order.
pub(super) fn newest(events: &[SeenEvent]) -> Placed {
    events.iter().map(placed).fold(Placed { position: 0, at: DateTime::<Utc>::MIN_UTC }, later_of)
}

fn later_of(a: Placed, b: Placed) -> Placed {
    Placed { position: a.position.max(b.position), at: a.at.max(b.at) }
}

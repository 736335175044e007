//! The switchboard: which actions this deployment permits, and how much of each budget one run may spend on them.

use std::collections::{BTreeMap, BTreeSet};

use leasehold_aggregates::decide::{Decide, Refusal, RefusalKind};
use leasehold_aggregates::switchboard::{Switch, SwitchCommand, Switchboard};
use leasehold_module::{Action, Budget};

use super::again::again;
use super::registry::Registry;
use super::streams::{Loaded, load};
use super::{Act, Engine, Fault};

/// One row of the board.
#[derive(Debug, Clone)]
pub struct Row {
    pub action: Action,
    /// What it may spend, whether or not a given step does.
    pub dimensions: Vec<Budget>,
    pub switch: Switch,
    /// False where nobody decided and the default of the risk class holds.
    pub stored: bool,
}

/// What is asked of one row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchRequest {
    pub action: String,
    pub enabled: bool,
    /// By dimension, `None` for no cap. Absent: the caps stay as they are.
    pub caps: Option<BTreeMap<String, Option<u64>>>,
}

/// An action that is not registered has no row on the board.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no action {0:?} here: is its module installed?")]
pub struct UnknownAction(pub String);

impl Refusal for UnknownAction {
    fn code(&self) -> &'static str {
        "unknown_action"
    }

    fn kind(&self) -> RefusalKind {
        RefusalKind::Invalid
    }

    fn pointer(&self) -> Option<String> {
        Some("/action".to_owned())
    }
}

impl Engine {
    /// Every registered action with what holds for it, by id.
    pub async fn switchboard(&self) -> Result<Vec<Row>, Fault> {
        let mut rows = Vec::new();
        let registry = self.registry();
        for action in registry.actions() {
            let board: Loaded<Switchboard> = load(&self.log, &action.id).await?;
            rows.push(row(&registry, action, &board.state));
        }
        Ok(rows)
    }

    /// Stores one row, and answers it with the log's position that shows it.
    pub async fn switch(&self, act: &Act, request: &SwitchRequest) -> Result<(Row, u64), Fault> {
        again(self, || self.try_switch(act, request)).await
    }

    async fn try_switch(&self, act: &Act, request: &SwitchRequest) -> Result<(Row, u64), Fault> {
        let unknown = || Fault::refused(UnknownAction(request.action.clone()));
        let registry = self.registry();
        let (action, _) = registry.action(&request.action).ok_or_else(unknown)?;
        let board: Loaded<Switchboard> = load(&self.log, &action.id).await?;
        let spends: BTreeSet<String> = action.cost.iter().map(|term| term.dimension.clone()).collect();
        let kept = || {
            let stored = board.state.effective(action.risk).caps.into_iter();
            stored.filter(|(dimension, _)| spends.contains(dimension)).map(|(dimension, cap)| (dimension, Some(cap))).collect()
        };
        let caps = request.caps.clone().unwrap_or_else(kept);
        let set = SwitchCommand::Set { enabled: request.enabled, caps, spends };
        let events = board.state.decide(set).map_err(Fault::refused)?;

        let mut append = act.append(&self.recorded_by());
        append.writes = vec![board.write(&events)?];
        let appended = self.log.append(append).await?;
        let mut after = board.state;
        for event in events {
            after.apply(event);
        }
        Ok((row(&registry, action, &after), appended.last))
    }
}

fn row(registry: &Registry, action: &Action, board: &Switchboard) -> Row {
    Row {
        action: action.clone(),
        dimensions: registry.dimensions_of(action).into_iter().cloned().collect(),
        switch: board.effective(action.risk),
        stored: board.stored().is_some(),
    }
}

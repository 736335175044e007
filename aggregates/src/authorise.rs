//! May this action be invoked? One function: stop, role, enablement, rehearsal, cost and caps.
//!
//! The runner asks without a role: the role was checked when a person published and started, and an unrelated change of
//! staff must not strand what is under way.

use std::collections::{BTreeMap, BTreeSet};

use leasehold_module::{Audience, Risk};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::account::Role;
use crate::allowance::DayMeter;
use crate::event::given;

/// What the engine knows of one action at this moment, from its registry and the switchboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionFacts {
    pub label: String,
    pub risk: Risk,
    pub version: u32,
    /// The stored switch, or the default of the risk class.
    pub enabled: bool,
    /// The dimensions that some budget declares.
    pub declared: BTreeSet<String>,
    /// Whom it tells something, if it tells anybody.
    pub tells: Option<Audience>,
}

/// One dimension of a run's budget.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Meter {
    pub dimension: String,
    pub consumed: u64,
    /// `None`: nothing bounds it, and it is still counted.
    #[serde(deserialize_with = "given")]
    pub cap: Option<u64>,
    /// The action whose switch set the cap.
    #[serde(deserialize_with = "given")]
    pub cap_from: Option<String>,
}

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asker {
    /// A person with this role.
    Person(Role),
    /// The unattended runner.
    Runner,
}

/// Why an action may not be invoked. Nothing is wrong with the system: the deployment does not permit it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, thiserror::Error)]
#[serde(tag = "code", rename_all = "snake_case", deny_unknown_fields)]
pub enum Denied {
    #[error("{action} changes the world, which takes the role admin")]
    RoleTooLow { action: String },
    #[error("{action} is switched off on this deployment; an admin can switch it on among the deployment's actions")]
    Disabled { action: String },
    #[error("{action} would spend {dimension}, which no module declares as a budget")]
    Undeclared { action: String, dimension: String },
    #[error("{action} needs {asked} of {dimension}, and {consumed} of {cap} are spent already")]
    OverCap { action: String, dimension: String, asked: u64, consumed: u64, cap: u64 },
    #[error("{action} needs {asked} of {dimension}, and {drawn} of the {cap} of {day} are spent already; tomorrow there is more")]
    OverDayCap { action: String, dimension: String, day: String, asked: u64, drawn: u64, cap: u64 },
    #[error("{action} tells {audience} alone, of whom a rehearsal may tell nobody: it reaches staff")]
    NotRehearsed { action: String, audience: Audience },
    #[error("everything is stopped (stop {stop}), and nothing is dispatched until somebody lifts it")]
    Stopped { stop: Uuid },
    #[error("{action} may not borrow {lease} as it was planned, for the game says otherwise by now: {detail}")]
    OutOfBounds { action: String, lease: String, param: String, detail: String },
    #[error("{target} is held by run {holder} until that run gives it back")]
    Held { target: String, holder: String },
}

impl Denied {
    pub fn code(&self) -> &'static str {
        match self {
            Self::RoleTooLow { .. } => "role_too_low",
            Self::Disabled { .. } => "action_disabled",
            Self::Undeclared { .. } => "undeclared",
            Self::OverCap { .. } => "over_cap",
            Self::OverDayCap { .. } => "over_day_cap",
            Self::NotRehearsed { .. } => "not_rehearsed",
            Self::Stopped { .. } => "stopped",
            Self::OutOfBounds { .. } => "out_of_bounds",
            Self::Held { .. } => "held",
        }
    }
}

/// The most that a rehearsal reaches.
pub const REHEARSAL: Audience = Audience::Staff;

/// One question: may this be invoked, by whom, at what cost, against what is left.
#[derive(Debug, Clone, Copy)]
pub struct Invocation<'a> {
    pub asker: Asker,
    pub action: &'a ActionFacts,
    /// Empty for a step that has paid already.
    pub cost: &'a BTreeMap<String, u64>,
    /// What the run was given and has spent; what a run would be given now where there is none yet.
    pub meters: &'a [Meter],
    /// What the day may still bring.
    pub day: &'a BTreeMap<String, DayMeter>,
    /// The stop under which nothing goes on.
    pub stopped: Option<Uuid>,
    pub rehearsal: bool,
}

/// The one place in which that is decided: the runner's dispatch asks it, a retry, the dry run, and the price.
///
/// First what holds for everything, then who asks, then the switch, then whom it reaches, then what it costs.
pub fn may_invoke(asked: &Invocation<'_>) -> Result<(), Denied> {
    let Invocation { action, .. } = asked;
    let label = || action.label.clone();
    if let Some(stop) = asked.stopped {
        return Err(Denied::Stopped { stop });
    }
    if let Asker::Person(role) = asked.asker
        && action.risk.changes_the_world()
        && role != Role::Admin
    {
        return Err(Denied::RoleTooLow { action: label() });
    }
    if !action.enabled {
        return Err(Denied::Disabled { action: label() });
    }
    if let Some(audience) = action.tells.filter(|audience| asked.rehearsal && audience.meet(REHEARSAL).is_none()) {
        return Err(Denied::NotRehearsed { action: label(), audience });
    }
    asked.cost.iter().try_for_each(|(dimension, amount)| affordable(asked, dimension, *amount))
}

fn affordable(asked: &Invocation<'_>, dimension: &str, amount: u64) -> Result<(), Denied> {
    let (action, dimension) = (asked.action.label.clone(), dimension.to_owned());
    if !asked.action.declared.contains(&dimension) {
        return Err(Denied::Undeclared { action, dimension });
    }
    let meter = asked.meters.iter().find(|meter| meter.dimension == dimension);
    if let Some((consumed, cap)) = meter.and_then(|meter| Some((meter.consumed, meter.cap?)))
        && consumed.saturating_add(amount) > cap
    {
        return Err(Denied::OverCap { action, dimension, asked: amount, consumed, cap });
    }
    if let Some(DayMeter { day, cap, drawn }) = asked.day.get(&dimension)
        && drawn.saturating_add(amount) > *cap
    {
        let (day, drawn, cap) = (day.to_string(), *drawn, *cap);
        return Err(Denied::OverDayCap { action, dimension, day, asked: amount, drawn, cap });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(risk: Risk, enabled: bool) -> ActionFacts {
        ActionFacts {
            label: "Light lamps".into(),
            risk,
            version: 1,
            enabled,
            declared: ["demo.lamps".to_owned()].into(),
            tells: None,
        }
    }

    fn cost(amount: u64) -> BTreeMap<String, u64> {
        BTreeMap::from([("demo.lamps".to_owned(), amount)])
    }

    fn meter(consumed: u64, cap: Option<u64>) -> Meter {
        Meter { dimension: "demo.lamps".into(), consumed, cap, cap_from: None }
    }

    fn ask(asker: Asker, action: &ActionFacts, cost: &BTreeMap<String, u64>, meters: &[Meter]) -> Result<(), Denied> {
        let (day, stopped, rehearsal) = (&BTreeMap::new(), None, false);
        may_invoke(&Invocation { asker, action, cost, meters, day, stopped, rehearsal })
    }

    #[test]
    fn a_day_is_bounded_beside_the_run_and_a_stop_comes_before_everything() {
        let on = facts(Risk::Change, true);
        let meter = DayMeter { day: "2027-03-28".parse().unwrap(), cap: 40, drawn: 30 };
        let day = BTreeMap::from([("demo.lamps".to_owned(), meter)]);
        let (cost, stopped, rehearsal) = (&cost(11), None, false);
        let asked = Invocation { asker: Asker::Runner, action: &on, cost, meters: &[], day: &day, stopped, rehearsal };
        let denied = may_invoke(&asked).unwrap_err();
        assert_eq!(denied.code(), "over_day_cap");
        assert!(denied.to_string().contains("30 of the 40 of 2027-03-28"), "{denied}");
        let stopped = Invocation { stopped: Some(Uuid::nil()), ..asked };
        assert_eq!(may_invoke(&stopped).unwrap_err().code(), "stopped");
    }

    #[test]
    fn a_rehearsal_reaches_staff_and_nobody_else() {
        let telling = |audience| ActionFacts { tells: Some(audience), ..facts(Risk::Notify, true) };
        let ask = |audience, rehearsal| {
            let (action, cost, day) = (telling(audience), BTreeMap::new(), BTreeMap::new());
            let (asker, meters, stopped) = (Asker::Runner, &[], None);
            may_invoke(&Invocation { asker, action: &action, cost: &cost, meters, day: &day, stopped, rehearsal })
        };
        for audience in [Audience::Everyone, Audience::Authenticated, Audience::Staff, Audience::Admin] {
            assert_eq!(ask(audience, true), Ok(()), "it is narrowed");
        }
        for audience in [Audience::Subscribers, Audience::Participants, Audience::Owner] {
            assert_eq!(ask(audience, true).unwrap_err().code(), "not_rehearsed");
            assert_eq!(ask(audience, false), Ok(()));
        }
    }

    #[test]
    fn the_last_unit_fits_and_the_next_does_not() {
        let on = facts(Risk::Change, true);
        assert_eq!(ask(Asker::Runner, &on, &cost(2), &[meter(28, Some(30))]), Ok(()));
        let denied = ask(Asker::Runner, &on, &cost(3), &[meter(28, Some(30))]).unwrap_err();
        assert_eq!(denied.code(), "over_cap");
        assert_eq!(denied.to_string(), "Light lamps needs 3 of demo.lamps, and 28 of 30 are spent already");
    }

    #[test]
    fn an_uncapped_dimension_is_not_bounded_and_cannot_overflow() {
        let on = facts(Risk::Change, true);
        assert_eq!(ask(Asker::Runner, &on, &cost(u64::MAX), &[meter(9, None)]), Ok(()));
        assert!(ask(Asker::Runner, &on, &cost(u64::MAX), &[meter(9, Some(10))]).is_err());
    }

    #[test]
    fn undeclared_is_told_apart_from_over_cap() {
        let mut on = facts(Risk::Change, true);
        on.declared.clear();
        assert_eq!(ask(Asker::Runner, &on, &cost(1), &[]).unwrap_err().code(), "undeclared");
    }

    #[test]
    fn a_switch_that_is_off_stops_everybody_and_a_role_stops_only_people() {
        let off = facts(Risk::Notify, false);
        assert_eq!(ask(Asker::Runner, &off, &cost(0), &[]).unwrap_err().code(), "action_disabled");
        let on = facts(Risk::Irreversible, true);
        assert_eq!(ask(Asker::Person(Role::Editor), &on, &cost(1), &[]).unwrap_err().code(), "role_too_low");
        assert_eq!(ask(Asker::Person(Role::Admin), &on, &cost(1), &[]), Ok(()));
        assert_eq!(ask(Asker::Runner, &on, &cost(1), &[]), Ok(()));
        assert_eq!(ask(Asker::Person(Role::Editor), &facts(Risk::Inspect, true), &cost(0), &[]), Ok(()));
    }
}

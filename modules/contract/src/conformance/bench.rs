//! What a module is tried on: its game, with a hand on it.

use serde_json::{Map, Value};

use crate::{Action, Answering, Lease, Module, Perform};

/// A point at which a command can be made to fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Point {
    /// Nothing carries it: no game is there.
    Away,
    /// It is done, and its answer is lost.
    AnswerLost,
    /// The game dies before the effect.
    DiesBefore,
    /// The game dies after the effect, before it has written its answer down.
    DiesAfter,
    /// The handler fails half-way, after its effect.
    FailsHalfWay,
    /// It is done later, long after the answer was waited for.
    Late,
    /// It is done, and the answer is nonsense.
    Nonsense,
}

impl Point {
    pub const ALL: [Self; 7] =
        [Self::Away, Self::AnswerLost, Self::DiesBefore, Self::DiesAfter, Self::FailsHalfWay, Self::Late, Self::Nonsense];
}

/// What is made to fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked<'a> {
    Perform(&'a str),
    Revert(&'a str),
    LeaseApply(&'a str),
    LeaseRestore(&'a str),
}

/// A module and its game. All of it is for this trial alone: nobody else is in the world meanwhile.
pub trait Bench: Send + Sync {
    fn module(&self) -> &dyn Module;

    /// The scope of the game.
    fn scope(&self) -> &str;

    /// Whatever an event may change, as one value: two worlds that are equal in it are equal. Not by way of the module.
    fn world(&self) -> Answering<'_, Value>;

    /// With these the action succeeds. The examples of the manifest, unless the bench knows better.
    fn params(&self, action: &Action) -> Map<String, Value> {
        action.params.iter().map(|param| (param.name.clone(), param.example.clone())).collect()
    }

    /// An order of this action, for what a rig has to bring about for a run itself.
    fn order(&self, action: &str, run: &str) -> Perform {
        let action = self.module().manifest().action(action).expect("the rig orders what is declared");
        Perform {
            action: action.id.clone(),
            run_id: run.to_owned(),
            step: "prepared".into(),
            idempotency_key: format!("{:0>40}", run.replace('-', "0")),
            scope: self.scope().to_owned(),
            params: self.params(action),
            fence: 1,
            ttl_ms: 60_000,
            actor: "runner".into(),
            verify: false,
            mark: None,
            ceiling: None,
        }
    }

    /// Brings about what the action needs of the world and of its run, before the world is looked at.
    fn prepare<'a>(&'a self, _action: &'a Action, _run: &'a str) -> Answering<'a, ()> {
        Box::pin(async {})
    }

    /// Whether this action or lease is tried here: several benches may share a manifest between them.
    fn tries(&self, _id: &str) -> bool {
        true
    }

    /// Whether this lease also meets faults and restarts, which take most of the time: of many that share one handler, one may do.
    fn breaks(&self, _lease: &str) -> bool {
        true
    }

    /// The object with which a lease of many alike is tried. The example of the manifest, unless the bench knows better.
    fn object(&self, lease: &Lease) -> String {
        lease.object.as_ref().map(|object| object.example.clone()).unwrap_or_default()
    }

    /// A value that the lease takes and that is not the current one.
    fn other_value(&self, lease: &Lease, current: &str) -> String;

    /// Has the next command of that kind fail there; false where this game cannot be made to.
    fn break_at(&self, point: Point, asked: Asked<'_>) -> Answering<'_, bool>;

    /// Whatever was broken works again, and what was held up is done, before this returns.
    fn mend(&self) -> Answering<'_, ()>;

    /// The game dies and starts again; returns when it is back. False where it cannot be made to.
    fn restart(&self) -> Answering<'_, bool>;

    /// Somebody sets the lease's value by hand.
    fn move_by_hand<'a>(&'a self, lease: &'a Lease, value: &'a str) -> Answering<'a, ()>;

    /// What the world does by this value now, seen otherwise than the module reads it: the same for the same value, and something
    /// else for [another](Bench::other_value).
    fn effect<'a>(&'a self, lease: &'a Lease) -> Answering<'a, Value>;
}

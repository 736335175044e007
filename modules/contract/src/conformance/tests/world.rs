//! What the lamps' game remembers: lamps, a value, holds, keys. The keys and what hangs outlive a restart, the value does not.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::conformance::Point;
use crate::{Failure, Resource};

pub const DEFAULT: &str = "5";

#[derive(Debug, Clone)]
pub struct Hold {
    pub run: String,
    pub baseline: String,
    pub applied: String,
}

/// What a key came to.
#[derive(Debug, Clone)]
pub enum Answer {
    Made(Vec<Resource>),
    Undone,
    Lent(String, String),
}

#[derive(Debug)]
pub struct World {
    pub lamps: BTreeMap<String, (String, String)>,
    pub number: u64,
    pub value: String,
    pub hold: Option<Hold>,
    /// `None`: begun, and never answered.
    pub keys: BTreeMap<String, Option<Answer>>,
    pub closed: BTreeMap<String, u64>,
    pub broken: Option<Point>,
    /// A flaw that shows once has shown.
    pub spent: bool,
    /// The key that is forgotten.
    pub forgotten: Option<String>,
}

/// How an attempt that meets a fault goes on.
pub enum Met {
    /// Nothing is wrong.
    Nothing,
    /// Whatever it would do is not done, and this is the answer.
    Before(Failure),
    /// It is done, its answer is written down, and this is told instead.
    After(Failure),
    /// It is done, its answer is not written down, and this is told.
    Unwritten(Failure),
}

impl World {
    pub fn new() -> Self {
        Self {
            lamps: BTreeMap::new(),
            number: 0,
            value: DEFAULT.into(),
            hold: None,
            keys: BTreeMap::new(),
            closed: BTreeMap::new(),
            broken: None,
            spent: false,
            forgotten: None,
        }
    }

    /// Whether a flaw shows that shows while there are lamps, and once.
    pub fn spends(&mut self) -> bool {
        !self.lamps.is_empty() && !std::mem::replace(&mut self.spent, true)
    }

    /// Whether this is the key that is forgotten: the first that is asked for.
    pub fn forgets(&mut self, key: &str) -> bool {
        self.forgotten.get_or_insert_with(|| key.to_owned()) == key
    }

    pub fn dump(&self) -> Value {
        let lamps: BTreeMap<_, _> = self.lamps.iter().map(|(lamp, (run, _))| (lamp, run)).collect();
        json!({"lamps": lamps, "value": self.value, "held": self.hold.as_ref().map(|hold| &hold.run)})
    }

    pub fn restart(&mut self) {
        self.value = DEFAULT.into();
        self.hold = None;
    }

    /// The fault that this attempt meets; it is spent by it, but for a game that is away.
    pub fn meet(&mut self) -> Met {
        let lost = |why: &str| Failure::unknown("no_answer", why);
        match self.broken {
            None => Met::Nothing,
            Some(Point::Away) => Met::Before(Failure::not_now("not_sent", "nobody is there")),
            Some(point) => {
                self.broken = None;
                match point {
                    Point::AnswerLost | Point::Late => Met::After(lost("no answer came")),
                    Point::Nonsense => Met::After(Failure::unknown("nonsense", "it makes no sense")),
                    Point::DiesBefore => Met::Before(lost("the game died")),
                    Point::DiesAfter | Point::Away => Met::Unwritten(lost("the game died")),
                    Point::FailsHalfWay => {
                        Met::Unwritten(Failure { retry: false, ..Failure::unknown("handler_failed", "it fell") })
                    }
                }
            }
        }
    }
}

//! What goes wrong, drawn from the seed alone, so that the same seed strikes the same blows whatever the machine does.

use rand::Rng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Blow {
    /// `kill -9`; it comes back at once, and perhaps dies again at that point.
    EngineKilled {
        second: bool,
        doom: Option<&'static str>,
    },
    /// SIGSTOP for so many quarters of an hour: past every claim.
    EngineAsleep {
        second: bool,
        quarters: u32,
    },
    /// Nobody is there for so many quarters of an hour.
    NobodyThere {
        quarters: u32,
    },
    GameKilled,
    /// It dies by itself in the middle of its next command of a kind.
    GameDoomed {
        moment: &'static str,
        kind: &'static str,
    },
    LinkKilled,
    /// The answer to its next command of a kind is lost.
    AnswerLost {
        kind: &'static str,
    },
    PostgresStopped,
}

/// Where an engine may be doomed to die.
const POINTS: [&str; 6] = ["dispatch.before", "dispatch.answered", "due.before", "undo.before", "undo.closed", "undo.answered"];
const MOMENTS: [&str; 2] = ["crash-before", "crash-after"];
const KINDS: [&str; 4] = ["lease.apply", "lease.release", "world.spawn", "world.despawn"];
/// One blow in so many quarters of an hour.
const PAUSE: u32 = 6;

impl Blow {
    /// What to call it where blows are counted.
    pub fn kind(self) -> &'static str {
        match self {
            Self::EngineKilled { doom: None, .. } => "an engine is killed",
            Self::EngineKilled { doom: Some(_), .. } => "an engine is killed and doomed",
            Self::EngineAsleep { .. } => "an engine sleeps",
            Self::NobodyThere { .. } => "nobody is there",
            Self::GameKilled => "the game is killed",
            Self::GameDoomed { .. } => "the game is doomed",
            Self::LinkKilled => "the link is killed",
            Self::AnswerLost { .. } => "an answer is lost",
            Self::PostgresStopped => "PostgreSQL is stopped",
        }
    }
}

/// What befalls the next quarter of an hour. As many draws whatever comes of it.
pub fn draw(chance: &mut StdRng) -> Option<Blow> {
    let (strikes, which, second) = (chance.random_range(0..PAUSE) == 0, chance.random_range(0..18), chance.random_bool(0.5));
    let (quarters, point) = (chance.random_range(1..4), *POINTS.choose(chance).unwrap());
    let (moment, kind) = (*MOMENTS.choose(chance).unwrap(), *KINDS.choose(chance).unwrap());
    strikes.then_some(match which {
        0..=1 => Blow::EngineKilled { second, doom: None },
        2..=4 => Blow::EngineKilled { second, doom: Some(point) },
        5..=7 => Blow::EngineAsleep { second, quarters },
        8 => Blow::NobodyThere { quarters: quarters + 2 },
        9..=10 => Blow::GameKilled,
        11..=12 => Blow::GameDoomed { moment, kind },
        13..=14 => Blow::LinkKilled,
        15..=16 => Blow::AnswerLost { kind },
        _ => Blow::PostgresStopped,
    })
}

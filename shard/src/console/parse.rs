//! A line that was typed, read strictly.

use super::command::{Command, FaultCommand, Going};
use crate::{
    faults::Moment,
    world::{Dial, Season, Status},
};
use leasehold_link::wire::{Kind, Serial};
use std::{str::FromStr, time::Duration};

/// Everything that can be typed, in one sentence for whoever typed something else.
const USAGE: &str = "status | audit [FROM] | config get KEY | config set KEY VALUE | player create NAME [ADDRESS] | player list | \
    player staff NAME (on | off) | creatures [--owned] [--run ID] | creature delete SERIAL | creature kill SERIAL | \
    player (connect | logout | die | revive) NAME | player walk NAME (LANDMARK | MAP X Y) | player fight NAME SERIAL [STRENGTH] | \
    altar list | altar (raise | reset) SERIAL | spawner list | spawner (show | delete) ID | spawner set ID DIAL VALUE | \
    season list | season set SEASON STATUS | participation RUN | facet (load | unload) MAP | dump [baseline] | wipe | \
    boss kill LANDMARK [BOSS] | region enter LANDMARK | objects [--run ID] | object delete SERIAL | region MAP X Y | \
    hear SERIAL [WORDS] | clock [+SECONDS] | save | shutdown | leases | landmarks | disconnect | \
    fault (drop-ack KIND [N] | delay-ack KIND MS | crash-before KIND | crash-after KIND | crash-unsent KIND | hold KIND | release | \
    throw KIND | mute KIND | slow-tick MS | inert KEY | live KEY | clear | list)";

/// Reads one line; an error is the sentence to answer.
pub fn parse(line: &str) -> Result<Command, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    Ok(match words.as_slice() {
        ["status"] => Command::Status,
        ["audit"] => Command::Audit { from: 1 },
        ["audit", from] => Command::Audit { from: number(from)? },
        ["config", "get", key] => Command::ConfigGet { key: (*key).to_owned() },
        ["config", "set", key, value @ ..] if !value.is_empty() => {
            Command::ConfigSet { key: (*key).to_owned(), value: value.join(" ") }
        }
        ["player", "create", name] => Command::PlayerCreate { name: (*name).to_owned(), address: None },
        ["player", "create", name, address] => {
            Command::PlayerCreate { name: (*name).to_owned(), address: Some((*address).to_owned()) }
        }
        ["player", "list"] => Command::PlayerList,
        ["creatures", filter @ ..] => creatures(filter)?,
        ["player", "staff", name, state @ ("on" | "off")] => {
            Command::PlayerStaff { name: (*name).to_owned(), staff: *state == "on" }
        }
        ["creature", "delete", serial] => Command::CreatureDelete { serial: serial_of(serial)? },
        ["creature", "kill", serial] => Command::CreatureKill { serial: serial_of(serial)? },
        ["boss", "kill", landmark] => Command::BossKill { landmark: (*landmark).to_owned(), boss: "lich".to_owned() },
        ["boss", "kill", landmark, boss] => Command::BossKill { landmark: (*landmark).to_owned(), boss: (*boss).to_owned() },
        ["region", "enter", landmark] => Command::RegionEnter { landmark: (*landmark).to_owned() },
        ["player", word @ ("connect" | "logout"), name] => {
            Command::PlayerOnline { name: (*name).to_owned(), online: *word == "connect" }
        }
        ["player", "walk", name, landmark] => {
            Command::PlayerWalk { name: (*name).to_owned(), to: Going::To((*landmark).to_owned()) }
        }
        ["player", "walk", name, map, x, y] => {
            let to = Going::Point((*map).to_owned(), number(x)?, number(y)?);
            Command::PlayerWalk { name: (*name).to_owned(), to }
        }
        ["player", "fight", name, target, strength @ ..] if strength.len() < 2 => {
            let strength = strength.first().map_or(Ok(10), |word| number(word))?;
            Command::PlayerFight { name: (*name).to_owned(), target: serial_of(target)?, strength }
        }
        ["player", word @ ("die" | "revive"), name] => Command::PlayerLife { name: (*name).to_owned(), alive: *word == "revive" },
        ["altar", "list"] => Command::Altars,
        ["altar", word @ ("raise" | "reset"), serial] => Command::AltarTurn { serial: serial_of(serial)?, up: *word == "raise" },
        ["spawner", "list"] => Command::Spawners { id: None },
        ["spawner", "show", id] => Command::Spawners { id: Some((*id).to_owned()) },
        ["spawner", "set", id, dial, value] => {
            let dial = Dial::parse(dial).ok_or_else(|| one_of("dial", &Dial::ALL.map(Dial::name)))?;
            Command::SpawnerSet { id: (*id).to_owned(), dial, value: (*value).to_owned() }
        }
        ["spawner", "delete", id] => Command::SpawnerDelete { id: (*id).to_owned() },
        ["season", "list"] => Command::Seasons,
        ["season", "set", season, status] => {
            let season = Season::parse(season).ok_or_else(|| one_of("season", &Season::ALL.map(|season| season.to_string())))?;
            let status = Status::parse(status).ok_or_else(|| one_of("status", &Status::ALL.map(Status::name)))?;
            Command::SeasonSet { season, status }
        }
        ["participation", run] => Command::Participation { run: (*run).to_owned() },
        ["facet", word @ ("load" | "unload"), map] => Command::Facet { map: (*map).to_owned(), loaded: *word == "load" },
        ["dump"] => Command::Dump { baseline: false },
        ["dump", "baseline"] => Command::Dump { baseline: true },
        ["wipe"] => Command::Wipe,
        ["objects"] => Command::Objects { run: None },
        ["objects", "--run", run] => Command::Objects { run: Some((*run).to_owned()) },
        ["object", "delete", serial] => Command::ObjectDelete { serial: serial_of(serial)? },
        ["region", map, x, y] => Command::Region { map: (*map).to_owned(), x: number(x)?, y: number(y)? },
        ["hear", serial, words @ ..] => Command::Hear { serial: serial_of(serial)?, words: words.join(" ") },
        ["clock"] => Command::Clock { advance_ms: None },
        ["clock", by] => Command::Clock { advance_ms: Some(seconds(by)?) },
        ["save"] => Command::Save,
        ["shutdown"] => Command::Shutdown,
        ["leases"] => Command::Leases,
        ["landmarks"] => Command::Landmarks,
        ["disconnect"] => Command::Disconnect,
        ["fault", rest @ ..] => Command::Fault(fault(rest)?),
        _ => return Err(usage()),
    })
}

fn usage() -> String {
    format!("not understood; type one of: {USAGE}")
}

fn creatures(filter: &[&str]) -> Result<Command, String> {
    let (mut owned, mut run) = (false, None);
    let mut words = filter.iter();
    while let Some(word) = words.next() {
        match *word {
            "--owned" => owned = true,
            "--run" => run = Some((*words.next().ok_or_else(usage)?).to_owned()),
            _ => return Err(usage()),
        }
    }
    Ok(Command::Creatures { owned, run })
}

fn fault(words: &[&str]) -> Result<FaultCommand, String> {
    let crash = |kind: &str, moment| Ok(FaultCommand::Crash { kind: kind_of(kind)?, moment });
    match words {
        ["drop-ack", kind] => Ok(FaultCommand::DropAck { kind: kind_of(kind)?, times: 1 }),
        ["drop-ack", kind, times] => Ok(FaultCommand::DropAck { kind: kind_of(kind)?, times: number(times)? }),
        ["delay-ack", kind, by] => {
            Ok(FaultCommand::DelayAck { kind: kind_of(kind)?, by: Duration::from_millis(number::<u32>(by)?.into()) })
        }
        ["crash-before", kind] => crash(kind, Moment::Before),
        ["crash-after", kind] => crash(kind, Moment::After),
        ["crash-unsent", kind] => crash(kind, Moment::Unsent),
        ["hold", kind] => Ok(FaultCommand::Hold { kind: kind_of(kind)? }),
        ["throw", kind] => Ok(FaultCommand::Throw { kind: kind_of(kind)? }),
        ["mute", kind] => Ok(FaultCommand::Mute { kind: kind_of(kind)? }),
        ["slow-tick", by] => Ok(FaultCommand::SlowTick { by: Duration::from_millis(number::<u32>(by)?.into()) }),
        [word @ ("inert" | "live"), key] => Ok(FaultCommand::Inert { key: (*key).to_owned(), inert: *word == "inert" }),
        ["release"] => Ok(FaultCommand::Release),
        ["clear"] => Ok(FaultCommand::Clear),
        ["list"] => Ok(FaultCommand::List),
        _ => Err(usage()),
    }
}

fn serial_of(word: &str) -> Result<Serial, String> {
    word.parse().map_err(|fault| format!("{fault}"))
}

fn kind_of(word: &str) -> Result<Kind, String> {
    Kind::parse(word).ok_or_else(|| {
        let known: Vec<&str> = Kind::ALL.into_iter().map(Kind::as_str).collect();
        format!("`{word}` is no command of the wire; there are {}", known.join(", "))
    })
}

fn one_of<const N: usize>(what: &str, words: &[impl AsRef<str>; N]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    format!("a {what} is one of {}", words.join(", "))
}

fn number<N: FromStr>(word: &str) -> Result<N, String> {
    word.parse().map_err(|_| format!("`{word}` is no number that fits here"))
}

/// `+SECONDS`, at most 48 days at a time.
fn seconds(word: &str) -> Result<u32, String> {
    let seconds: u32 = number(word.strip_prefix('+').ok_or("the clock moves forward only: clock +SECONDS")?)?;
    seconds.checked_mul(1000).ok_or_else(|| format!("{seconds} s is more than the clock moves at a time"))
}

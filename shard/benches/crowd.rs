//! A snapshot of 2,000 members beside what the world may take for a tick: the longest piece of work while nothing is asked, and while
//! the snapshot is walked and told, each against the time between two ticks; and the most members that one tick has resolved. Between the
//! two stand looks that find nothing: what any answer under a key costs, its flush to the disk above all.
//!
//! `cargo bench -p leasehold-shard --bench crowd -- MEMBERS ROUNDS` sets how many there are and how often it is asked (default 2,000
//! and 20).

#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run ends there")]
#![allow(clippy::cast_precision_loss, reason = "figures for people")]

use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

/// Milliseconds between two ticks of the world: the game's own, and so the bound of each.
const TICK_MS: u64 = 50;

/// A game that runs until this is dropped, the link's end of its line, and its console.
struct Game {
    process: Child,
    line: Talk,
    console: Talk,
}

impl Drop for Game {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

struct Talk(BufReader<TcpStream>);

impl Talk {
    fn of(stream: TcpStream) -> Self {
        stream.set_nodelay(true).unwrap();
        Self(BufReader::new(stream))
    }

    fn say(&mut self, line: &str) {
        self.0.get_mut().write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.0.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    /// What a command of the console comes to.
    fn does(&mut self, command: &str) -> Value {
        self.say(command);
        let told = self.hear();
        assert_eq!(told["ok"], true, "{command}: {told}");
        told
    }

    /// The answer to a command of the wire, under a key of its own.
    fn asks(&mut self, key: &str, mut order: Value) -> Value {
        for (field, value) in [("reqId", key), ("runId", "77"), ("idempotencyKey", key)] {
            order[field] = json!(value);
        }
        (order["fence"], order["ttlMs"]) = (json!(1), json!(600_000));
        self.say(&order.to_string());
        loop {
            let told = self.hear();
            if told["reqId"] == key {
                return told;
            }
        }
    }
}

fn start(directory: &Path, members: usize) -> Game {
    let config = directory.join("game.cfg");
    std::fs::write(&config, format!("Accounts.MaxCharacters = {members}\n")).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_leasehold-shard"));
    command.args(["--link", &listener.local_addr().unwrap().to_string(), "--console", "127.0.0.1:0", "--enable-events"]);
    command.args(["--tick-ms", &TICK_MS.to_string(), "--config"]).arg(config).arg("--data").arg(directory.join("game"));
    let mut process = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut ready = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut ready).unwrap();
    let ready: Value = serde_json::from_str(&ready).unwrap();
    let console = Talk::of(TcpStream::connect(ready["console"].as_str().unwrap()).unwrap());
    let mut line = Talk::of(listener.accept().unwrap().0);
    assert_eq!(line.hear()["kind"], "server.hello");
    line.say(&json!({"kind": "link.welcome", "protocol": 7}).to_string());
    Game { process, line, console }
}

/// So many who stand where it is counted.
fn crowd(game: &mut Game, members: usize) {
    let opening =
        json!({"kind": "participation.open", "map": "Felucca", "x": 1434, "y": 1699, "radius": 50, "holdMs": 3_600_000});
    assert_eq!(game.line.asks("open", opening)["kind"], "participation.ok");
    for number in 0..members {
        let letter = |digit: usize| char::from(b'a' + u8::try_from(digit % 26).unwrap());
        let name = format!("A{}{}{}", letter(number / 676), letter(number / 26), letter(number));
        game.console.does(&format!("player create {name}"));
        game.console.does(&format!("player connect {name}"));
    }
    game.console.does("clock +60");
}

/// The longest piece of work since it was last asked, in microseconds, and the most members of a tick.
fn worst(game: &mut Game) -> (f64, u64) {
    let status = game.console.does("status");
    (status["longestAskUs"].as_u64().unwrap() as f64, status["mostMembersATick"].as_u64().unwrap())
}

fn tell(what: &str, us: f64) {
    let bound = (TICK_MS * 1_000) as f64;
    println!("{what:<34} {us:>9.0} us, {:>6.3} of a tick's {bound:.0}", us / bound);
}

fn main() {
    let mut counts = std::env::args().skip(1).filter_map(|word| word.parse::<usize>().ok());
    let (members, rounds) = (counts.next().unwrap_or(2_000).clamp(1, 2_000), counts.next().unwrap_or(20).clamp(1, 1_000));
    let directory = tempfile::tempdir().unwrap();
    let mut game = start(directory.path(), members);
    crowd(&mut game, members);
    worst(&mut game);
    thread::sleep(Duration::from_millis(TICK_MS * 21) * u32::try_from(rounds).unwrap());
    let (quiet, _) = worst(&mut game);
    for round in 0..rounds {
        let told = game.line.asks(&format!("look-{round}"), json!({"kind": "world.look", "serials": ["0x7FFFFFFF"]}));
        assert_eq!(told["kind"], "world.look.ok", "{told}");
    }
    let (looked, _) = worst(&mut game);
    for round in 0..rounds {
        let told = game.line.asks(&format!("snapshot-{round}"), json!({"kind": "participation.snapshot"}));
        assert_eq!(told["members"].as_array().unwrap().len(), members, "{}", told["kind"]);
    }
    let (busy, most) = worst(&mut game);
    tell("the worst tick while all is quiet", quiet);
    tell(&format!("during {rounds} looks at nothing"), looked);
    tell(&format!("during {rounds} snapshots of {members}"), busy);
    println!("{:<34} {most:>9} members", "the most that one tick resolved");
}

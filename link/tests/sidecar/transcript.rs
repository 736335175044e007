//! The transcripts of the wire's specification, read from it.

use serde_json::{Map, Value};

/// The specification.
const SPECIFICATION: &str = include_str!("../../../docs/wire.md");

/// One line of a transcript.
#[derive(Clone, Debug)]
pub enum Line {
    /// The engine posts, or gets where there is no body.
    EngineAsks {
        path: String,
        body: Option<Value>,
    },
    /// What the engine is answered.
    EngineIsTold {
        status: u16,
        body: Value,
    },
    Link(Map<String, Value>),
    Game(Map<String, Value>),
    /// A command at the console of the reference game.
    Console(String),
    /// The game's process ends without a word.
    GameDies,
}

/// One transcript and its name.
#[derive(Clone, Debug)]
pub struct Transcript {
    pub name: String,
    pub lines: Vec<Line>,
}

impl Transcript {
    /// Whether it begins with a hello; else the game is on the line already.
    pub fn says_hello(&self) -> bool {
        matches!(&self.lines[0], Line::Game(frame) if frame["kind"] == "server.hello")
    }
}

/// Every transcript of the specification.
pub fn transcripts() -> Vec<Transcript> {
    let blocks = SPECIFICATION.split("```transcript ").skip(1).map(|rest| rest.split("```").next().unwrap());
    let read = |block: &str| {
        let (name, lines) = block.split_once('\n').unwrap();
        Transcript { name: name.to_owned(), lines: lines.lines().map(line).collect() }
    };
    blocks.map(read).collect()
}

fn line(text: &str) -> Line {
    if text == "game dies" {
        return Line::GameDies;
    }
    let (party, rest) = text.split_at(text.find(['<', '>']).unwrap_or_else(|| panic!("no line of a transcript: {text}")) + 1);
    let rest = rest.trim();
    let json = |text: &str| serde_json::from_str(text).unwrap_or_else(|fault| panic!("{fault}: {text}"));
    match party {
        "engine>" => {
            let mut words = rest.splitn(3, ' ');
            let (method, path, body) = (words.next().unwrap(), words.next().unwrap().to_owned(), words.next());
            assert_eq!(method == "POST", body.is_some(), "{text}");
            Line::EngineAsks { path, body: body.map(json) }
        }
        "engine<" => {
            let (status, body) = rest.split_once(' ').unwrap();
            Line::EngineIsTold { status: status.parse().unwrap(), body: json(body) }
        }
        "link>" => Line::Link(serde_json::from_str(rest).unwrap()),
        "game>" => Line::Game(serde_json::from_str(rest).unwrap()),
        "console>" => Line::Console(rest.to_owned()),
        _ => panic!("nobody is called {party}"),
    }
}

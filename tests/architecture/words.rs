//! The engine cannot name a thing in any game.
//!
//! Every word of every text file is looked at, in code, comments, SQL and data alike; identifiers are taken apart at
//! underscores and capitals. One word of games is also Rust's word for starting a thread, a process or a task: `spawn`
//! directly before a parenthesis is such a call and passes, and so does a comment that speaks of one of the three.

use crate::tree::{Text, none, planted, texts};

const FOLDERS: [&str; 5] = ["modules/contract", "aggregates", "projections", "migrations", "src"];

/// Words of games, singular; their plurals are meant too.
const WORDS: [&str; 50] = [
    "orc",
    "creature",
    "spawn",
    "spawned",
    "spawner",
    "spawning",
    "despawn",
    "shard",
    "skill",
    "skillcap",
    "boss",
    "bosses",
    "champ",
    "champion",
    "mob",
    "monster",
    "npc",
    "dungeon",
    "loot",
    "moongate",
    "facet",
    "mongbat",
    "skeleton",
    "dragon",
    "ultima",
    "uo",
    "servuo",
    "runuo",
    "modernuo",
    "britain",
    "yew",
    "felucca",
    "trammel",
    "sosaria",
    "luanti",
    "minetest",
    "minecraft",
    "spigot",
    "valheim",
    "factorio",
    "terraria",
    "palworld",
    "umod",
    "oxide",
    "prefab",
    "convar",
    "cvar",
    "rcon",
    "webrcon",
    "gameserver",
];

/// The words of a line with what follows each: `SkillCap` and `skill_cap` are two, `skillcap` is one.
fn words(line: &str) -> Vec<(String, &str)> {
    let mut found: Vec<(String, &str)> = Vec::new();
    let mut word = String::new();
    let mut before = ' ';
    for (at, c) in line.char_indices().chain([(line.len(), ' ')]) {
        let starts_anew = !c.is_alphabetic() || (c.is_uppercase() && before.is_lowercase());
        if starts_anew && !word.is_empty() {
            found.push((std::mem::take(&mut word), &line[at..]));
        }
        if c.is_alphabetic() {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
    found
}

fn is_of_a_game(word: &str) -> bool {
    WORDS.contains(&word) || word.strip_suffix('s').is_some_and(|one| WORDS.contains(&one))
}

/// Whether the word stands for starting a thread, a process or a task: as a call, or in a comment about one.
fn is_of_rust(word: &str, rest: &str, line: &str) -> bool {
    let started = ["thread", "process", "task"].into_iter().any(|started| line.contains(started));
    let comment = line.trim_start().starts_with("//");
    (word == "spawn" && rest.starts_with('(')) || (["spawn", "spawned"].contains(&word) && comment && started)
}

fn faults(file: &Text) -> Vec<String> {
    let mut faults = Vec::new();
    for (at, line) in file.text.lines().enumerate() {
        for (word, rest) in words(line) {
            if is_of_a_game(&word) && !is_of_rust(&word, rest, line) {
                faults.push(file.fault(at + 1, &format!("{word:?} is a word of a game")));
            }
        }
    }
    faults
}

#[test]
fn a_planted_word_is_found_wherever_it_hides() {
    let of = |text: &str| faults(&planted("src/any.rs", text));
    assert_eq!(of("let a = 1;\nlet orc_count = 2;"), [r#"src/any.rs:2: "orc" is a word of a game"#]);
    for hidden in
        ["// Skills", "struct MyShard;", "\"demo.creature.place\"", "uo.broadcast", "fn spawn_boss()", "-- a MOB", "raidBoss"]
    {
        assert!(!of(hidden).is_empty(), "{hidden}");
    }
    for fine in
        ["tokio::spawn(task)", "self.tasks.spawn(async {})", "fn spawn(command: Command)", "force", "a mobile duo", "embossed"]
    {
        assert_eq!(of(fine), [""; 0], "{fine}");
    }
    assert_eq!(of("/// ends with the thread that spawned it"), [""; 0]);
    assert_eq!(of("/// what the step spawned").len(), 1);
    assert_eq!(of("the spawn of a thing"), [r#"src/any.rs:1: "spawn" is a word of a game"#]);
}

#[test]
fn the_engine_names_nothing_in_any_game() {
    let files: Vec<Text> = FOLDERS.into_iter().flat_map(texts).collect();
    none("The engine, its rules and its contract know no game:", &files.iter().flat_map(faults).collect::<Vec<_>>());
}

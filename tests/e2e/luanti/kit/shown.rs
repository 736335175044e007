//! What a setting does, as those see it who play: the day runs, chat looks, blows hurt, somebody is let in, the dead keep what they carry.

use leasehold_luanti_client::{Player, Seen};
use serde_json::{Value, json};

use super::super::game::{Luanti, until};

/// Speeds of the day that are lent, beside the one that a server has: far enough apart to be told from each other by looking.
const SPEEDS: [f64; 3] = [72.0, 3600.0, 7200.0];

/// The server, and two who play on it.
pub struct Ground<'a> {
    pub game: &'a Luanti,
    pub ann: &'a Player,
    pub bob: &'a Player,
    /// A number that was not used before.
    pub number: u32,
}

/// Another value of a lease than this one.
pub fn other_value(lease: &str, current: &str) -> String {
    let among: &[&str] = match lease {
        "luanti.time_speed" => &["3600", "7200", "72"],
        // Ann and bob are there: with so many, nobody else is let in.
        "luanti.max_users" => &["2", "1", "15"],
        "luanti.enable_pvp" => &["false", "true"],
        "luanti.bones_mode" => &["keep", "drop", "bones"],
        "luanti.chat_message_format" => &["[fair] @name: @message", "(@name) @message"],
        _ if lease.starts_with("luanti.spawner.") => &["3", "2"],
        other => panic!("the rig has to learn what {other} can be"),
    };
    among.iter().find(|other| **other != current).map(|other| (*other).to_owned()).unwrap()
}

impl Ground<'_> {
    /// What shows of the lease's value.
    pub async fn effect(&self, lease: &str) -> Value {
        match lease {
            "luanti.time_speed" => self.day().await,
            "luanti.max_users" => self.door().await,
            "luanti.enable_pvp" => self.blow().await,
            "luanti.bones_mode" => self.death().await,
            "luanti.chat_message_format" => self.chat().await,
            _ if lease.starts_with("luanti.spawner.") => self.game.ask("spawned").await,
            other => panic!("the rig has to learn what shows {other}"),
        }
    }

    /// The speed by the clock of the world, once three looks in turn have seen the same.
    async fn day(&self) -> Value {
        let near = |slope: f64| SPEEDS.into_iter().position(|speed| (0.6..1.6).contains(&(slope / speed)));
        let (mut last, mut looks) = (None, 0);
        until!("the day has a speed", {
            let now = self.game.seen();
            let speed = now["slope"].as_f64().and_then(near);
            if speed.is_some() && last.as_ref().is_none_or(|(_, before)| *before != now["at"]) {
                looks = if last.as_ref().is_some_and(|(before, _)| *before == speed) { looks + 1 } else { 1 };
                last = Some((speed, now["at"].clone()));
            }
            looks == 3
        });
        json!(last.and_then(|(speed, _)| speed).map(|speed| SPEEDS[speed]))
    }

    /// Whether somebody else is let in.
    async fn door(&self) -> Value {
        match Player::join(self.game.address, &format!("cid{}", self.number), "pass").await {
            Ok(cid) => {
                cid.leave().await;
                json!("let in")
            }
            Err(refused) => json!(refused.to_string()),
        }
    }

    /// How whole bob is after a blow of ann's, by the time that she has said that it is struck.
    async fn blow(&self) -> Value {
        self.game.ask("gather").await;
        sees(self.ann, "bob beside her", |seen| seen.player("bob").is_some()).await;
        let bob = self.ann.sees(|seen| seen.player("bob")).unwrap();
        let struck = self.ann.sees(|seen| seen.struck);
        self.ann.hit(bob, 1);
        sees(self.ann, "her blow", |seen| seen.struck > struck).await;
        self.said("struck").await;
        let left = self.game.ask("bob").await["hp"].clone();
        until!("bob's own packets say so too", self.bob.sees(|seen| left == f64::from(seen.hp)));
        left
    }

    /// Whether bob keeps what he carries.
    async fn death(&self) -> Value {
        self.game.ask("gather").await;
        let deaths = self.bob.sees(|seen| seen.deaths);
        self.bob.say("/killme");
        sees(self.bob, "his death", |seen| seen.deaths > deaths).await;
        let left = self.game.ask("bob").await["sticks"].clone();
        let carries = |seen: &Seen| left == f64::from(seen.items.get("default:stick").copied().unwrap_or_default());
        until!("bob's own packets say so too", self.bob.sees(carries));
        self.bob.respawn();
        sees(self.bob, "his life", |seen| seen.hp > 0).await;
        left
    }

    /// How a line of ann's looks to bob.
    async fn chat(&self) -> Value {
        json!(self.said("hello").await.replace(&format!("hello {}", self.number), "hello"))
    }

    /// Ann says a word; the line of it, as bob sees it.
    async fn said(&self, word: &str) -> String {
        let words = format!("{word} {}", self.number);
        self.ann.say(&words);
        sees(self.bob, &words, |seen| seen.heard(&words)).await;
        self.bob.sees(|seen| seen.chat.iter().rev().find(|line| line.contains(&words)).cloned()).unwrap()
    }
}

/// Waits until a player's packets have told that.
pub async fn sees(player: &Player, what: &str, look: impl Fn(&Seen) -> bool) {
    until!(format_args!("{} sees {what}", player.name), {
        assert_eq!(player.sees(|seen| seen.over.clone()), None, "{} is in the world", player.name);
        player.sees(&look)
    });
}

//! The sidecar and the shard, and what was done to them.

#[path = "../programs/mod.rs"]
mod programs;

use std::path::Path;
use std::time::Duration;

use leasehold_module::conformance::Point;
use leasehold_module::{Module, Reach};
use serde_json::Value;
use tempfile::TempDir;
use tokio::process::Child;

use programs::{CONSENTS, HANGS, ask, start};

pub use programs::TOKEN;

/// How long the sidecar waits for an answer that may never come; long beside what an answer takes.
const PATIENCE_MS: &str = "1500";

/// The game's configuration, and what it says: a small world is looked at often.
const CONFIG: &str = "shard.conf";
const FEW: &str = "Spawn.Natives=20\nSpawn.Spawners=20\n";

/// The sidecar's two addresses, which it keeps from life to life.
#[derive(Debug, Clone)]
pub struct Sides {
    pub http: String,
    game: String,
}

pub struct Processes {
    directory: TempDir,
    pub sides: Sides,
    link: Option<Child>,
    shard: Child,
    console: String,
    boot_id: String,
    /// What the next command was to meet.
    pub met: Option<Point>,
    numbers: u32,
}

impl Processes {
    pub async fn start() -> Self {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("token"), TOKEN).unwrap();
        std::fs::create_dir_all(directory.path().join("shard")).unwrap();
        std::fs::write(directory.path().join(CONFIG), FEW).unwrap();
        let any = || "127.0.0.1:0".to_owned();
        let (link, sides) = link(directory.path(), &Sides { http: any(), game: any() }).await;
        let (shard, ready) = shard(directory.path(), &sides).await;
        let told = |field: &str| ready[field].as_str().unwrap().to_owned();
        let (console, boot_id) = (told("console"), told("bootId"));
        Self { directory, sides, link: Some(link), shard, console, boot_id, met: None, numbers: 0 }
    }

    /// A name that nobody had.
    pub fn next_name(&mut self) -> String {
        self.numbers += 1;
        let letters =
            (0..3).map(|place| char::from(b'a' + u8::try_from(self.numbers / 26_u32.pow(place) % 26).unwrap_or_default()));
        format!("New{}", letters.collect::<String>())
    }

    /// One command of the console, and its answer.
    pub async fn console(&self, command: &str) -> Value {
        ask(&self.console, command).await
    }

    pub async fn kill_link(&mut self) {
        if let Some(mut link) = self.link.take() {
            link.kill().await.unwrap();
        }
    }

    /// Everything works again; what was held up is done.
    pub async fn mend(&mut self, module: &dyn Module) {
        match self.met.take() {
            Some(Point::DiesBefore | Point::DiesAfter) => {
                let died = tokio::time::timeout(HANGS, self.shard.wait()).await;
                died.expect("the shard dies where it was asked to").unwrap();
                self.start_shard().await;
            }
            Some(_) => {
                for command in ["fault release", "fault clear"] {
                    let answer = self.console(command).await;
                    assert_eq!(answer["ok"], true, "{command}: {answer}");
                }
            }
            None => {}
        }
        if self.link.is_none() {
            let (process, sides) = link(self.directory.path(), &self.sides).await;
            (self.link, self.sides) = (Some(process), sides);
        }
        self.on_the_line(module).await;
    }

    pub async fn restart(&mut self, module: &dyn Module) {
        self.shard.kill().await.unwrap();
        self.start_shard().await;
        self.on_the_line(module).await;
    }

    async fn start_shard(&mut self) {
        let (shard, ready) = shard(self.directory.path(), &self.sides).await;
        let told = |field: &str| ready[field].as_str().unwrap().to_owned();
        (self.shard, self.console, self.boot_id) = (shard, told("console"), told("bootId"));
    }

    /// Ends when this life of the game is on the line.
    pub async fn on_the_line(&self, module: &dyn Module) {
        let seen = async {
            loop {
                if let Some(Reach::Connected { boot_id: Some(boot_id), .. }) = module.reach("main").await
                    && boot_id == self.boot_id
                {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(HANGS, seen).await.expect("the shard is on the line");
    }
}

async fn link(directory: &Path, sides: &Sides) -> (Child, Sides) {
    let token = directory.join("token");
    let args = ["--http", &sides.http, "--game", &sides.game, "--reply-timeout-ms", PATIENCE_MS, "--token-file"];
    let (process, ready) = start("leasehold-link", &[&args[..], &[token.to_str().unwrap()]].concat()).await;
    let told = |field: &str| ready[field].as_str().unwrap().to_owned();
    (process, Sides { http: told("http"), game: told("game") })
}

async fn shard(directory: &Path, sides: &Sides) -> (Child, Value) {
    let (data, config) = (directory.join("shard"), directory.join(CONFIG));
    let data = ["--data", data.to_str().unwrap(), "--config", config.to_str().unwrap()];
    let args = ["--link", &sides.game, "--console", "127.0.0.1:0", "--seed", "7"];
    start("leasehold-shard", &[&args[..], &data, &CONSENTS].concat()).await
}

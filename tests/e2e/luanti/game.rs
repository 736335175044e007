//! The server as a process, with a fresh flat world, our mod and the witness.

use std::fs;
use std::net::{SocketAddr, UdpSocket};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use tokio::process::{Child, Command};

use crate::world::{GAME_TOKEN, Link, World};

/// What it calls itself on the line.
pub const SCOPE: &str = "luanti";

/// The operator's consent to events, as a line of its settings.
pub const CONSENT: &str = "leasehold.events_enabled = true\n";

/// The mod for mobs that Debian brings.
const MOBS_REDO: &str = "/usr/share/games/minetest/mods/mobs_redo";

/// Whether the mod for mobs, and so a spawner, is there.
pub fn has_spawners() -> bool {
    Path::new(MOBS_REDO).is_dir()
}

/// When a wait is in vain.
pub const HANGS: Duration = Duration::from_secs(60);

/// Waits until the condition, which may be asked for with `.await`, holds.
macro_rules! until {
    ($what:expr, $holds:expr) => {{
        let begun = std::time::Instant::now();
        while !$holds {
            assert!(begun.elapsed() < $crate::luanti::game::HANGS, "waited in vain until {}", $what);
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    }};
}
pub(super) use until;

/// The server, running or not.
pub struct Luanti {
    program: PathBuf,
    directory: PathBuf,
    child: Option<Child>,
    /// Where players join this life of it.
    pub address: SocketAddr,
}

impl Luanti {
    /// A world made ready, with the server not yet running; none where it is not installed.
    pub fn found(directory: &Path) -> Option<Self> {
        let program = super::installed(&["/usr/lib/minetest/minetestserver", "/usr/lib/luanti/luantiserver"])?;
        let world = directory.join("luanti/world");
        fs::create_dir_all(world.join("worldmods")).unwrap();
        symlink(super::module().join("leasehold_bridge"), world.join("worldmods/leasehold_bridge")).unwrap();
        symlink(super::module().join("tests/witness"), world.join("worldmods/leasehold_witness")).unwrap();
        symlink(super::module().join("tests/zoo"), world.join("worldmods/leasehold_zoo")).unwrap();
        if has_spawners() {
            symlink(MOBS_REDO, world.join("worldmods/mobs")).unwrap();
        }
        fs::write(
            world.join("world.mt"),
            "gameid = minetest\nbackend = sqlite3\nplayer_backend = sqlite3\nauth_backend = sqlite3\n",
        )
        .unwrap();
        let address = SocketAddr::from(([127, 0, 0, 1], 0));
        Some(Self { program, directory: directory.join("luanti"), child: None, address })
    }

    /// Boots it on the line of the world's link, with these settings besides.
    pub async fn start(&mut self, world: &World, more: &str) {
        self.start_at(&world.link, &world.link.http, more).await;
    }

    /// The same on the line of that link, which it reaches at that address.
    pub async fn start_at(&mut self, link: &Link, address: &str, more: &str) {
        let before = link.health(SCOPE).await["bootId"].clone();
        self.address = UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let port = self.address.port();
        let settings = format!(
            "bind_address = 127.0.0.1\nport = {port}\nipv6_server = false\nmg_name = flat\nmg_flags = nodecorations,nocaves,nodungeons,nobiomes\n\
             mgflat_spflags = nolakes,nohills,nocaverns\nfixed_map_seed = 7\nenable_weather = false\n\
             server_announce = false\nsecure.http_mods = leasehold_bridge\nleasehold.link = http://{address}\n\
             leasehold.token = {GAME_TOKEN}\nleasehold.scope = {SCOPE}\n\
             static_spawnpoint = 0,9,0\nname = ann\nleasehold.gifts = default:apple,default:sword_steel\nleasehold.privileges = fly,settime\n\
             leasehold.places = square=0,9,0; yard=14,9,0\nleasehold.spawners = den=6,9,6\nserver_map_save_interval = 1\n{more}"
        );
        fs::write(self.directory.join("minetest.conf"), settings).unwrap();
        let log = fs::OpenOptions::new().create(true).append(true).open(self.directory.join("said")).unwrap();
        let mut command = Command::new(&self.program);
        command.arg("--world").arg(self.directory.join("world")).arg("--config").arg(self.directory.join("minetest.conf"));
        command.arg("--logfile").arg(self.directory.join("debug.txt")).env("HOME", &self.directory);
        command.stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log).kill_on_drop(true);
        self.child = Some(command.spawn().unwrap());
        until!(format_args!("Luanti is on the line; see {}", self.directory.display()), {
            let health = link.health(SCOPE).await;
            health["connected"] == true && health["bootId"] != before
        });
    }

    /// What is to go wrong next in the midst of an order, before its answer is written down: `hang` or `fail`.
    pub fn fails_next(&self, how: &str) {
        fs::write(self.world("fault"), how).unwrap();
    }

    /// Whether that has not come yet.
    pub fn is_to_fail(&self) -> bool {
        self.world("fault").exists()
    }

    /// What the witness tells when it is asked: `all`, `gather`, `bob`, `spawned`.
    pub async fn ask(&self, word: &str) -> Value {
        let answer = || fs::read(self.world("answer.json")).ok().and_then(|told| serde_json::from_slice::<Value>(&told).ok());
        let number = answer().and_then(|told| told["number"].as_f64()).unwrap_or_default() + 1.0;
        // Read while it is being written it would be half a word.
        fs::write(self.world("ask.new"), format!("{number} {word}\n")).unwrap();
        fs::rename(self.world("ask.new"), self.world("ask")).unwrap();
        let told = || answer().is_some_and(|told| told["number"] == number);
        until!(format_args!("the witness tells {word}; see {}", self.directory.display()), told());
        answer().unwrap()["told"].clone()
    }

    /// `kill -9`, and the wait until it is gone.
    pub async fn kill9(&mut self) {
        self.child.take().expect("it runs").kill().await.unwrap();
    }

    /// Asks it to stop, and waits until it has saved its world and is gone.
    pub async fn stop(&mut self) {
        let mut child = self.child.take().expect("it runs");
        let id = child.id().expect("it has not been waited for").to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().await.unwrap().success());
        assert!(child.wait().await.unwrap().success());
    }

    /// Puts the clock that its mods go by so many seconds ahead of the machine's.
    pub fn put_ahead(&self, seconds: u32) {
        fs::write(self.world("ahead"), seconds.to_string()).unwrap();
    }

    /// A copy of its map; it must be stopped.
    pub fn copy_of_the_map(&self) -> Vec<u8> {
        assert!(self.child.is_none(), "it is stopped first");
        fs::read(self.world("map.sqlite")).unwrap()
    }

    /// Puts an older map in the place of this one; it must be stopped.
    pub fn put_back_the_map(&self, map: &[u8]) {
        assert!(self.child.is_none(), "it is stopped first");
        fs::write(self.world("map.sqlite"), map).unwrap();
    }

    fn world(&self, name: &str) -> PathBuf {
        self.directory.join("world").join(name)
    }

    /// What the witness saw last.
    pub fn seen(&self) -> Value {
        fs::read(self.world("witness.json")).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    /// Has it stand still in the midst of making the next mob.
    pub fn hang_before_the_next_mob(&self) {
        fs::write(self.world("hang_before_mob"), "").unwrap();
    }

    /// Whether it stands still there.
    pub fn hangs(&self) -> bool {
        self.world("hangs").exists()
    }

    /// It is to stand still no more in its next life.
    pub fn mend(&self) {
        for word in ["hang_before_mob", "hangs", "fault"] {
            drop(fs::remove_file(self.world(word)));
        }
    }

    /// Whether it has ended by itself.
    pub fn is_dead(&mut self) -> bool {
        self.child.as_mut().is_none_or(|child| child.try_wait().unwrap().is_some())
    }

    /// Who took part, as it told it last, by its journal.
    pub fn told_who_took_part(&self) -> Value {
        let journal = fs::read_to_string(self.world("leasehold_journal.log")).unwrap();
        let mut answers = journal.lines().filter(|line| line.starts_with("answered\t"));
        let told = answers.rfind(|line| line.contains("\"participants\"")).expect("it was asked who took part");
        let answer: Value = serde_json::from_str(&format!("{{{}}}", told.split('\t').nth(3).unwrap())).unwrap();
        answer["participants"].clone()
    }

    /// Whether its audit file tells that it has reported such a thing.
    pub fn has_reported(&self, kind: &str) -> bool {
        let audit = fs::read_to_string(self.world("leasehold_audit.jsonl")).unwrap();
        audit.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()).any(|row| row["report"] == kind)
    }

    /// The commands of a run that its audit file tells, each with what it was answered.
    pub fn audited(&self, run_id: &str) -> Vec<(String, String)> {
        let text = fs::read_to_string(self.world("leasehold_audit.jsonl")).unwrap();
        let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let of_run = rows.filter(|row| row["runId"] == run_id && row["kind"].is_string());
        of_run.map(|row| (word(&row["kind"]), word(&row["answer"]))).collect()
    }
}

fn word(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

//! An engine, as a process that is killed, stopped, put to sleep and started again on the same log.

use std::path::{Path, PathBuf};

use serde_json::json;
use tokio::process::Command;

use super::api::{Api, TOKEN};
use super::process::Process;
use super::programs;

/// What every life of an engine is started with.
#[derive(Debug, Clone)]
pub struct Ground {
    pub directory: PathBuf,
    pub app_url: String,
    pub owner_url: String,
    pub links: String,
    /// Settings, by the names of their environment variables.
    pub settings: Vec<(&'static str, &'static str)>,
}

/// One engine, running or not.
#[derive(Debug)]
pub struct Engine {
    process: Option<Process>,
    asleep: bool,
    doomed: bool,
    ground: Ground,
    name: String,
    pub api: Api,
}

impl Engine {
    /// Starts one of that name; `crash_at` names the point at which it is to die.
    pub async fn start(ground: Ground, name: &str, crash_at: Option<&str>) -> Self {
        let mut engine =
            Self { process: None, asleep: false, doomed: false, ground, name: name.to_owned(), api: Api::at("127.0.0.1:1") };
        engine.live(crash_at).await;
        engine
    }

    /// Starts it again, to die of nothing.
    pub async fn restart(&mut self) {
        self.live(None).await;
    }

    /// Starts it again with other settings.
    pub async fn restart_with(&mut self, settings: Vec<(&'static str, &'static str)>) {
        self.ground.settings = settings;
        self.live(None).await;
    }

    /// Its next life has other ways to games.
    pub fn reaches(&mut self, links: String) {
        self.ground.links = links;
    }

    /// Starts it again with other ways to games.
    pub async fn restart_reaching(&mut self, links: String) {
        self.reaches(links);
        self.live(None).await;
    }

    /// Starts it again with other settings, to die at that point before it is ready.
    pub async fn restart_with_doom(&mut self, settings: Vec<(&'static str, &'static str)>, crash_at: &str) {
        assert!(self.process.is_none(), "{} runs already", self.name);
        self.ground.settings = settings;
        let output = self.command(Some(crash_at)).kill_on_drop(true).output().await.unwrap();
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(words.contains(&format!("crash point {crash_at} reached")), "{words}");
    }

    /// Starts it again, to die at that point.
    pub async fn restart_to_die(&mut self, crash_at: &str) {
        self.live(Some(crash_at)).await;
    }

    async fn live(&mut self, crash_at: Option<&str>) {
        assert!(self.process.is_none(), "{} runs already", self.name);
        let (process, ready) = Process::start(&self.name, self.command(crash_at), self.stderr()).await;
        self.api = Api::at(ready["address"].as_str().unwrap_or_else(|| panic!("{ready}")));
        self.process = Some(process);
        self.doomed = crash_at.is_some();
    }

    fn command(&self, crash_at: Option<&str>) -> Command {
        let mut command = Command::new(programs::engine());
        command.args(["serve", "--clock=controlled"]);
        command.env("DATABASE_URL", &self.ground.app_url).env("LEASEHOLD_OWNER_URL", &self.ground.owner_url);
        command.env("LEASEHOLD_BIND", "127.0.0.1:0").env("LEASEHOLD_ADMIN_TOKEN", TOKEN);
        command.env("LEASEHOLD_LINKS", &self.ground.links).env("LEASEHOLD_DATA_DIR", self.ground.directory.join("data"));
        command.env("LEASEHOLD_LOG", "info,leasehold=debug").env_remove("LEASEHOLD_CRASH_AT").env("RUST_BACKTRACE", "1");
        command.envs(self.ground.settings.iter().copied());
        if let Some(point) = crash_at {
            command.env("LEASEHOLD_CRASH_AT", point);
        }
        command
    }

    /// Its next life is on other ground.
    pub fn move_to(&mut self, ground: Ground) {
        self.ground = ground;
    }

    /// `kill -9`.
    pub async fn kill9(&mut self) {
        self.asleep = false;
        self.process.take().expect("the engine runs").kill9().await;
    }

    /// Asks it to stop; it has to do so properly.
    pub async fn stop(&mut self) {
        let process = self.process.take().expect("the engine runs");
        let words = process.words();
        let status = process.terminate().await;
        assert!(status.success(), "{} ended with {status}\n{words}", self.name);
    }

    /// Waits until it has died at that point, and was seen to.
    pub async fn died_at(&mut self, point: &str) {
        let mut process = self.process.take().expect("the engine runs");
        process.aborted().await;
        let told = format!("crash point {point} reached");
        assert!(process.words().contains(&told), "{} died elsewhere than at {point}\n{}", self.name, process.words());
    }

    /// Takes note of its death, if it has died where it was doomed to.
    pub fn bury(&mut self) {
        if self.process.as_mut().is_some_and(Process::has_ended) {
            self.process = None;
            self.asleep = false;
        }
    }

    /// Stops it where it stands, without its knowing.
    pub fn suspend(&mut self) {
        self.asleep = true;
        self.process.as_ref().expect("the engine runs").suspend();
    }

    pub fn resume(&mut self) {
        self.asleep = false;
        self.process.as_ref().expect("the engine runs").resume();
    }

    pub fn is_running(&self) -> bool {
        self.process.is_some()
    }

    /// Whether there is a point at which it is still to die.
    pub fn is_doomed(&self) -> bool {
        self.doomed && self.is_running()
    }

    pub fn is_asleep(&self) -> bool {
        self.asleep
    }

    /// Everything that is needed for the plans of these tests, switched on.
    pub async fn enable_all(&self) {
        self.api.enable("core.lease", &json!({})).await;
        self.api.enable("uo.creature.spawn", &json!({"uo.creatures": 60})).await;
    }

    /// What a command of the engine's own command line prints; it has to end well.
    pub fn cli(&self, args: &[&str]) -> String {
        let mut command = std::process::Command::new(programs::engine());
        command.args(args).env("DATABASE_URL", &self.ground.app_url);
        let output = command.output().unwrap();
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "leasehold {args:?}: {}\n{out}\n{err}", output.status);
        out.into_owned()
    }

    /// What such a command tells when it does nothing, asking the engine's own links first.
    pub fn cli_refused(&self, args: &[&str]) -> String {
        let mut command = std::process::Command::new(programs::engine());
        command.args(args).env("DATABASE_URL", &self.ground.app_url).env("LEASEHOLD_LINKS", &self.ground.links);
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(1), "leasehold {args:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    }

    /// What it has said on standard error in all its lives.
    pub fn all_words(&self) -> String {
        std::fs::read_to_string(self.stderr()).unwrap_or_default()
    }

    /// What it has said in this life.
    pub fn words(&self) -> String {
        self.process.as_ref().map_or_else(|| self.all_words(), Process::words)
    }

    fn stderr(&self) -> PathBuf {
        Path::new(&self.ground.directory).join(format!("{}.stderr", self.name))
    }
}

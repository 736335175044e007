//! The database put back to an older copy of itself, as an operator would with PostgreSQL's own programs.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::str::FromStr;

use leasehold::embedded::Binaries;
use leasehold::log;
use sqlx::Executor as _;
use sqlx::postgres::PgConnectOptions;

use super::World;

const EMPTY: &str = "drop schema public cascade; drop schema projections cascade; create schema public";

impl World {
    /// A copy of the whole database as it is now.
    pub fn dump(&self) -> PathBuf {
        let file = self.ground.directory.join("copy.dump");
        run("pg_dump", |command| command.args(["--format=custom", "--file"]).arg(&file).arg(&self.ground.owner_url));
        file
    }

    /// Puts the copy in the place of everything that the database holds now. No engine may be running.
    pub async fn put_back(&self, copy: &Path) {
        assert!(!self.engine.is_running(), "the engine is stopped first");
        self.database.owner().await.execute(EMPTY).await.unwrap();
        run("pg_restore", |command| command.args(["--exit-on-error", "--dbname", &self.ground.owner_url]).arg(copy));
    }

    /// Begins a log of its own in the place of this one, at the same time of day. No engine may be running.
    pub async fn start_another_log(&self) {
        assert!(!self.engine.is_running(), "the engine is stopped first");
        let now = self.clock.now().await;
        let mut owner = self.database.owner().await;
        owner.execute(EMPTY).await.unwrap();
        log::prepare(&PgConnectOptions::from_str(&self.ground.owner_url).unwrap()).await.unwrap();
        let clock = sqlx::query("insert into public.controlled_clock (now) values ($1)");
        clock.bind(now).execute(&mut owner).await.unwrap();
    }
}

fn run(program: &str, with: impl FnOnce(&mut Command) -> &mut Command) {
    let mut command = Command::new(Binaries::find(None).unwrap().program(program));
    let output = with(&mut command).output().unwrap();
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
}

//! The database put back to an older copy of itself, as an operator would with PostgreSQL's own programs.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use leasehold::log;
use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection as _, Executor as _, PgConnection};
use tokio::sync::OnceCell;

use super::{Clock, World};
use crate::support::{pg_dump, pg_restore};

const EMPTY: &str = "drop schema public cascade; drop schema projections cascade; create schema public";

impl World {
    /// How its owner reaches the database.
    pub fn owner_url(&self) -> &str {
        &self.ground.owner_url
    }

    /// A copy of the whole database as it is now.
    pub fn dump(&self) -> PathBuf {
        let file = self.ground.directory.join("copy.dump");
        pg_dump(&self.ground.owner_url, &[], &file).unwrap();
        file
    }

    /// Puts the copy in the place of everything that the database holds now. No engine may be running.
    pub async fn put_back(&self, copy: &Path) {
        assert!(!self.engine.is_running(), "the engine is stopped first");
        self.database.owner().await.execute(EMPTY).await.unwrap();
        pg_restore(&self.ground.owner_url, &[], copy).unwrap();
    }

    /// From now on the world's engine, clock and books are those of another database. No engine may be running.
    pub async fn move_to(&mut self, owner_url: &str, app_url: &str) {
        assert!(!self.engine.is_running(), "the engine is stopped first");
        (self.ground.owner_url, self.ground.app_url) = (owner_url.to_owned(), app_url.to_owned());
        self.engine.move_to(self.ground.clone());
        self.clock = Clock::going_on(PgConnection::connect(owner_url).await.unwrap());
        self.log = OnceCell::new();
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

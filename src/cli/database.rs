//! Which database a command works on: the user's own, the engine's, or the one that a running engine has open.

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;
use sqlx::postgres::PgConnectOptions;

use super::Failed;
use crate::embedded::{Embedded, EmbeddedError};
use crate::log::{Log, LogOptions, prepare};

/// Where a running engine says how its own database is reached; readable by its user alone.
const WHERE: &str = "database-urls";

#[derive(Debug, Clone, Args)]
pub struct DatabaseArgs {
    /// PostgreSQL to use, as the role that appends. Unset: the engine runs one of its own under the data directory.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true, global = true)]
    pub database_url: Option<String>,
    /// The role that owns the schema and migrates it. Unset: the same as `--database-url`.
    #[arg(long, env = "LEASEHOLD_OWNER_URL", hide_env_values = true, requires = "database_url", global = true)]
    pub owner_url: Option<String>,
    /// Where the engine keeps what is its own.
    #[arg(long, env = "LEASEHOLD_DATA_DIR", default_value = "./.leasehold", global = true)]
    pub data_dir: PathBuf,
}

/// A database that is open, and the server behind it if it is ours.
pub struct Database {
    owner: PgConnectOptions,
    app: PgConnectOptions,
    pub embedded: Option<Embedded>,
    told: Option<PathBuf>,
}

impl Database {
    /// For the engine: the given database, or its own server, which nobody else may have open.
    pub async fn of_engine(args: &DatabaseArgs) -> Result<Self, Failed> {
        match &args.database_url {
            Some(url) => Self::given(url, args.owner_url.as_deref()),
            None => Self::own(&args.data_dir).await,
        }
    }

    /// For a command beside the engine: the given database, the one that a running engine has open, or its own server,
    /// started for this command.
    pub async fn beside_engine(args: &DatabaseArgs) -> Result<Self, Failed> {
        if let Some(url) = &args.database_url {
            return Self::given(url, args.owner_url.as_deref());
        }
        if !Embedded::is_at(&args.data_dir) {
            return Err(format!(
                "{} holds no engine's data; name the directory with --data-dir, or a database with --database-url",
                args.data_dir.display()
            )
            .into());
        }
        match Self::own(&args.data_dir).await {
            Err(error) if error.downcast_ref::<EmbeddedError>().is_some_and(EmbeddedError::is_in_use) => {
                let urls = fs::read_to_string(args.data_dir.join(WHERE)).map_err(|_| error)?;
                let (owner, app) = urls.split_once('\n').unwrap_or((&urls, &urls));
                Self::given(app.trim(), Some(owner.trim()))
            }
            other => other,
        }
    }

    fn given(app: &str, owner: Option<&str>) -> Result<Self, Failed> {
        let options =
            |url: &str| PgConnectOptions::from_str(url).map_err(|error| format!("the database URL cannot be used: {error}"));
        Ok(Self { owner: options(owner.unwrap_or(app))?, app: options(app)?, embedded: None, told: None })
    }

    async fn own(data_dir: &Path) -> Result<Self, Failed> {
        let embedded = Embedded::start(data_dir).await?;
        let mut database = Self::given(embedded.app_url(), Some(embedded.owner_url()))?;
        let told = data_dir.join(WHERE);
        write_secret(&told, &format!("{}\n{}\n", embedded.owner_url(), embedded.app_url()))?;
        (database.embedded, database.told) = (Some(embedded), Some(told));
        Ok(database)
    }

    /// Brings the schema up to date and connects.
    pub async fn log(&self) -> Result<Log, Failed> {
        prepare(&self.owner).await?;
        Ok(Log::connect(self.app.clone(), LogOptions::default()).await?)
    }

    /// Stops the server, if it is ours.
    pub async fn close(self) -> Result<(), Failed> {
        if let Some(told) = &self.told {
            // Whoever reads it afterwards finds no server there; a file that stays is written anew at the next start.
            let _ = fs::remove_file(told);
        }
        match self.embedded {
            Some(embedded) => Ok(embedded.stop().await?),
            None => Ok(()),
        }
    }
}

/// Writes a file that only this user may read.
pub fn write_secret(path: &Path, text: &str) -> std::io::Result<()> {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;
    // A file that was there before may be open to others.
    let _ = fs::remove_file(path);
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())
}

//! Bringing a database to the schema that this program was built with. Forward only.

use sqlx::migrate::{MigrateError, Migrator};
use sqlx::{Connection, PgConnection, Row};

/// The migrations, oldest first.
pub static MIGRATIONS: Migrator = sqlx::migrate!("./migrations");

/// The oldest PostgreSQL that knows everything the schema uses.
const OLDEST_SERVER: i32 = 14;

/// Why a database cannot hold the log.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    #[error("the database did not carry out what the set-up asked of it")]
    Database(#[from] sqlx::Error),
    #[error("the database could not be brought to this program's schema")]
    Migrate(#[from] MigrateError),
    #[error("the server is PostgreSQL {found}; the log needs {OLDEST_SERVER} or newer")]
    ServerTooOld { found: i32 },
    #[error("the database stores text as {found}; the log needs one that stores UTF8")]
    Encoding { found: String },
    #[error("the schema lacks version {missing}, and {role} may not add it: start once as the owner of the database")]
    Behind { missing: i64, role: String },
    #[error("the schema has version {found}, which is newer than this program: run the newer program")]
    Ahead { found: i64 },
}

/// Refuses a server or a database in which the schema could not keep its promises.
pub(super) async fn can_hold_the_log(connection: &mut PgConnection) -> Result<(), SetupError> {
    let row = sqlx::query(
        "select current_setting('server_version_num')::int / 10000 as version, current_setting('server_encoding') as encoding",
    )
    .fetch_one(connection)
    .await?;
    let version: i32 = row.try_get("version")?;
    if version < OLDEST_SERVER {
        return Err(SetupError::ServerTooOld { found: version });
    }
    let encoding: String = row.try_get("encoding")?;
    if encoding != "UTF8" {
        return Err(SetupError::Encoding { found: encoding });
    }
    Ok(())
}

/// Applies what is missing, one engine at a time.
pub(super) async fn forward(connection: &mut PgConnection) -> Result<(), SetupError> {
    match MIGRATIONS.run(connection).await {
        Err(MigrateError::VersionMissing(found)) => Err(SetupError::Ahead { found }),
        other => Ok(other?),
    }
}

/// For a role that may not migrate: the schema must be there already.
pub(super) async fn is_current(connection: &mut PgConnection, role: &str) -> Result<(), SetupError> {
    let mut transaction = connection.begin().await?;
    let applied: Vec<i64> = sqlx::query_scalar("select version from public._sqlx_migrations where success order by version")
        .fetch_all(&mut *transaction)
        .await?;
    transaction.commit().await?;
    let known = |version: &i64| MIGRATIONS.iter().any(|migration| migration.version == *version);
    if let Some(found) = applied.iter().find(|version| !known(version)) {
        return Err(SetupError::Ahead { found: *found });
    }
    match MIGRATIONS.iter().find(|migration| !applied.contains(&migration.version)) {
        Some(migration) => Err(SetupError::Behind { missing: migration.version, role: role.to_owned() }),
        None => Ok(()),
    }
}

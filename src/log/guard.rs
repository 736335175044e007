//! Who may do what with the log: asserted anew by the owner at each start, and looked at by whoever asks whether it holds.

use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Connection, Executor, PgConnection, Row};

use super::error::LogError;
use super::migrate::{self, SetupError};
use super::{LOCK, Log};

/// The role that appends and owns the projections.
pub const APP: &str = "leasehold_app";
/// The role that reads what is evidence, and nothing personal.
pub const AUDITOR: &str = "leasehold_auditor";

/// What keeps the log append-only for the role that the engine connects as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AppendOnly {
    /// The role has no right to change the log, and the triggers would refuse it as well.
    ByPermission,
    /// One role for everything: it owns the log, and its triggers alone refuse.
    ByTriggerAlone,
}

/// Why the log is not known to be append-only.
#[derive(Debug, thiserror::Error)]
pub enum GuardError {
    #[error("the trigger {trigger} on the log is missing, replaced or switched off: start once as the owner of the database")]
    Unguarded { trigger: String },
    #[error("whether the log is guarded could not be seen")]
    Read(#[from] LogError),
}

/// The triggers that guard the log, with the functions they run.
const TRIGGERS: [(&str, &str); 4] = [
    ("leasehold_1_enter", "leasehold_enter"),
    ("leasehold_2_stamp", "leasehold_stamp"),
    ("leasehold_3_verify", "leasehold_verify"),
    ("leasehold_4_refuse", "leasehold_refuse"),
];

/// Brings the database to this program's schema and asserts roles, rights and triggers, connected as its owner.
///
/// A role that does not own the log changes nothing: it is told if the schema is not this program's. An owner that may not
/// create roles goes without them, and the log is then append-only by trigger alone.
pub async fn prepare(owner: &PgConnectOptions) -> Result<(), SetupError> {
    let mut connection = owner.clone().application_name("leasehold set-up").connect().await?;
    migrate::can_hold_the_log(&mut connection).await?;
    let row = sqlx::query(
        "select current_user::text as role,
                coalesce((select pg_has_role(c.relowner, 'MEMBER') from pg_class c where c.oid = to_regclass('public.events')),
                         true) as owns",
    )
    .fetch_one(&mut connection)
    .await?;
    if row.try_get("owns")? {
        migrate::forward(&mut connection).await?;
        assert_guards(&mut connection).await?;
    } else {
        let role: String = row.try_get("role")?;
        migrate::is_current(&mut connection, &role).await?;
    }
    connection.close().await?;
    Ok(())
}

/// Under the lock of the log, so that neither another start nor an append is in between.
async fn assert_guards(connection: &mut PgConnection) -> Result<(), SetupError> {
    let mut transaction = connection.begin().await?;
    transaction.execute(format!("select pg_advisory_xact_lock({LOCK})").as_str()).await?;
    transaction.execute(ROLES).await?;
    transaction.execute(RIGHTS).await?;
    for (trigger, _) in TRIGGERS {
        let enabled = sqlx::query_scalar::<_, bool>(
            "select tgenabled = 'A' from pg_trigger where tgrelid = 'public.events'::regclass and tgname = $1",
        );
        if enabled.bind(trigger).fetch_optional(&mut *transaction).await? == Some(false) {
            tracing::warn!(
                trigger,
                "a guard of the log was not on for every session; it is again. What was written meanwhile may not have been \
                 checked: run `leasehold log verify`"
            );
            let again = format!("alter table public.events enable always trigger {trigger}");
            transaction.execute(again.as_str()).await?;
        }
    }
    transaction.commit().await?;
    Ok(())
}

/// Makes the two roles where they are missing and may be made. They are shared by all databases of a cluster and get
/// their passwords, if any, from whoever sets the cluster up.
const ROLES: &str = "
do $$
declare
    name text;
begin
    if not (select rolsuper or rolcreaterole from pg_roles where rolname = current_user) then
        return;
    end if;
    foreach name in array array['leasehold_app', 'leasehold_auditor'] loop
        begin
            if not exists (select from pg_roles where rolname = name) then
                execute format('create role %I nologin', name);
                execute format('alter role %I set idle_in_transaction_session_timeout = %L', name, '30s');
                execute format('alter role %I set lock_timeout = %L', name, '5s');
            end if;
            if not pg_has_role(current_user, name, 'MEMBER') then
                execute format('grant %I to current_user', name);
            end if;
        exception when duplicate_object or unique_violation then
            null; -- another start in this cluster made it at the same moment
        end;
    end loop;
end $$";

/// Gives each role its rights, and no others on the log. Nothing personal is the auditor's to read.
const RIGHTS: &str = "
do $$
declare
    made text;
begin
    if not exists (select from pg_roles where rolname = 'leasehold_app' and pg_has_role(oid, 'MEMBER')) then
        create schema if not exists projections;
        return;
    end if;
    create schema if not exists projections authorization leasehold_app;
    -- What a start as the owner alone has made belongs to whoever keeps the projections from now on.
    for made in select c.oid::regclass::text from pg_class c
                where c.relnamespace = 'projections'::regnamespace and c.relkind in ('r', 'v')
                  and c.relowner <> 'leasehold_app'::regrole loop
        execute format('alter table %s owner to leasehold_app', made);
    end loop;
    execute 'alter schema projections owner to leasehold_app';
    grant usage on schema public to leasehold_app, leasehold_auditor;
    revoke all on public.events, public.commands, public._sqlx_migrations from leasehold_app, leasehold_auditor;
    grant select, insert on public.events, public.commands to leasehold_app;
    grant select on public._sqlx_migrations to leasehold_app, leasehold_auditor;
    grant select, insert, update, delete on public.staged, public.listeners, public.leadership, public.cursors, public.games,
        public.members, public.firings, public.drafts, public.notes, public.accounts, public.account_tokens, public.idempotency_keys, public.controlled_clock
        to leasehold_app;
    grant select on public.events, public.commands, public.staged, public.listeners, public.leadership, public.cursors, public.games,
        public.firings to leasehold_auditor;
end $$";

impl Log {
    /// Whether the log is append-only for the role of this connection, and by what.
    pub async fn append_only(&self) -> Result<AppendOnly, GuardError> {
        for (trigger, function) in TRIGGERS {
            if !self.is_guarded_by(trigger, function).await? {
                return Err(GuardError::Unguarded { trigger: trigger.to_owned() });
            }
        }
        let may_change = sqlx::query_scalar::<_, bool>(
            "select has_table_privilege(c.oid, 'UPDATE, DELETE, TRUNCATE, TRIGGER') or pg_has_role(c.relowner, 'MEMBER')
             from pg_class c where c.oid = 'public.events'::regclass",
        );
        let may_change = may_change.fetch_one(self.pool()).await.map_err(LogError::from)?;
        Ok(if may_change { AppendOnly::ByTriggerAlone } else { AppendOnly::ByPermission })
    }

    /// The trigger fires in every session and runs our function, whose names no `search_path` can bend.
    async fn is_guarded_by(&self, trigger: &str, function: &str) -> Result<bool, LogError> {
        let guarded = sqlx::query_scalar(
            "select exists (
                 select from pg_trigger t join pg_proc f on f.oid = t.tgfoid
                 where t.tgrelid = 'public.events'::regclass and t.tgname = $1 and t.tgenabled = 'A'
                   and f.proname = $2 and f.pronamespace = 'public'::regnamespace
                   and 'search_path=pg_catalog, pg_temp' = any(f.proconfig))",
        );
        Ok(guarded.bind(trigger).bind(function).fetch_one(self.pool()).await?)
    }
}

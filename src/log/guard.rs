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
    #[error(
        "the function {function}, which guards the log, is not the one that this program knows: put it back as its migration \
         has it, and do not trust what was written meanwhile until `leasehold log verify` has found it whole"
    )]
    Altered { function: String },
    #[error("whether the log is guarded could not be seen")]
    Read(#[from] LogError),
}

/// One trigger that guards the log.
struct Guard {
    trigger: &'static str,
    function: &'static str,
    /// When it fires, as the bits of `pg_trigger.tgtype`.
    fires: i16,
    /// Whether it has a condition.
    conditional: bool,
}

const GUARDS: [Guard; 4] = [
    // Before insert, for each statement.
    Guard { trigger: "leasehold_1_enter", function: "leasehold_enter", fires: 2 + 4, conditional: false },
    // Before insert, for each row that has no position.
    Guard { trigger: "leasehold_2_stamp", function: "leasehold_stamp", fires: 1 + 2 + 4, conditional: true },
    // After insert, for each statement.
    Guard { trigger: "leasehold_3_verify", function: "leasehold_verify", fires: 4, conditional: false },
    // Before delete, update or truncate, for each statement.
    Guard { trigger: "leasehold_4_refuse", function: "leasehold_refuse", fires: 2 + 8 + 16 + 32, conditional: false },
];

/// Where the functions of the guards are made.
const MADE_BY: &str = include_str!("../../migrations/0001_events.sql");

impl Guard {
    /// The text of its function, as its migration has it.
    fn body(&self) -> Option<&'static str> {
        let made = MADE_BY.split_once(&format!("create function public.{}()", self.function))?.1;
        made.split("$$").nth(1)
    }
}

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
    for Guard { trigger, .. } in GUARDS {
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
        for guard in &GUARDS {
            let text = self.text_behind(guard).await?;
            let text = text.ok_or_else(|| GuardError::Unguarded { trigger: guard.trigger.to_owned() })?;
            if guard.body() != Some(&text) {
                return Err(GuardError::Altered { function: guard.function.to_owned() });
            }
        }
        let may_change = sqlx::query_scalar::<_, bool>(
            "select has_table_privilege(c.oid, 'UPDATE, DELETE, TRUNCATE, TRIGGER') or pg_has_role(c.relowner, 'MEMBER')
             from pg_class c where c.oid = 'public.events'::regclass",
        );
        let may_change = may_change.fetch_one(self.pool()).await.map_err(LogError::from)?;
        Ok(if may_change { AppendOnly::ByTriggerAlone } else { AppendOnly::ByPermission })
    }

    /// The text of the function that the trigger runs: if it fires in every session when it should, and runs the function of this
    /// name, whose own names no `search_path` can bend.
    async fn text_behind(&self, guard: &Guard) -> Result<Option<String>, LogError> {
        let text = sqlx::query_scalar(
            "select f.prosrc from pg_trigger t join pg_proc f on f.oid = t.tgfoid
             where t.tgrelid = 'public.events'::regclass and t.tgname = $1 and t.tgenabled = 'A'
               and t.tgtype = $3 and (t.tgqual is not null) = $4 and cardinality(t.tgattr) = 0
               and f.proname = $2 and f.pronamespace = 'public'::regnamespace
               and 'search_path=pg_catalog, pg_temp' = any(f.proconfig)",
        );
        let text = text.bind(guard.trigger).bind(guard.function).bind(guard.fires).bind(guard.conditional);
        Ok(text.fetch_optional(self.pool()).await?)
    }
}

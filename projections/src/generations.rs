//! Generations: each is a whole set of one version's tables. One of them serves its version's programs, through views;
//! at most one is being built beside it. A number is never used twice, so that whoever slept through the end of a
//! generation cannot write into another.
//!
//! | state | who moves it on |
//! | --- | --- |
//! | `building` | whoever leads its consumer and has caught up with the one that serves: to `serving` |
//! | `serving` | the same swap: to `retired`. The last one of an older version: to `dropped` |
//! | `retired` | the one that serves in its place: to `dropped`, as nobody reads it any more |
//! | `dropped` | nobody; the row stays, for its number |

use sqlx::{Connection, Executor, PgConnection};

use crate::{Place, Projection};

/// Advisory lock of whoever makes or drops tables, so that two engines that start at once do not trip over each other.
const MAKING: i64 = 6_022_918_413;

const TABLE: &str = include_str!("generations.sql");

/// What programs before the generations had left: its rows are derived, and made anew.
const EARLIER: &str = "
do $$
declare
    old text;
begin
    if to_regclass('projections.serving') is null then
        return;
    end if;
    for old in select format('%I.%I', schemaname, tablename) from pg_tables where schemaname = 'projections' loop
        execute 'drop table ' || old;
    end loop;
    delete from public.cursors where consumer like 'projection/%';
    delete from public.leadership where consumer like 'projection/%';
end $$";

/// One set of tables of one version of a projection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Generation {
    pub name: &'static str,
    pub version: u32,
    /// From 1.
    pub number: u32,
}

impl Generation {
    pub fn of(projection: &dyn Projection, number: u32) -> Self {
        Self { name: projection.name(), version: projection.version(), number }
    }

    /// Name of its durable cursor, and of its leadership.
    pub fn consumer(&self) -> String {
        format!("projection/{}/{}/{}", self.name, self.version, self.number)
    }

    pub fn place(&self) -> Place {
        Place::Generation(self.number)
    }
}

/// Makes what is missing: the list of generations, and for each projection that has neither one that serves nor one that
/// is being built, a new one. Where the log is still empty it serves at once; else it has to be built first.
pub async fn prepare(connection: &mut PgConnection, projections: &[&dyn Projection]) -> Result<(), sqlx::Error> {
    let mut transaction = making(connection).await?;
    for projection in projections {
        if at(&mut transaction, *projection, "serving").await?.or(at(&mut transaction, *projection, "building").await?).is_none()
        {
            let head = sqlx::query_scalar::<_, Option<i64>>("select max(position) from public.events");
            let empty = head.fetch_one(&mut *transaction).await?.unwrap_or(0) == 0;
            let generation = make(&mut transaction, *projection).await?;
            if empty {
                index(&mut transaction, *projection, generation).await?;
                serve(&mut transaction, *projection, generation).await?;
            }
        }
    }
    transaction.commit().await
}

/// The generation that is being built, a new one if there is none; says whether it is new.
pub async fn begin(connection: &mut PgConnection, projection: &dyn Projection) -> Result<(Generation, bool), sqlx::Error> {
    let mut transaction = making(connection).await?;
    let found = at(&mut transaction, projection, "building").await?;
    let generation = match found {
        Some(generation) => generation,
        None => make(&mut transaction, projection).await?,
    };
    transaction.commit().await?;
    Ok((generation, found.is_none()))
}

/// The generation of this projection's version that serves; none before the first is built.
pub async fn serving(connection: &mut PgConnection, projection: &dyn Projection) -> Result<Option<Generation>, sqlx::Error> {
    at(connection, projection, "serving").await
}

/// The generation of this projection's version that is being built, if there is one.
pub async fn building(connection: &mut PgConnection, projection: &dyn Projection) -> Result<Option<Generation>, sqlx::Error> {
    at(connection, projection, "building").await
}

/// Makes the further indexes of a generation that is filled, where they are missing.
pub async fn index(connection: &mut PgConnection, projection: &dyn Projection, of: Generation) -> Result<(), sqlx::Error> {
    for table in projection.tables().iter().filter(|table| !table.indexes.is_empty()) {
        let place = of.place();
        let there = sqlx::query_scalar::<_, bool>(
            "select exists (select from pg_index where indrelid = to_regclass($1) and not indisprimary)",
        );
        if !there.bind(place.name(table)).fetch_one(&mut *connection).await? {
            connection.execute(place.indexes(table).as_str()).await?;
        }
        connection.execute(format!("analyze {}", place.name(table)).as_str()).await?;
    }
    Ok(())
}

/// Lets `generation` serve its version from the commit of this transaction on; the one that did retires.
pub async fn serve(connection: &mut PgConnection, projection: &dyn Projection, of: Generation) -> Result<(), sqlx::Error> {
    for table in projection.tables() {
        let (view, name, columns) = (table.view(), of.place().name(table), table.columns.join(", "));
        connection.execute(format!("create or replace view {view} as select {columns} from {name}").as_str()).await?;
        let comment = format!("comment on view {view} is 'The rows of the generation that serves.'");
        connection.execute(comment.as_str()).await?;
    }
    let retire = "update projections.generations set state = 'retired' where name = $1 and version = $2 and state = 'serving'";
    sqlx::query(retire).bind(of.name).bind(stored(of.version)).execute(&mut *connection).await?;
    let serve = "update projections.generations set state = 'serving', served_at = clock_timestamp()
                 where name = $1 and version = $2 and generation = $3";
    let serve = sqlx::query(serve).bind(of.name).bind(stored(of.version)).bind(stored(of.number));
    serve.execute(connection).await?;
    Ok(())
}

/// Makes empty tables of this session, for a comparison; they go with the transaction.
pub async fn scratch(connection: &mut PgConnection, projection: &dyn Projection) -> Result<(), sqlx::Error> {
    for table in projection.tables() {
        connection.execute(Place::Scratch.ddl(table).as_str()).await?;
    }
    Ok(())
}

/// Gives up the generation that is being built; says whether there was one.
pub async fn abandon(connection: &mut PgConnection, projection: &dyn Projection) -> Result<bool, sqlx::Error> {
    let mut transaction = making(connection).await?;
    let building = at(&mut transaction, projection, "building").await?;
    if let Some(building) = building {
        drop_tables(&mut transaction, building.name, building.version, building.number).await?;
    }
    transaction.commit().await?;
    Ok(building.is_some())
}

/// Drops, one at a time, what nobody needs any more: retired generations, and those of versions older than this program's
/// whose last leader's term ended more than `keep_seconds` ago. Nothing is dropped before this version serves. Says
/// which one went.
pub async fn drop_one(
    connection: &mut PgConnection,
    projection: &dyn Projection,
    keep_seconds: f64,
    before_commit: impl FnOnce() + Send,
) -> Result<Option<(u32, u32)>, sqlx::Error> {
    let mut transaction = making(connection).await?;
    // A leader that had not heard of the end yet may have renewed its term since.
    for left in ["cursors", "leadership"] {
        let sweep = format!(
            "delete from public.{left} where consumer in (
                 select format('projection/%s/%s/%s', name, version, generation) from projections.generations
                 where state = 'dropped' and dropped_at < clock_timestamp() - interval '1 minute')"
        );
        transaction.execute(sweep.as_str()).await?;
    }
    let useless: Option<(i32, i32)> = sqlx::query_as(
        "select g.version, g.generation from projections.generations g
         left join public.leadership l on l.consumer = format('projection/%s/%s/%s', g.name, g.version, g.generation)
         where g.name = $1 and g.state <> 'dropped' and exists (
             select from projections.generations s where s.name = $1 and s.version = $2 and s.state = 'serving'
         ) and (g.version = $2 and g.state = 'retired' or g.version < $2
             and coalesce(l.expires_at, g.made_at) < clock_timestamp() - $3 * interval '1 second')
         order by 1, 2 limit 1",
    )
    .bind(projection.name())
    .bind(stored(projection.version()))
    .bind(keep_seconds)
    .fetch_optional(&mut *transaction)
    .await?;
    let useless = useless.map(|(version, number)| (version.unsigned_abs(), number.unsigned_abs()));
    if let Some((version, number)) = useless {
        drop_tables(&mut transaction, projection.name(), version, number).await?;
        before_commit();
    }
    transaction.commit().await?;
    Ok(useless)
}

async fn drop_tables(connection: &mut PgConnection, name: &str, version: u32, number: u32) -> Result<(), sqlx::Error> {
    let row: (Vec<String>, String) = sqlx::query_as(
        "with old as (select tables, state from projections.generations where name = $1 and version = $2 and generation = $3)
         update projections.generations g set state = 'dropped', dropped_at = clock_timestamp() from old
         where g.name = $1 and g.version = $2 and g.generation = $3 returning old.tables, old.state",
    )
    .bind(name)
    .bind(stored(version))
    .bind(stored(number))
    .fetch_one(&mut *connection)
    .await?;
    for table in row.0 {
        if row.1 == "serving" {
            connection.execute(format!("drop view if exists projections.{table}").as_str()).await?;
        }
        connection.execute(format!("drop table if exists projections.{table}_g{number}").as_str()).await?;
    }
    let consumer = format!("projection/{name}/{version}/{number}");
    sqlx::query("delete from public.cursors where consumer = $1").bind(&consumer).execute(&mut *connection).await?;
    sqlx::query("delete from public.leadership where consumer = $1").bind(&consumer).execute(connection).await?;
    Ok(())
}

/// A transaction in which nobody else makes or drops tables.
async fn making(connection: &mut PgConnection) -> Result<sqlx::Transaction<'_, sqlx::Postgres>, sqlx::Error> {
    let mut transaction = connection.begin().await?;
    sqlx::query("select pg_advisory_xact_lock($1)").bind(MAKING).execute(&mut *transaction).await?;
    let known = sqlx::query_scalar::<_, bool>("select to_regclass('projections.generations') is not null");
    if !known.fetch_one(&mut *transaction).await? {
        transaction.execute(EARLIER).await?;
        transaction.execute(TABLE).await?;
    }
    Ok(transaction)
}

async fn at(connection: &mut PgConnection, of: &dyn Projection, state: &str) -> Result<Option<Generation>, sqlx::Error> {
    let select = "select generation from projections.generations where name = $1 and version = $2 and state = $3";
    let number: Option<i32> =
        sqlx::query_scalar(select).bind(of.name()).bind(stored(of.version())).bind(state).fetch_optional(connection).await?;
    Ok(number.map(|number| Generation::of(of, number.unsigned_abs())))
}

/// A new generation that is being built: its tables, without their further indexes, and its cursor at the beginning.
async fn make(connection: &mut PgConnection, projection: &dyn Projection) -> Result<Generation, sqlx::Error> {
    let tables: Vec<&str> = projection.tables().iter().map(|table| table.name).collect();
    let number: i32 = sqlx::query_scalar(
        "insert into projections.generations (name, version, generation, state, tables)
         select $1, $2, coalesce(max(generation), 0) + 1, 'building', $3
         from projections.generations where name = $1 and version = $2
         returning generation",
    )
    .bind(projection.name())
    .bind(stored(projection.version()))
    .bind(tables)
    .fetch_one(&mut *connection)
    .await?;
    let generation = Generation::of(projection, number.unsigned_abs());
    for table in projection.tables() {
        connection.execute(generation.place().ddl(table).as_str()).await?;
    }
    // A cursor of that name may be left from a schema that somebody dropped.
    sqlx::query(
        "insert into public.cursors (consumer, position, epoch) values ($1, 0, 1)
         on conflict (consumer) do update set position = 0, epoch = cursors.epoch + 1",
    )
    .bind(generation.consumer())
    .execute(connection)
    .await?;
    Ok(generation)
}

fn stored(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

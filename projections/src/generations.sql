create table projections.generations (
    name        text        not null,
    version     integer     not null,
    generation  integer     not null,
    state       text        not null,
    tables      text[]      not null,
    made_at     timestamptz not null default clock_timestamp(),
    served_at   timestamptz,
    dropped_at  timestamptz,
    stopped_at  bigint,
    stopped_why text,
    constraint generations_pkey primary key (name, version, generation),
    constraint generations_count check (version >= 1 and generation >= 1),
    constraint generations_state_known check (state in ('building', 'serving', 'retired', 'dropped'))
);

create unique index generations_one_serves on projections.generations (name, version) where state = 'serving';
create unique index generations_one_is_built on projections.generations (name, version) where state = 'building';

comment on table projections.generations is 'Every set of tables that a version of a projection has or had.';
comment on column projections.generations.name is 'Name of the projection.';
comment on column projections.generations.version is 'Version whose programs read and write it.';
comment on column projections.generations.generation is 'Counts from 1; its tables'' names end in it. Never used twice.';
comment on column projections.generations.state is 'building, serving, retired or dropped.';
comment on column projections.generations.tables is 'Names of the views; the tables'' names add _g and the generation.';
comment on column projections.generations.made_at is 'When it was begun, by the clock of the database.';
comment on column projections.generations.served_at is 'When it began to serve.';
comment on column projections.generations.dropped_at is 'When its tables were dropped.';
comment on column projections.generations.stopped_at is 'Position of the event in front of which it stands, as no program of late could use it.';
comment on column projections.generations.stopped_why is 'Why not.';

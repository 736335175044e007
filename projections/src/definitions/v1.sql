create table projections.definitions_v1 (
    id           text collate "C" not null,
    sequence     bigint           not null,
    position     bigint           not null,
    folded       text             not null,
    slug         text collate "C" not null,
    state        text             not null,
    version      bigint,
    title        text,
    summary      text,
    category     text,
    timezone     text,
    owner_module text,
    schedule     text,
    verified     boolean          not null,
    created_at   timestamptz      not null,
    published_at timestamptz,
    archived_at  timestamptz,
    withheld     bigint           not null,
    constraint definitions_v1_pkey primary key (id)
);

comment on table projections.definitions_v1 is 'One row a definition: what folding its stream says. The draft is a row of its own, beside the log.';
comment on column projections.definitions_v1.id is 'The definition.';
comment on column projections.definitions_v1.sequence is 'Sequence of the newest event in the row.';
comment on column projections.definitions_v1.position is 'Position of the newest event in the row.';
comment on column projections.definitions_v1.folded is 'The folded definition, from which the other columns are told.';
comment on column projections.definitions_v1.slug is 'Its address; frozen.';
comment on column projections.definitions_v1.state is 'draft, ready or archived.';
comment on column projections.definitions_v1.version is 'The current version; null before the first is published.';
comment on column projections.definitions_v1.title is 'Of the current version.';
comment on column projections.definitions_v1.summary is 'Of the current version.';
comment on column projections.definitions_v1.category is 'Of the current version.';
comment on column projections.definitions_v1.timezone is 'Of the current version.';
comment on column projections.definitions_v1.owner_module is 'Of the current version.';
comment on column projections.definitions_v1.schedule is 'Kind of the current version''s schedule: once, weekly, monthly or manual.';
comment on column projections.definitions_v1.verified is 'Whether a dry run of the current version has passed.';
comment on column projections.definitions_v1.created_at is 'When its draft was first saved.';
comment on column projections.definitions_v1.published_at is 'When the current version was published.';
comment on column projections.definitions_v1.archived_at is 'When it was archived.';
comment on column projections.definitions_v1.withheld is 'Occurrences that came to no run, counted once for each cause.';

create table projections.definitions_v2 (
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
    archived_by  text,
    withheld     bigint           not null,
    constraint definitions_v2_pkey primary key (id)
);

comment on table projections.definitions_v2 is 'One row a definition: what folding its stream says. The draft is a row of its own, beside the log.';
comment on column projections.definitions_v2.id is 'The definition.';
comment on column projections.definitions_v2.sequence is 'Sequence of the newest event in the row.';
comment on column projections.definitions_v2.position is 'Position of the newest event in the row.';
comment on column projections.definitions_v2.folded is 'The folded definition, from which the other columns are told.';
comment on column projections.definitions_v2.slug is 'Its address; frozen.';
comment on column projections.definitions_v2.state is 'draft, ready or archived.';
comment on column projections.definitions_v2.version is 'The current version; null before the first is published.';
comment on column projections.definitions_v2.title is 'Of the current version.';
comment on column projections.definitions_v2.summary is 'Of the current version.';
comment on column projections.definitions_v2.category is 'Of the current version.';
comment on column projections.definitions_v2.timezone is 'Of the current version.';
comment on column projections.definitions_v2.owner_module is 'Of the current version.';
comment on column projections.definitions_v2.schedule is 'Kind of the current version''s schedule: once, weekly, monthly or manual.';
comment on column projections.definitions_v2.verified is 'Whether a dry run of the current version has passed.';
comment on column projections.definitions_v2.created_at is 'When its draft was first saved.';
comment on column projections.definitions_v2.published_at is 'When the current version was published.';
comment on column projections.definitions_v2.archived_at is 'When it was archived.';
comment on column projections.definitions_v2.archived_by is 'Who archived it: an id.';
comment on column projections.definitions_v2.withheld is 'Occurrences that came to no run, counted once for each cause.';

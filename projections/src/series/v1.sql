create table projections.series_v1 (
    id          text collate "C" not null,
    sequence    bigint           not null,
    position    bigint           not null,
    folded      text             not null,
    slug        text collate "C" not null,
    name        text             not null,
    description text             not null,
    ordering    bigint           not null,
    created_at  timestamptz      not null,
    deleted_at  timestamptz,
    constraint series_v1_pkey primary key (id)
);

comment on table projections.series_v1 is 'One row a series, deleted ones included. Which definitions belong to it stands in their drafts, beside the log.';
comment on column projections.series_v1.id is 'The series.';
comment on column projections.series_v1.sequence is 'Sequence of the newest event in the row: the revision that an edit must name.';
comment on column projections.series_v1.position is 'Position of the newest event in the row.';
comment on column projections.series_v1.folded is 'The folded series, from which the other columns are told.';
comment on column projections.series_v1.slug is 'Its address; frozen.';
comment on column projections.series_v1.name is 'What people call it.';
comment on column projections.series_v1.description is 'What it is about.';
comment on column projections.series_v1.ordering is 'Its place among the series, the lowest first.';
comment on column projections.series_v1.created_at is 'When it was made.';
comment on column projections.series_v1.deleted_at is 'When it was deleted; null while it is there.';

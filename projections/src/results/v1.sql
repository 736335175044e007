create table projections.results_v1 (
    id            text collate "C" not null,
    sequence      bigint           not null,
    position      bigint           not null,
    folded        text             not null,
    definition_id text collate "C" not null,
    title         text             not null,
    scope         text             not null,
    scheduled_for timestamptz      not null,
    started_at    timestamptz,
    rehearsal     boolean          not null,
    published     bigint,
    published_at  timestamptz,
    places        bigint           not null,
    constraint results_v1_pkey primary key (id)
);

comment on table projections.results_v1 is 'One row a run: whether its result is published, and which publication is the last.';
comment on column projections.results_v1.id is 'The run.';
comment on column projections.results_v1.sequence is 'Sequence of the newest event in the row.';
comment on column projections.results_v1.position is 'Position of the newest event in the row.';
comment on column projections.results_v1.folded is 'What the other columns are told from.';
comment on column projections.results_v1.definition_id is 'The definition whose run it is.';
comment on column projections.results_v1.title is 'Its title, as the run was given it.';
comment on column projections.results_v1.scope is 'Where it takes place.';
comment on column projections.results_v1.scheduled_for is 'When it was due.';
comment on column projections.results_v1.started_at is 'When it began.';
comment on column projections.results_v1.rehearsal is 'Whether it is a rehearsal, of which nobody outside is told.';
comment on column projections.results_v1.published is 'Position of the last publication; null before the first.';
comment on column projections.results_v1.published_at is 'When that was.';
comment on column projections.results_v1.places is 'How many places that result has.';

create table projections.runs_v1 (
    id                   text collate "C" not null,
    sequence             bigint           not null,
    position             bigint           not null,
    folded               json             not null,
    definition_id        text             not null,
    version              bigint           not null,
    title                text             not null,
    scope                text             not null,
    status               text             not null,
    health               text             not null,
    cleanup_status       text             not null,
    current_phase        text,
    concurrency_key      text,
    scheduled_for        timestamptz      not null,
    timezone             text             not null,
    dst_adjusted         text,
    started_at           timestamptz,
    ended_at             timestamptz,
    rehearsal            boolean          not null,
    params               json             not null,
    waiting_steps        bigint           not null,
    results_published_at timestamptz,
    constraint runs_v1_pkey primary key (id)
);

comment on table projections.runs_v1 is 'One row a run: what folding its stream says.';
comment on column projections.runs_v1.id is 'The run.';
comment on column projections.runs_v1.sequence is 'Sequence of the newest event in the row.';
comment on column projections.runs_v1.position is 'Position of the newest event in the row.';
comment on column projections.runs_v1.folded is 'The folded run, from which the other columns are told.';
comment on column projections.runs_v1.definition_id is 'The definition that it is a run of.';
comment on column projections.runs_v1.version is 'The version of the definition that it carries out.';
comment on column projections.runs_v1.title is 'The title of that version.';
comment on column projections.runs_v1.scope is 'Where it happens.';
comment on column projections.runs_v1.status is 'scheduled, running, paused, completed, cancelled, failed or missed.';
comment on column projections.runs_v1.health is 'ok, degraded or stalled; the worst so far.';
comment on column projections.runs_v1.cleanup_status is 'not_required, pending, complete or incomplete.';
comment on column projections.runs_v1.current_phase is 'Key of the phase that it is in; null before its start and after its end.';
comment on column projections.runs_v1.concurrency_key is 'Runs of one key exclude each other; null excludes nothing.';
comment on column projections.runs_v1.scheduled_for is 'The instant it is due.';
comment on column projections.runs_v1.timezone is 'Zone in which it was authored.';
comment on column projections.runs_v1.dst_adjusted is 'gap or fold, where a change of clocks moved or chose the instant.';
comment on column projections.runs_v1.started_at is 'When it started.';
comment on column projections.runs_v1.ended_at is 'When it ended; the teardown follows.';
comment on column projections.runs_v1.rehearsal is 'Whether it is a rehearsal.';
comment on column projections.runs_v1.params is 'Its parameters with their values.';
comment on column projections.runs_v1.waiting_steps is 'Steps that wait for a person.';
comment on column projections.runs_v1.results_published_at is 'When its results were published.';

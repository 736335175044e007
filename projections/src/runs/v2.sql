create table projections.runs_v2 (
    id                   text collate "C" not null,
    sequence             bigint           not null,
    position             bigint           not null,
    folded               text             not null,
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
    slot                 text collate "C",
    slot_at              timestamptz,
    moved_from           timestamptz,
    not_run              json,
    phase_label          text,
    withdrawn            text,
    revision             bigint           not null,
    revised_at           timestamptz      not null,
    placed               json             not null,
    constraint runs_v2_pkey primary key (id)
);

comment on table projections.runs_v2 is 'One row a run: what folding its stream says.';
comment on column projections.runs_v2.id is 'The run.';
comment on column projections.runs_v2.sequence is 'Sequence of the newest event in the row.';
comment on column projections.runs_v2.position is 'Position of the newest event in the row.';
comment on column projections.runs_v2.folded is 'The folded run, from which the other columns are told.';
comment on column projections.runs_v2.definition_id is 'The definition that it is a run of.';
comment on column projections.runs_v2.version is 'The version of the definition that it carries out.';
comment on column projections.runs_v2.title is 'The title of that version.';
comment on column projections.runs_v2.scope is 'Where it happens.';
comment on column projections.runs_v2.status is 'scheduled, running, paused, completed, cancelled, failed or missed.';
comment on column projections.runs_v2.health is 'ok, degraded or stalled; the worst so far.';
comment on column projections.runs_v2.cleanup_status is 'not_required, pending, complete or incomplete.';
comment on column projections.runs_v2.current_phase is 'Key of the phase that it is in; null before its start and after its end.';
comment on column projections.runs_v2.concurrency_key is 'Runs of one key exclude each other; null excludes nothing.';
comment on column projections.runs_v2.scheduled_for is 'The instant it is due.';
comment on column projections.runs_v2.timezone is 'Zone in which it was authored.';
comment on column projections.runs_v2.dst_adjusted is 'gap or fold, where a change of clocks moved or chose the instant.';
comment on column projections.runs_v2.started_at is 'When it started.';
comment on column projections.runs_v2.ended_at is 'When it ended; the teardown follows.';
comment on column projections.runs_v2.rehearsal is 'Whether it is a rehearsal.';
comment on column projections.runs_v2.params is 'Its parameters with their values.';
comment on column projections.runs_v2.waiting_steps is 'Steps that wait for a person.';
comment on column projections.runs_v2.results_published_at is 'When its results were published.';
comment on column projections.runs_v2.slot is 'The authored wall clock that it stands for; null for a hand start.';
comment on column projections.runs_v2.phase_label is 'Label of the phase that it is in.';
comment on column projections.runs_v2.withdrawn is 'Why it was taken off the calendar before it began.';
comment on column projections.runs_v2.revision is 'How often what a calendar says of it has changed.';
comment on column projections.runs_v2.revised_at is 'When that was last.';
comment on column projections.runs_v2.placed is 'Its places in sorted lists, each with the position from which on it had it: position, status, microseconds of its instant.';
comment on column projections.runs_v2.slot_at is 'The instant that the schedule gives its slot; null for a hand start.';
comment on column projections.runs_v2.moved_from is 'The instant that it was moved from.';
comment on column projections.runs_v2.not_run is 'Why, when and by whom it came to nothing, where it ended before it began.';

create table projections.run_wants_v2 (
    run_id  text collate "C" not null,
    nth     bigint           not null,
    want    text collate "C" not null,
    begins  timestamptz      not null,
    ends    timestamptz      not null,
    started boolean          not null,
    constraint run_wants_v2_pkey primary key (run_id, nth)
);

comment on table projections.run_wants_v2 is 'What each run that has not ended wants for itself alone, and from when to when as far as its plan tells.';
comment on column projections.run_wants_v2.run_id is 'The run.';
comment on column projections.run_wants_v2.nth is 'Tells several wants of one run apart; from 0.';
comment on column projections.run_wants_v2.want is 'key: and a concurrency key, or value: and the stream of a target.';
comment on column projections.run_wants_v2.begins is 'From when on.';
comment on column projections.run_wants_v2.ends is 'Until when; a run that is under way may take longer.';
comment on column projections.run_wants_v2.started is 'Whether the run is under way.';

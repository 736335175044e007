create table projections.participants_v1 (
    run_id    text collate "C" not null,
    member    uuid             not null,
    told      bigint           not null,
    score     numeric          not null,
    joined_at timestamptz,
    meta      text             not null,
    constraint participants_v1_pkey primary key (run_id, member, told)
);

comment on table projections.participants_v1 is 'What was told of whoever took part, each time that it was told; the last counts.';
comment on column projections.participants_v1.run_id is 'The run.';
comment on column projections.participants_v1.member is 'The member, by the id that the log has.';
comment on column projections.participants_v1.told is 'Position of the event that told it.';
comment on column projections.participants_v1.score is 'The score, exactly as it was told.';
comment on column projections.participants_v1.joined_at is 'When the member first took part, by the game''s clock, where it knows.';
comment on column projections.participants_v1.meta is 'What the score is made of: an object of numbers.';

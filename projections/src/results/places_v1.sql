create table projections.places_v1 (
    run_id    text collate "C" not null,
    published bigint           not null,
    rank      bigint           not null,
    member    uuid             not null,
    score     numeric          not null,
    constraint places_v1_pkey primary key (run_id, published, rank)
);

comment on table projections.places_v1 is 'The places of every result that was published, of which the last is shown.';
comment on column projections.places_v1.run_id is 'The run.';
comment on column projections.places_v1.published is 'Position of the publication.';
comment on column projections.places_v1.rank is 'The place; 1 is the winner''s.';
comment on column projections.places_v1.member is 'The member, by the id that the log has.';
comment on column projections.places_v1.score is 'The score when it was published.';

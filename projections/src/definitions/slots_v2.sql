create table projections.definition_slots_v2 (
    definition_id text collate "C" not null,
    position      bigint           not null,
    slot          text collate "C" not null,
    fact          text             not null,
    cause         text,
    version       bigint,
    moved_to      text,
    at            timestamptz      not null,
    by            text             not null,
    note          json,
    constraint definition_slots_v2_pkey primary key (definition_id, position)
);

comment on table projections.definition_slots_v2 is 'What was decided of single slots, in the order of the log.';
comment on column projections.definition_slots_v2.definition_id is 'The definition.';
comment on column projections.definition_slots_v2.position is 'Position of the event.';
comment on column projections.definition_slots_v2.slot is 'The wall clock that the schedule names the slot by.';
comment on column projections.definition_slots_v2.fact is 'withheld, skipped, moved or restored.';
comment on column projections.definition_slots_v2.cause is 'Of what was withheld: why.';
comment on column projections.definition_slots_v2.version is 'Of what was withheld: the version that was current.';
comment on column projections.definition_slots_v2.moved_to is 'Of what was moved: the wall clock that it was moved to.';
comment on column projections.definition_slots_v2.at is 'When it was decided.';
comment on column projections.definition_slots_v2.by is 'Who decided it: an id.';
comment on column projections.definition_slots_v2.note is 'The reason that was given, by its id and digest.';

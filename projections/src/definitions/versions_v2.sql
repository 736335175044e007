create table projections.definition_versions_v2 (
    definition_id text collate "C" not null,
    version       bigint           not null,
    position      bigint           not null,
    title         text             not null,
    content       json             not null,
    published_at  timestamptz      not null,
    published_by  text             not null,
    verified_at   timestamptz,
    verified_by   text,
    constraint definition_versions_v2_pkey primary key (definition_id, version)
);

comment on table projections.definition_versions_v2 is 'Every version ever published.';
comment on column projections.definition_versions_v2.definition_id is 'The definition.';
comment on column projections.definition_versions_v2.version is 'Counts from 1.';
comment on column projections.definition_versions_v2.position is 'Position at which it was published.';
comment on column projections.definition_versions_v2.title is 'Its title.';
comment on column projections.definition_versions_v2.content is 'All that it holds, spelled like a posted body.';
comment on column projections.definition_versions_v2.published_at is 'When it was published.';
comment on column projections.definition_versions_v2.published_by is 'Who published it: an id.';
comment on column projections.definition_versions_v2.verified_at is 'When a dry run of it first passed.';
comment on column projections.definition_versions_v2.verified_by is 'Whose dry run that was: an id.';

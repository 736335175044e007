-- The work in progress on a definition: a row that is edited, unlike what is published.
create table public.drafts (
    definition_id text        not null,
    revision      bigint      not null,
    body          json        not null,
    changed_by    text        not null,
    changed_at    timestamptz not null,
    constraint drafts_pkey primary key (definition_id),
    constraint drafts_revision_counts check (revision >= 1)
);

comment on table public.drafts is 'Drafts of definitions, each with a revision that every edit must name.';
comment on column public.drafts.definition_id is 'The definition that it drafts.';
comment on column public.drafts.revision is 'Counts the edits, from 1; an edit of another revision is refused.';
comment on column public.drafts.body is 'The draft as its author wrote it.';
comment on column public.drafts.changed_by is 'Account that made the last edit.';
comment on column public.drafts.changed_at is 'Instant of the last edit, by the clock of the engine.';

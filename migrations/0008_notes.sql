-- Text that a person typed about an act, or that a game answered. The log holds the id and a salted digest only.
create table public.notes (
    id         uuid        not null,
    salt       bytea,
    body       text,
    written_by text        not null,
    written_at timestamptz not null,
    constraint notes_pkey primary key (id),
    constraint notes_blank_in_one check ((salt is null) = (body is null))
);

comment on table public.notes is 'Notes beside the log. Erasing a person blanks text and salt; the event''s digest then says nothing.';
comment on column public.notes.id is 'Id that the event names.';
comment on column public.notes.salt is 'Salt of the digest in the event; null once erased.';
comment on column public.notes.body is 'The text; null once erased.';
comment on column public.notes.written_by is 'Actor that wrote it.';
comment on column public.notes.written_at is 'Instant of writing, by the clock of the engine.';

-- Commands with a due instant, staged by the append that causes them and removed by the one that carries them out.
create table public.staged (
    id             uuid             not null,
    aggregate_type text collate "C" not null,
    aggregate_id   text collate "C" not null,
    kind           text             not null,
    due_at         timestamptz      not null,
    payload        json             not null,
    staged_at      timestamptz      not null default clock_timestamp(),
    constraint staged_pkey primary key (id)
);
create index staged_by_due on public.staged (due_at, id);
create index staged_by_stream on public.staged (aggregate_type, aggregate_id);

comment on table public.staged is 'What falls due later. An item lives until its command commits or turns out to be moot.';
comment on column public.staged.id is 'UUIDv5 of stream, sequence and kind, so that the same cause stages once.';
comment on column public.staged.aggregate_type is 'Kind of the stream that it concerns.';
comment on column public.staged.aggregate_id is 'Name of the stream that it concerns.';
comment on column public.staged.kind is 'What is to be decided when it is due.';
comment on column public.staged.due_at is 'Not before this instant, by the clock of the engine.';
comment on column public.staged.payload is 'What the decision needs beside the stream.';
comment on column public.staged.staged_at is 'Clock of the database when it was staged.';

-- Who leads a consumer. A row with an expiry, never a lock of the session: a stopped process would keep that for ever.
create table public.leadership (
    consumer   text        not null,
    holder     uuid        not null,
    epoch      bigint      not null,
    expires_at timestamptz not null,
    constraint leadership_pkey primary key (consumer),
    constraint leadership_epoch_counts check (epoch >= 1)
);

comment on table public.leadership is 'The present or last leader of each consumer. Liveness is judged by the expiry stored here.';
comment on column public.leadership.consumer is 'Name of the consumer.';
comment on column public.leadership.holder is 'The process that leads, or led last.';
comment on column public.leadership.epoch is 'Counts every change of hands; the fence of a cursor''s move.';
comment on column public.leadership.expires_at is 'By the clock of the database; past it, anybody may take over.';

-- The test clock. Its one row is put here by tests alone and is their marker: without it, a controlled clock is refused.
create table public.controlled_clock (
    one boolean     not null default true,
    now timestamptz not null,
    constraint controlled_clock_pkey primary key (one),
    constraint controlled_clock_one_row check (one)
);

comment on table public.controlled_clock is 'Empty but in test databases, where its row is what time it is.';
comment on column public.controlled_clock.one is 'Always true: there is one row at most.';
comment on column public.controlled_clock.now is 'The instant that the engine takes for now.';

-- In which life each game was when its runs were last held against it: so that a restart is seen that came while nobody looked.
create table public.games (
    module        text collate "C" not null,
    scope         text collate "C" not null,
    boot_id       text             not null,
    reconciled_at timestamptz      not null,
    constraint games_pkey primary key (module, scope)
);

comment on table public.games is 'The life of each game in which everything that runs hold there was last asked for.';
comment on column public.games.module is 'The module that reaches it.';
comment on column public.games.scope is 'The scope that it serves.';
comment on column public.games.boot_id is 'The game''s own name for that life: another one at each of its starts.';
comment on column public.games.reconciled_at is 'When it had told of everything, by the engine''s clock.';

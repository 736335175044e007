-- What was done with each signal that a trigger file is on: one row for each pair, and so at most one firing.
create table public.firings (
    consumer         text collate "C" not null,
    position         bigint           not null,
    trigger          text             not null,
    scope            text             not null,
    hops             integer          not null,
    state            text             not null,
    holder           uuid             not null,
    attempts         integer          not null,
    round            integer          not null,
    first_claimed_at timestamptz      not null,
    claimed_at       timestamptz      not null,
    settled_at       timestamptz,
    run_id           text,
    outcome          text,
    constraint firings_pkey primary key (consumer, position),
    constraint firings_state_known check (state in ('running', 'dispatched', 'failed', 'refused')),
    constraint firings_position_counts check (position >= 1),
    constraint firings_hops_count check (hops >= 0),
    constraint firings_attempts_count check (attempts >= 1 and round >= 0)
);
create index firings_running on public.firings (claimed_at) where state = 'running';

comment on table public.firings is 'Firings: one (consumer, event) pair each, and what was done with it.';
comment on column public.firings.consumer is 'Whose firing it is: trigger/NAME of a trigger file.';
comment on column public.firings.position is 'Position of the event that fired it.';
comment on column public.firings.trigger is 'The trigger that the event fired.';
comment on column public.firings.scope is 'Scope of the event.';
comment on column public.firings.hops is 'How many firings had led to the event.';
comment on column public.firings.state is 'running while a claim holds it; then what became of it.';
comment on column public.firings.holder is 'The process that claimed it last.';
comment on column public.firings.attempts is 'Claims so far, all rounds together.';
comment on column public.firings.round is 'How often a person has made it claimable again.';
comment on column public.firings.first_claimed_at is 'When it was first claimed; no later claim changes it.';
comment on column public.firings.claimed_at is 'When it was claimed last; a person who asks for another attempt sets it back.';
comment on column public.firings.settled_at is 'When its outcome was told; null while it is claimed.';
comment on column public.firings.run_id is 'The run that it started.';
comment on column public.firings.outcome is 'What became of it, in the engine''s words.';

-- Who waits for which event: every subscribed type is a row, so that fan-out is a look-up by index.
create table public.listeners (
    id             uuid             not null,
    aggregate_type text collate "C" not null,
    aggregate_id   text collate "C" not null,
    event_type     text             not null,
    scope          text,
    filter         json             not null,
    after_position bigint           not null,
    constraint listeners_pkey primary key (id),
    constraint listeners_after_counts check (after_position >= 0)
);
create index listeners_by_topic on public.listeners (event_type, scope);
create index listeners_by_stream on public.listeners (aggregate_type, aggregate_id);

comment on table public.listeners is 'Subscriptions: this stream waits for events of that type.';
comment on column public.listeners.id is 'Id of the subscription, derived by its owner.';
comment on column public.listeners.aggregate_type is 'Kind of the stream that waits.';
comment on column public.listeners.aggregate_id is 'Name of the stream that waits.';
comment on column public.listeners.event_type is 'Exact type that is waited for.';
comment on column public.listeners.scope is 'Scope that is waited for; null means any.';
comment on column public.listeners.filter is 'Condition on the event''s context, judged after the look-up.';
comment on column public.listeners.after_position is 'Only events past this position count.';

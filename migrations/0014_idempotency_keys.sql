-- Requests that their senders may repeat: each is carried out once, and answered as often as it is sent.
create table public.idempotency_keys (
    account_id    text        not null,
    key           text        not null,
    route         text        not null,
    digest        bytea       not null,
    command_id    uuid        not null,
    begun_at      timestamptz not null,
    claimed_until timestamptz not null,
    status        smallint,
    headers       json,
    body          bytea,
    constraint idempotency_keys_pkey primary key (account_id, key),
    constraint idempotency_keys_key_length check (octet_length(key) between 1 and 255),
    constraint idempotency_keys_digest_length check (octet_length(digest) = 32),
    constraint idempotency_keys_status_kept check (status between 200 and 499),
    constraint idempotency_keys_answered_as_a_whole check (num_nulls(status, headers, body) in (0, 3))
);

create index idempotency_keys_by_age on public.idempotency_keys (begun_at);

comment on table public.idempotency_keys is 'Requests under a key of their sender''s choice, with their answers; kept for a day.';
comment on column public.idempotency_keys.account_id is 'Account that sent it; keys of two accounts never meet.';
comment on column public.idempotency_keys.key is 'The header Idempotency-Key, as sent.';
comment on column public.idempotency_keys.route is 'Route that it was posted to.';
comment on column public.idempotency_keys.digest is 'sha256 of method, address, precondition, type and body: what a repeat must be the same in.';
comment on column public.idempotency_keys.command_id is 'Id of the command that it is carried out as, however often it is tried.';
comment on column public.idempotency_keys.begun_at is 'When it was first sent, by the clock of the engine.';
comment on column public.idempotency_keys.claimed_until is 'Until when somebody is known to be at it, by the clock of the database.';
comment on column public.idempotency_keys.status is 'Status of the answer; null while there is none.';
comment on column public.idempotency_keys.headers is 'Names and values of the answer''s headers, in their order.';
comment on column public.idempotency_keys.body is 'Body of the answer, byte by byte.';

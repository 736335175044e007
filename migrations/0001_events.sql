-- The log: one table, one total order, a chain of hashes, nothing but inserts.
--
-- Columns up to metadata are those that postgres-es writes and reads; the last three are stamped here for any writer that
-- leaves them out, or by a writer for itself, in which case the whole batch is checked before it can commit.

create table public.events (
    aggregate_type text collate "C" not null,
    aggregate_id   text collate "C" not null,
    sequence       bigint           not null,
    event_type     text             not null,
    event_version  text             not null,
    payload        json             not null,
    metadata       json             not null,
    position       bigint           not null,
    recorded_at    timestamptz      not null,
    hash           bytea            not null,
    constraint events_pkey primary key (aggregate_type, aggregate_id, sequence),
    constraint events_position_once unique (position),
    constraint events_sequence_counts check (sequence >= 0),
    constraint events_position_counts check (position >= 0),
    constraint events_hash_is_sha256 check (octet_length(hash) = 32)
);

comment on table public.events is 'The log. Append-only: every change but an insert is refused by trigger, whoever asks.';
comment on column public.events.aggregate_type is 'Kind of the stream, compared by bytes so that no change of locale can reorder the key.';
comment on column public.events.aggregate_id is 'Name of the stream within its kind, compared by bytes.';
comment on column public.events.sequence is 'Place in the stream, from 1. The primary key makes it the optimistic lock.';
comment on column public.events.event_type is 'What happened, in the past tense; the tag of the payload.';
comment on column public.events.event_version is 'Version of the shape of the payload.';
comment on column public.events.payload is 'The event, kept as the very text that was hashed: json, never jsonb.';
comment on column public.events.metadata is 'Who, when and because of what: a flat map of strings.';
comment on column public.events.position is 'Place in the log, dense from 0, in the order of commits.';
comment on column public.events.recorded_at is 'Clock of the database when the event was stamped, never before the event in front of it.';
comment on column public.events.hash is 'sha256 of the hash in front and the canonical bytes of this row.';

-- The bytes that are hashed. Lengths in octets come first, so that no two rows share a form; instants are whole
-- microseconds. The body is bound when the function is made, so that no search_path can slip in functions of its own.
create function public.leasehold_canonical(
    position_ bigint, recorded_at_ timestamptz, aggregate_type_ text, aggregate_id_ text, sequence_ bigint,
    event_type_ text, event_version_ text, payload_ json, metadata_ json
) returns bytea language sql stable parallel safe
return int8send(position_) || timestamptz_send(recorded_at_) || convert_to(
    octet_length(aggregate_type_) || ' ' || octet_length(aggregate_id_) || ' ' || sequence_ || ' '
    || octet_length(event_type_) || ' ' || octet_length(event_version_) || ' ' || octet_length(payload_::text) || E'\n'
    || aggregate_type_ || aggregate_id_ || event_type_ || event_version_ || payload_::text || metadata_::text, 'UTF8');

comment on function public.leasehold_canonical is 'The bytes of one event that its hash covers, after the hash in front.';

-- Runs before any insert, by anybody: one writer at a time, from here to its commit, and no stale snapshot.
create function public.leasehold_enter() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        raise exception 'the log takes writers at read committed only, not at %', current_setting('transaction_isolation')
            using errcode = '25001';
    end if;
    perform pg_advisory_xact_lock(7810756276994469740);
    return null;
end $$;

comment on function public.leasehold_enter is 'Refuses every isolation but read committed and takes the lock of the log until commit.';

-- Stamps one row that arrived without a position.
create function public.leasehold_stamp() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    head record;
begin
    select e.position, e.hash, e.recorded_at into head from public.events e order by e.position desc limit 1;
    new.position := coalesce(head.position, -1) + 1;
    new.recorded_at := greatest(clock_timestamp(), head.recorded_at);
    new.hash := sha256(coalesce(head.hash, ''::bytea) || public.leasehold_canonical(
        new.position, new.recorded_at, new.aggregate_type, new.aggregate_id, new.sequence,
        new.event_type, new.event_version, new.payload, new.metadata));
    return new;
end $$;

comment on function public.leasehold_stamp is 'Gives a row without a position its place, instant and hash, after the head.';

-- Checks a whole statement's rows against the head they claim to follow. The first pass takes them as they came, which is
-- how every appender writes them; only when it fails are they sorted (a dump restored in the order of its heap).
create function public.leasehold_verify() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    lowest    bigint;
    front     record;
    latest    timestamptz;
    unbroken  boolean;
begin
    select min(f.position) into lowest from fresh f;
    if lowest is null then
        return null;
    end if;
    if lowest = 0 then
        select ''::bytea as hash, '-infinity'::timestamptz as recorded_at into front;
    else
        select e.hash, e.recorded_at into front from public.events e where e.position = lowest - 1;
        if not found then
            raise exception 'position % does not follow the head of the log', lowest using errcode = 'LG001';
        end if;
    end if;
    latest := greatest(clock_timestamp(), front.recorded_at);

    select bool_and(r.position = lowest + r.nth - 1
            and r.recorded_at between r.front_at and latest
            and r.hash = sha256(r.front_hash || public.leasehold_canonical(r.position, r.recorded_at, r.aggregate_type,
                r.aggregate_id, r.sequence, r.event_type, r.event_version, r.payload, r.metadata)))
        into unbroken
        from (select f.*, row_number() over () as nth, lag(f.hash, 1, front.hash) over () as front_hash,
                     lag(f.recorded_at, 1, front.recorded_at) over () as front_at
              from fresh f) r;
    if unbroken then
        return null;
    end if;

    select bool_and(r.position = lowest + r.nth - 1
            and r.recorded_at between r.front_at and latest
            and r.hash = sha256(r.front_hash || public.leasehold_canonical(r.position, r.recorded_at, r.aggregate_type,
                r.aggregate_id, r.sequence, r.event_type, r.event_version, r.payload, r.metadata)))
        into unbroken
        from (select f.*, row_number() over w as nth, lag(f.hash, 1, front.hash) over w as front_hash,
                     lag(f.recorded_at, 1, front.recorded_at) over w as front_at
              from fresh f window w as (order by f.position)) r;
    if unbroken is not true then
        raise exception 'from position % the events are not consecutive, or a hash or an instant is wrong', lowest
            using errcode = 'LG002';
    end if;
    return null;
end $$;

comment on function public.leasehold_verify is 'Admits a statement''s rows only as the unbroken continuation of the log.';

create function public.leasehold_refuse() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    raise exception 'the log is append-only: % refused', tg_op using errcode = '42501';
end $$;

comment on function public.leasehold_refuse is 'Refuses to change, remove or truncate what is recorded.';

-- Triggers of one kind fire in the order of their names.
create trigger leasehold_1_enter before insert on public.events
    for each statement execute function public.leasehold_enter();
create trigger leasehold_2_stamp before insert on public.events
    for each row when (new.position is null) execute function public.leasehold_stamp();
create trigger leasehold_3_verify after insert on public.events
    referencing new table as fresh for each statement execute function public.leasehold_verify();
create trigger leasehold_4_refuse before update or delete or truncate on public.events
    for each statement execute function public.leasehold_refuse();

-- Always: a session that plays the replica passes the same door.
alter table public.events enable always trigger leasehold_1_enter;
alter table public.events enable always trigger leasehold_2_stamp;
alter table public.events enable always trigger leasehold_3_verify;
alter table public.events enable always trigger leasehold_4_refuse;

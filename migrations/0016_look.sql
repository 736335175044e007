-- What a batch needs to know, in one trip and with plans that the session keeps: the lock first, and every query after it with
-- a snapshot of its own, so that all that was appended before is seen.
create function public.leasehold_look(known bigint, reading bigint, command_ids uuid[], item_ids uuid[])
    returns table (what text, id uuid, aggregate_type text, aggregate_id text, first bigint, last bigint, hash bytea, front bytea)
    language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    perform pg_advisory_xact_lock(7810756276994469740);
    return query
        select 'now', null::uuid, null, null, h.position, (extract(epoch from h.recorded_at) * 1000000)::bigint, h.hash,
               (select e.hash from public.events e where e.position = known)
        from (values (true)) as one
        left join (select e.position, e.hash, e.recorded_at from public.events e order by e.position desc limit 1) h on true;
    return query
        select 'clock', null::uuid, null, null, (extract(epoch from clock_timestamp()) * 1000000)::bigint, null::bigint,
               null::bytea, null::bytea;
    return query
        select 'done', c.command_id, null, null, c.first_position, c.last_position, null::bytea, null::bytea
        from public.commands c where c.command_id = any (command_ids);
    if cardinality(item_ids) > 0 then
        return query
            select 'item', s.id, null, null, null::bigint, null::bigint, null::bytea, null::bytea
            from public.staged s where s.id = any (item_ids);
    end if;
    if known >= 0 then
        return query
            select 'end', null::uuid, e.aggregate_type, e.aggregate_id, max(e.sequence), null::bigint, null::bytea, null::bytea
            from public.events e where e.position > known and e.position <= known + reading
            group by e.aggregate_type, e.aggregate_id;
    end if;
end $$;

comment on function public.leasehold_look is 'Takes the lock of the log until commit, and tells the head, the clock, which commands are done, which items are there and which streams grew past a known position.';

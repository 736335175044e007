-- The schema that the migrations make. A test compares the two and writes this page anew with LEASEHOLD_BLESS=1.

CREATE FUNCTION public.leasehold_canonical(position_ bigint, recorded_at_ timestamp with time zone, aggregate_type_ text, aggregate_id_ text, sequence_ bigint, event_type_ text, event_version_ text, payload_ json, metadata_ json) RETURNS bytea
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN ((int8send(position_) || timestamptz_send(recorded_at_)) || convert_to((((((((((((((((((octet_length(aggregate_type_) || ' '::text) || octet_length(aggregate_id_)) || ' '::text) || sequence_) || ' '::text) || octet_length(event_type_)) || ' '::text) || octet_length(event_version_)) || ' '::text) || octet_length((payload_)::text)) || '
'::text) || aggregate_type_) || aggregate_id_) || event_type_) || event_version_) || (payload_)::text) || (metadata_)::text), 'UTF8'::name));
COMMENT ON FUNCTION public.leasehold_canonical(position_ bigint, recorded_at_ timestamp with time zone, aggregate_type_ text, aggregate_id_ text, sequence_ bigint, event_type_ text, event_version_ text, payload_ json, metadata_ json) IS 'The bytes of one event that its hash covers, after the hash in front.';

CREATE FUNCTION public.leasehold_enter() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        raise exception 'the log takes writers at read committed only, not at %', current_setting('transaction_isolation')
            using errcode = '25001';
    end if;
    perform pg_advisory_xact_lock(7810756276994469740);
    return null;
end $$;
COMMENT ON FUNCTION public.leasehold_enter() IS 'Refuses every isolation but read committed and takes the lock of the log until commit.';

CREATE FUNCTION public.leasehold_look(known bigint, reading bigint, command_ids uuid[], item_ids uuid[]) RETURNS TABLE(what text, id uuid, aggregate_type text, aggregate_id text, first bigint, last bigint, hash bytea, front bytea)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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
COMMENT ON FUNCTION public.leasehold_look(known bigint, reading bigint, command_ids uuid[], item_ids uuid[]) IS 'Takes the lock of the log until commit, and tells the head, the clock, which commands are done, which items are there and which streams grew past a known position.';

CREATE FUNCTION public.leasehold_refuse() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    raise exception 'the log is append-only: % refused', tg_op using errcode = '42501';
end $$;
COMMENT ON FUNCTION public.leasehold_refuse() IS 'Refuses to change, remove or truncate what is recorded.';

CREATE FUNCTION public.leasehold_stamp() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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
COMMENT ON FUNCTION public.leasehold_stamp() IS 'Gives a row without a position its place, instant and hash, after the head.';

CREATE FUNCTION public.leasehold_verify() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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
COMMENT ON FUNCTION public.leasehold_verify() IS 'Admits a statement''s rows only as the unbroken continuation of the log.';

CREATE TABLE public.account_tokens (
    digest bytea NOT NULL,
    account_id text NOT NULL,
    label text NOT NULL,
    revoked boolean DEFAULT false NOT NULL,
    CONSTRAINT account_tokens_digest_is_sha256 CHECK ((octet_length(digest) = 32))
);
COMMENT ON TABLE public.account_tokens IS 'Digests of bearer tokens and whose they are.';
COMMENT ON COLUMN public.account_tokens.digest IS 'sha256 of the token.';
COMMENT ON COLUMN public.account_tokens.account_id IS 'The account that the token speaks for.';
COMMENT ON COLUMN public.account_tokens.label IS 'What the token is for, in its owner''s words.';
COMMENT ON COLUMN public.account_tokens.revoked IS 'True once it opens nothing any more.';

CREATE TABLE public.accounts (
    account_id text NOT NULL,
    name text NOT NULL,
    role text NOT NULL,
    disabled boolean DEFAULT false NOT NULL,
    erased_at timestamp with time zone,
    CONSTRAINT accounts_erased_are_blank CHECK (((erased_at IS NULL) OR ((name = ''::text) AND disabled))),
    CONSTRAINT accounts_role_known CHECK ((role = ANY (ARRAY['admin'::text, 'editor'::text, 'moderator'::text, 'player'::text])))
);
COMMENT ON TABLE public.accounts IS 'Names and rights of accounts. Names are personal and therefore here, not in the log.';
COMMENT ON COLUMN public.accounts.account_id IS 'Id minted here; the only thing that events say.';
COMMENT ON COLUMN public.accounts.name IS 'Display name; blanked when the person is erased.';
COMMENT ON COLUMN public.accounts.role IS 'admin, editor, moderator or player.';
COMMENT ON COLUMN public.accounts.disabled IS 'True once the account may do nothing any more.';
COMMENT ON COLUMN public.accounts.erased_at IS 'When the person was erased, by the clock of the engine; null: never. Nothing makes it null again.';

CREATE TABLE public.commands (
    command_id uuid NOT NULL,
    first_position bigint NOT NULL,
    last_position bigint NOT NULL,
    CONSTRAINT commands_positions_in_order CHECK (((0 <= first_position) AND (first_position <= last_position)))
);
COMMENT ON TABLE public.commands IS 'Commands that committed, with the positions they made.';
COMMENT ON COLUMN public.commands.command_id IS 'Id of the command, given by its sender.';
COMMENT ON COLUMN public.commands.first_position IS 'First position it made; the head at that moment when it made none.';
COMMENT ON COLUMN public.commands.last_position IS 'Last position it made; the head at that moment when it made none.';

CREATE TABLE public.controlled_clock (
    one boolean DEFAULT true NOT NULL,
    now timestamp with time zone NOT NULL,
    CONSTRAINT controlled_clock_one_row CHECK (one)
);
COMMENT ON TABLE public.controlled_clock IS 'Empty but in test databases, where its row is what time it is.';
COMMENT ON COLUMN public.controlled_clock.one IS 'Always true: there is one row at most.';
COMMENT ON COLUMN public.controlled_clock.now IS 'The instant that the engine takes for now.';

CREATE TABLE public.cursors (
    consumer text NOT NULL,
    "position" bigint NOT NULL,
    epoch bigint NOT NULL,
    CONSTRAINT cursors_epoch_counts CHECK ((epoch >= 1)),
    CONSTRAINT cursors_position_counts CHECK (("position" >= 0))
);
COMMENT ON TABLE public.cursors IS 'Durable cursors, one for each consumer.';
COMMENT ON COLUMN public.cursors.consumer IS 'Name of the consumer.';
COMMENT ON COLUMN public.cursors."position" IS 'The last position that it has dealt with; it starts at 0, the opening of the log.';
COMMENT ON COLUMN public.cursors.epoch IS 'Epoch of the leader that may move it; raised by each change of hands.';

CREATE TABLE public.drafts (
    definition_id text NOT NULL,
    revision bigint NOT NULL,
    body json NOT NULL,
    changed_by text NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    CONSTRAINT drafts_revision_counts CHECK ((revision >= 1))
);
COMMENT ON TABLE public.drafts IS 'Drafts of definitions, each with a revision that every edit must name.';
COMMENT ON COLUMN public.drafts.definition_id IS 'The definition that it drafts.';
COMMENT ON COLUMN public.drafts.revision IS 'Counts the edits, from 1; an edit of another revision is refused.';
COMMENT ON COLUMN public.drafts.body IS 'The draft as its author wrote it.';
COMMENT ON COLUMN public.drafts.changed_by IS 'Account that made the last edit.';
COMMENT ON COLUMN public.drafts.changed_at IS 'Instant of the last edit, by the clock of the engine.';

CREATE TABLE public.events (
    aggregate_type text NOT NULL COLLATE pg_catalog."C",
    aggregate_id text NOT NULL COLLATE pg_catalog."C",
    sequence bigint NOT NULL,
    event_type text NOT NULL,
    event_version text NOT NULL,
    payload json NOT NULL,
    metadata json NOT NULL,
    "position" bigint NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT events_hash_is_sha256 CHECK ((octet_length(hash) = 32)),
    CONSTRAINT events_position_counts CHECK (("position" >= 0)),
    CONSTRAINT events_sequence_counts CHECK ((sequence >= 0))
);
COMMENT ON TABLE public.events IS 'The log. Append-only: every change but an insert is refused by trigger, whoever asks.';
COMMENT ON COLUMN public.events.aggregate_type IS 'Kind of the stream, compared by bytes so that no change of locale can reorder the key.';
COMMENT ON COLUMN public.events.aggregate_id IS 'Name of the stream within its kind, compared by bytes.';
COMMENT ON COLUMN public.events.sequence IS 'Place in the stream, from 1. The primary key makes it the optimistic lock.';
COMMENT ON COLUMN public.events.event_type IS 'What happened, in the past tense; the tag of the payload.';
COMMENT ON COLUMN public.events.event_version IS 'Version of the shape of the payload.';
COMMENT ON COLUMN public.events.payload IS 'The event, kept as the very text that was hashed: json, never jsonb.';
COMMENT ON COLUMN public.events.metadata IS 'Who, when and because of what: a flat map of strings.';
COMMENT ON COLUMN public.events."position" IS 'Place in the log, dense from 0, in the order of commits.';
COMMENT ON COLUMN public.events.recorded_at IS 'Clock of the database when the event was stamped, never before the event in front of it.';
COMMENT ON COLUMN public.events.hash IS 'sha256 of the hash in front and the canonical bytes of this row.';

CREATE TABLE public.firings (
    consumer text NOT NULL COLLATE pg_catalog."C",
    "position" bigint NOT NULL,
    trigger text NOT NULL,
    scope text NOT NULL,
    hops integer NOT NULL,
    state text NOT NULL,
    holder uuid NOT NULL,
    attempts integer NOT NULL,
    round integer NOT NULL,
    first_claimed_at timestamp with time zone NOT NULL,
    claimed_at timestamp with time zone NOT NULL,
    settled_at timestamp with time zone,
    run_id text,
    outcome text,
    CONSTRAINT firings_attempts_count CHECK (((attempts >= 1) AND (round >= 0))),
    CONSTRAINT firings_hops_count CHECK ((hops >= 0)),
    CONSTRAINT firings_position_counts CHECK (("position" >= 1)),
    CONSTRAINT firings_state_known CHECK ((state = ANY (ARRAY['running'::text, 'dispatched'::text, 'failed'::text, 'refused'::text])))
);
COMMENT ON TABLE public.firings IS 'Firings: one (consumer, event) pair each, and what was done with it.';
COMMENT ON COLUMN public.firings.consumer IS 'Whose firing it is: trigger/NAME of a trigger file.';
COMMENT ON COLUMN public.firings."position" IS 'Position of the event that fired it.';
COMMENT ON COLUMN public.firings.trigger IS 'The trigger that the event fired.';
COMMENT ON COLUMN public.firings.scope IS 'Scope of the event.';
COMMENT ON COLUMN public.firings.hops IS 'How many firings had led to the event.';
COMMENT ON COLUMN public.firings.state IS 'running while a claim holds it; then what became of it.';
COMMENT ON COLUMN public.firings.holder IS 'The process that claimed it last.';
COMMENT ON COLUMN public.firings.attempts IS 'Claims so far, all rounds together.';
COMMENT ON COLUMN public.firings.round IS 'How often a person has made it claimable again.';
COMMENT ON COLUMN public.firings.first_claimed_at IS 'When it was first claimed; no later claim changes it.';
COMMENT ON COLUMN public.firings.claimed_at IS 'When it was claimed last; a person who asks for another attempt sets it back.';
COMMENT ON COLUMN public.firings.settled_at IS 'When its outcome was told; null while it is claimed.';
COMMENT ON COLUMN public.firings.run_id IS 'The run that it started.';
COMMENT ON COLUMN public.firings.outcome IS 'What became of it, in the engine''s words.';

CREATE TABLE public.games (
    module text NOT NULL COLLATE pg_catalog."C",
    scope text NOT NULL COLLATE pg_catalog."C",
    boot_id text NOT NULL,
    reconciled_at timestamp with time zone NOT NULL
);
COMMENT ON TABLE public.games IS 'The life of each game in which everything that runs hold there was last asked for.';
COMMENT ON COLUMN public.games.module IS 'The module that reaches it.';
COMMENT ON COLUMN public.games.scope IS 'The scope that it serves.';
COMMENT ON COLUMN public.games.boot_id IS 'The game''s own name for that life: another one at each of its starts.';
COMMENT ON COLUMN public.games.reconciled_at IS 'When it had told of everything, by the engine''s clock.';

CREATE TABLE public.idempotency_keys (
    account_id text NOT NULL,
    key text NOT NULL,
    route text NOT NULL,
    digest bytea NOT NULL,
    command_id uuid NOT NULL,
    begun_at timestamp with time zone NOT NULL,
    claimed_until timestamp with time zone NOT NULL,
    status smallint,
    headers json,
    body bytea,
    CONSTRAINT idempotency_keys_answered_as_a_whole CHECK ((num_nulls(status, headers, body) = ANY (ARRAY[0, 3]))),
    CONSTRAINT idempotency_keys_digest_length CHECK ((octet_length(digest) = 32)),
    CONSTRAINT idempotency_keys_key_length CHECK (((octet_length(key) >= 1) AND (octet_length(key) <= 255))),
    CONSTRAINT idempotency_keys_status_kept CHECK (((status >= 200) AND (status <= 499)))
);
COMMENT ON TABLE public.idempotency_keys IS 'Requests under a key of their sender''s choice, with their answers; kept for a day.';
COMMENT ON COLUMN public.idempotency_keys.account_id IS 'Account that sent it; keys of two accounts never meet.';
COMMENT ON COLUMN public.idempotency_keys.key IS 'The header Idempotency-Key, as sent.';
COMMENT ON COLUMN public.idempotency_keys.route IS 'Route that it was posted to.';
COMMENT ON COLUMN public.idempotency_keys.digest IS 'sha256 of method, address, precondition, type and body: what a repeat must be the same in.';
COMMENT ON COLUMN public.idempotency_keys.command_id IS 'Id of the command that it is carried out as, however often it is tried.';
COMMENT ON COLUMN public.idempotency_keys.begun_at IS 'When it was first sent, by the clock of the engine.';
COMMENT ON COLUMN public.idempotency_keys.claimed_until IS 'Until when somebody is known to be at it, by the clock of the database.';
COMMENT ON COLUMN public.idempotency_keys.status IS 'Status of the answer; null while there is none.';
COMMENT ON COLUMN public.idempotency_keys.headers IS 'Names and values of the answer''s headers, in their order.';
COMMENT ON COLUMN public.idempotency_keys.body IS 'Body of the answer, byte by byte.';

CREATE TABLE public.leadership (
    consumer text NOT NULL,
    holder uuid NOT NULL,
    epoch bigint NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    term interval DEFAULT '00:00:00'::interval NOT NULL,
    CONSTRAINT leadership_epoch_counts CHECK ((epoch >= 1))
);
COMMENT ON TABLE public.leadership IS 'The present or last leader of each consumer. Liveness is judged by the expiry stored here.';
COMMENT ON COLUMN public.leadership.consumer IS 'Name of the consumer.';
COMMENT ON COLUMN public.leadership.holder IS 'The process that leads, or led last.';
COMMENT ON COLUMN public.leadership.epoch IS 'Counts every change of hands; the fence of a cursor''s move.';
COMMENT ON COLUMN public.leadership.expires_at IS 'By the clock of the database; past it, anybody may take over.';
COMMENT ON COLUMN public.leadership.term IS 'Length of the term that ends at expires_at; 0 where it is not known.';

CREATE TABLE public.listeners (
    id uuid NOT NULL,
    aggregate_type text NOT NULL COLLATE pg_catalog."C",
    aggregate_id text NOT NULL COLLATE pg_catalog."C",
    event_type text NOT NULL,
    scope text,
    filter json NOT NULL,
    after_position bigint NOT NULL,
    CONSTRAINT listeners_after_counts CHECK ((after_position >= 0))
);
COMMENT ON TABLE public.listeners IS 'Subscriptions: this stream waits for events of that type.';
COMMENT ON COLUMN public.listeners.id IS 'Id of the subscription, derived by its owner.';
COMMENT ON COLUMN public.listeners.aggregate_type IS 'Kind of the stream that waits.';
COMMENT ON COLUMN public.listeners.aggregate_id IS 'Name of the stream that waits.';
COMMENT ON COLUMN public.listeners.event_type IS 'Exact type that is waited for.';
COMMENT ON COLUMN public.listeners.scope IS 'Scope that is waited for; null means any.';
COMMENT ON COLUMN public.listeners.filter IS 'Condition on the event''s context, judged after the look-up.';
COMMENT ON COLUMN public.listeners.after_position IS 'Only events past this position count.';

CREATE TABLE public.members (
    member_id uuid NOT NULL,
    module text NOT NULL COLLATE pg_catalog."C",
    member_key text COLLATE pg_catalog."C",
    account_id text COLLATE pg_catalog."C",
    first_seen timestamp with time zone NOT NULL
);
COMMENT ON TABLE public.members IS 'Members: whoever took part in some run, by an id that is in the log.';
COMMENT ON COLUMN public.members.member_id IS 'Minted here; events name a member by it.';
COMMENT ON COLUMN public.members.module IS 'The module whose word the key is.';
COMMENT ON COLUMN public.members.member_key IS 'What the game calls the member, opaque here; null once erased.';
COMMENT ON COLUMN public.members.account_id IS 'The account of the person, where an admin has linked one.';
COMMENT ON COLUMN public.members.first_seen IS 'When a module first told of the member, by the engine''s clock.';

CREATE TABLE public.notes (
    id uuid NOT NULL,
    salt bytea,
    body text,
    written_by text NOT NULL,
    written_at timestamp with time zone NOT NULL,
    CONSTRAINT notes_blank_in_one CHECK (((salt IS NULL) = (body IS NULL)))
);
COMMENT ON TABLE public.notes IS 'Notes beside the log. Erasing a person blanks text and salt; the event''s digest then says nothing.';
COMMENT ON COLUMN public.notes.id IS 'Id that the event names.';
COMMENT ON COLUMN public.notes.salt IS 'Salt of the digest in the event; null once erased.';
COMMENT ON COLUMN public.notes.body IS 'The text; null once erased.';
COMMENT ON COLUMN public.notes.written_by IS 'Actor that wrote it.';
COMMENT ON COLUMN public.notes.written_at IS 'Instant of writing, by the clock of the engine.';

CREATE TABLE public.staged (
    id uuid NOT NULL,
    aggregate_type text NOT NULL COLLATE pg_catalog."C",
    aggregate_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    due_at timestamp with time zone NOT NULL,
    payload json NOT NULL,
    staged_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
COMMENT ON TABLE public.staged IS 'What falls due later. An item lives until its command commits or turns out to be moot.';
COMMENT ON COLUMN public.staged.id IS 'UUIDv5 of stream, sequence and kind, so that the same cause stages once.';
COMMENT ON COLUMN public.staged.aggregate_type IS 'Kind of the stream that it concerns.';
COMMENT ON COLUMN public.staged.aggregate_id IS 'Name of the stream that it concerns.';
COMMENT ON COLUMN public.staged.kind IS 'What is to be decided when it is due.';
COMMENT ON COLUMN public.staged.due_at IS 'Not before this instant, by the clock of the engine.';
COMMENT ON COLUMN public.staged.payload IS 'What the decision needs beside the stream.';
COMMENT ON COLUMN public.staged.staged_at IS 'Clock of the database when it was staged.';
ALTER TABLE ONLY public.account_tokens
    ADD CONSTRAINT account_tokens_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (account_id);
ALTER TABLE ONLY public.commands
    ADD CONSTRAINT commands_pkey PRIMARY KEY (command_id);
ALTER TABLE ONLY public.controlled_clock
    ADD CONSTRAINT controlled_clock_pkey PRIMARY KEY (one);
ALTER TABLE ONLY public.cursors
    ADD CONSTRAINT cursors_pkey PRIMARY KEY (consumer);
ALTER TABLE ONLY public.drafts
    ADD CONSTRAINT drafts_pkey PRIMARY KEY (definition_id);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (aggregate_type, aggregate_id, sequence);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_position_once UNIQUE ("position");
ALTER TABLE ONLY public.firings
    ADD CONSTRAINT firings_pkey PRIMARY KEY (consumer, "position");
ALTER TABLE ONLY public.games
    ADD CONSTRAINT games_pkey PRIMARY KEY (module, scope);
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (account_id, key);
ALTER TABLE ONLY public.leadership
    ADD CONSTRAINT leadership_pkey PRIMARY KEY (consumer);
ALTER TABLE ONLY public.listeners
    ADD CONSTRAINT listeners_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_by_key UNIQUE (module, member_key);
ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_pkey PRIMARY KEY (member_id);
ALTER TABLE ONLY public.notes
    ADD CONSTRAINT notes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.staged
    ADD CONSTRAINT staged_pkey PRIMARY KEY (id);

CREATE INDEX account_tokens_by_account ON public.account_tokens USING btree (account_id);

CREATE INDEX drafts_by_series ON public.drafts USING btree (((body ->> 'seriesId'::text))) WHERE ((body ->> 'seriesId'::text) IS NOT NULL);

CREATE INDEX firings_running ON public.firings USING btree (claimed_at) WHERE (state = 'running'::text);

CREATE INDEX idempotency_keys_by_age ON public.idempotency_keys USING btree (begun_at);

CREATE INDEX listeners_by_stream ON public.listeners USING btree (aggregate_type, aggregate_id);

CREATE INDEX listeners_by_topic ON public.listeners USING btree (event_type, scope);

CREATE INDEX members_by_account ON public.members USING btree (account_id) WHERE (account_id IS NOT NULL);

CREATE INDEX notes_by_writer ON public.notes USING btree (written_by) WHERE (body IS NOT NULL);

CREATE INDEX staged_by_definition ON public.staged USING btree (((payload ->> 'definition'::text))) WHERE (kind = 'grace_end'::text);

CREATE INDEX staged_by_due ON public.staged USING btree (due_at, id);

CREATE INDEX staged_by_stream ON public.staged USING btree (aggregate_type, aggregate_id);

CREATE TRIGGER leasehold_1_enter BEFORE INSERT ON public.events FOR EACH STATEMENT EXECUTE FUNCTION public.leasehold_enter();
ALTER TABLE public.events ENABLE ALWAYS TRIGGER leasehold_1_enter;

CREATE TRIGGER leasehold_2_stamp BEFORE INSERT ON public.events FOR EACH ROW WHEN ((new."position" IS NULL)) EXECUTE FUNCTION public.leasehold_stamp();
ALTER TABLE public.events ENABLE ALWAYS TRIGGER leasehold_2_stamp;

CREATE TRIGGER leasehold_3_verify AFTER INSERT ON public.events REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION public.leasehold_verify();
ALTER TABLE public.events ENABLE ALWAYS TRIGGER leasehold_3_verify;

CREATE TRIGGER leasehold_4_refuse BEFORE DELETE OR UPDATE OR TRUNCATE ON public.events FOR EACH STATEMENT EXECUTE FUNCTION public.leasehold_refuse();
ALTER TABLE public.events ENABLE ALWAYS TRIGGER leasehold_4_refuse;
ALTER TABLE ONLY public.account_tokens
    ADD CONSTRAINT account_tokens_account FOREIGN KEY (account_id) REFERENCES public.accounts(account_id);
ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_account_exists FOREIGN KEY (account_id) REFERENCES public.accounts(account_id);

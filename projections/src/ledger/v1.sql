create table projections.ledger_v1 (
    id             text collate "C" not null,
    sequence       bigint           not null,
    position       bigint           not null,
    folded         text             not null,
    module         text             not null,
    scope          text             not null,
    kind           text             not null,
    ref            text             not null,
    status         text             not null,
    run_id         text             not null,
    step           text             not null,
    baseline       text,
    applied        text,
    found          text,
    reason         text,
    lease_until    timestamptz,
    attempts       bigint           not null,
    last_error     text,
    holds          bigint           not null,
    held_from      bigint           not null,
    first_position bigint           not null,
    constraint ledger_v1_pkey primary key (id)
);

comment on table projections.ledger_v1 is 'One row a target: the hold that it is or was last under.';
comment on column projections.ledger_v1.id is 'Name of the target''s stream: module, scope, kind and ref, percent-encoded.';
comment on column projections.ledger_v1.sequence is 'Sequence of the newest event in the row.';
comment on column projections.ledger_v1.position is 'Position of the newest event in the row.';
comment on column projections.ledger_v1.folded is 'The folded entry, from which the other columns are told.';
comment on column projections.ledger_v1.module is 'Module that knows what it is.';
comment on column projections.ledger_v1.scope is 'Where it is.';
comment on column projections.ledger_v1.kind is 'The module''s word; override is a borrowed value, @step the engine''s placeholder.';
comment on column projections.ledger_v1.ref is 'The module''s name for it.';
comment on column projections.ledger_v1.status is 'pending, confirmed and reverting hold it; reverted, drifted and orphaned let it go.';
comment on column projections.ledger_v1.run_id is 'The run that holds it or held it last.';
comment on column projections.ledger_v1.step is 'The step of that run.';
comment on column projections.ledger_v1.baseline is 'The value before, of a borrowed value.';
comment on column projections.ledger_v1.applied is 'The value that was asked for, and once confirmed the value that was applied.';
comment on column projections.ledger_v1.found is 'The value that somebody else had left, where it had drifted.';
comment on column projections.ledger_v1.reason is 'How it was let go.';
comment on column projections.ledger_v1.lease_until is 'When a borrowed value goes back by itself.';
comment on column projections.ledger_v1.attempts is 'Attempts at undoing it.';
comment on column projections.ledger_v1.last_error is 'Code of the last undo that failed, until one succeeds.';
comment on column projections.ledger_v1.holds is 'How often it has been held.';
comment on column projections.ledger_v1.held_from is 'Position at which the present or last hold began.';
comment on column projections.ledger_v1.first_position is 'Position of its first event ever.';

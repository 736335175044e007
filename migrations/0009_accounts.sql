-- Who may do what, written inside the append of the account's own event, so that a change works on the next request.
create table public.accounts (
    account_id text    not null,
    name       text    not null,
    role       text    not null,
    disabled   boolean not null default false,
    constraint accounts_pkey primary key (account_id),
    constraint accounts_role_known check (role in ('admin', 'editor', 'moderator', 'player'))
);

comment on table public.accounts is 'Names and rights of accounts. Names are personal and therefore here, not in the log.';
comment on column public.accounts.account_id is 'Id minted here; the only thing that events say.';
comment on column public.accounts.name is 'Display name; blanked when the person is erased.';
comment on column public.accounts.role is 'admin, editor, moderator or player.';
comment on column public.accounts.disabled is 'True once the account may do nothing any more.';

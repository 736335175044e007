-- Who takes part in events: the ids that the log knows members by, and what games call them. Erasing a member blanks the key.
create table public.members (
    member_id  uuid             not null,
    module     text collate "C" not null,
    member_key text collate "C",
    account_id text collate "C",
    first_seen timestamptz      not null,
    constraint members_pkey primary key (member_id),
    constraint members_by_key unique (module, member_key),
    constraint members_account_exists foreign key (account_id) references public.accounts (account_id)
);
create index members_by_account on public.members (account_id) where account_id is not null;

comment on table public.members is 'Members: whoever took part in some run, by an id that is in the log.';
comment on column public.members.member_id is 'Minted here; events name a member by it.';
comment on column public.members.module is 'The module whose word the key is.';
comment on column public.members.member_key is 'What the game calls the member, opaque here; null once erased.';
comment on column public.members.account_id is 'The account of the person, where an admin has linked one.';
comment on column public.members.first_seen is 'When a module first told of the member, by the engine''s clock.';

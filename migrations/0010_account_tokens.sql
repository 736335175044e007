-- Bearer tokens, by digest: the token itself is shown once and stored nowhere.
create table public.account_tokens (
    digest     bytea   not null,
    account_id text    not null,
    label      text    not null,
    revoked    boolean not null default false,
    constraint account_tokens_pkey primary key (digest),
    constraint account_tokens_account foreign key (account_id) references public.accounts (account_id),
    constraint account_tokens_digest_is_sha256 check (octet_length(digest) = 32)
);
create index account_tokens_by_account on public.account_tokens (account_id);

comment on table public.account_tokens is 'Digests of bearer tokens and whose they are.';
comment on column public.account_tokens.digest is 'sha256 of the token.';
comment on column public.account_tokens.account_id is 'The account that the token speaks for.';
comment on column public.account_tokens.label is 'What the token is for, in its owner''s words.';
comment on column public.account_tokens.revoked is 'True once it opens nothing any more.';

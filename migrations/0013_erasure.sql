-- Erasing a person: the account's row stays for what names it, and says nothing of whom it was.
alter table public.accounts add column erased_at timestamptz;
alter table public.accounts add constraint accounts_erased_are_blank check (erased_at is null or (name = '' and disabled));
create index notes_by_writer on public.notes (written_by) where body is not null;

comment on column public.accounts.erased_at is 'When the person was erased, by the clock of the engine; null: never. Nothing makes it null again.';

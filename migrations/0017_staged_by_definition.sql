-- A pass over one definition finds its runs that have not begun, however many others there are.
create index staged_by_definition on public.staged ((payload ->> 'definition')) where kind = 'grace_end';

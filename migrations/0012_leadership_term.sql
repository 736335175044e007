-- How long the present term was when it was given. An expiry further ahead than that is a clock that has stepped back.
alter table public.leadership add column term interval not null default interval '0';
comment on column public.leadership.term is 'Length of the term that ends at expires_at; 0 where it is not known.';

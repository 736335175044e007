-- Which definitions belong to a series.
create index drafts_by_series on public.drafts ((body ->> 'seriesId')) where body ->> 'seriesId' is not null;

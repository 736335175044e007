create index series_v1_in_order on projections.series_v1 (ordering, slug, id) where deleted_at is null;
create index series_v1_by_slug on projections.series_v1 (slug) where deleted_at is null;

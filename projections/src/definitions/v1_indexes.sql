create index definitions_v1_by_slug on projections.definitions_v1 (slug, id);

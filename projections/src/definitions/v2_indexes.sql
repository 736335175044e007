create index definitions_v2_by_slug on projections.definitions_v2 (slug, id);

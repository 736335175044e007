create index results_v1_by_definition on projections.results_v1 (definition_id, scheduled_for desc) where published is not null;

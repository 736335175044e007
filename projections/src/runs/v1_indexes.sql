create index runs_v1_by_instant on projections.runs_v1 (scheduled_for desc, id desc);
create index runs_v1_by_definition on projections.runs_v1 (definition_id, scheduled_for desc, id desc);
create index runs_v1_open on projections.runs_v1 (status, health, cleanup_status)
    where status in ('scheduled', 'running', 'paused') or cleanup_status in ('pending', 'incomplete');

create index runs_v2_by_instant on projections.runs_v2 (scheduled_for desc, id desc);
create index runs_v2_by_definition on projections.runs_v2 (definition_id, scheduled_for desc, id desc);
create index runs_v2_open on projections.runs_v2 (status, health, cleanup_status)
    where status in ('scheduled', 'running', 'paused') or cleanup_status in ('pending', 'incomplete');
create index runs_v2_by_status on projections.runs_v2 (status, scheduled_for, id);
create index runs_v2_by_position on projections.runs_v2 (position);
create index runs_v2_by_slot on projections.runs_v2 (slot_at, definition_id, slot) where slot_at is not null;

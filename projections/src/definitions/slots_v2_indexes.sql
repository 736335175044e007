create index definition_slots_v2_by_slot on projections.definition_slots_v2 (slot, definition_id, position);
